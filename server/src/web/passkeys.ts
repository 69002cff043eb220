// The page on which people who are signed in add, rename and remove their passkeys.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { listPasskeys } from '../accounts/passkeys/access.ts';
import { changePasskey, removePasskey } from '../accounts/passkeys/actions.ts';
import { registerPasskey } from '../accounts/passkeys/register.ts';
import { relyingPartyOf } from '../accounts/passkeys/relying-party.ts';
import { hasFactor } from '../accounts/second-factors/factor.ts';
import { readStepUp, requireFresh } from '../accounts/second-factors/step-up.ts';
import { findFactors } from '../accounts/second-factors/access.ts';
import type { Session } from '../accounts/sessions/access.ts';
import { renewChatKeyIn } from '../chat/administration/keys/actions.ts';
import type { ApiContext } from '../platform/context.ts';
import type { Tx } from '../platform/db/transaction.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { asPerson, PAGES } from './audit.ts';
import { SCRIPT_PAGE_HEADERS } from './passkey-form.ts';
import {
  isDone,
  PASSKEYS_PATH,
  renderPasskeys,
  type PasskeysDone,
  type PasskeysProblem,
} from './passkeys-page.ts';
import { asSignedIn, isSessionForm, sendNothing } from './signed-in.ts';
import { toStepUp } from './step-up.ts';
import { HEADERS, mountForms, type PageVisit } from './visit.ts';

export const mountPasskeys = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(PASSKEYS_PATH, on(asSignedIn(PASSKEYS_PATH, show)));
      scope.post(PASSKEYS_PATH, on(asSignedIn(PASSKEYS_PATH, change)));
    },
    failed: sendNothing,
  });

/** The script asks for a fresh session before the form is sent, so the page asks first. */
async function show(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { freshUntilMs } = await readStepUp(visit.ctx, session);
  return freshUntilMs === undefined
    ? toStepUp(visit, PASSKEYS_PATH)
    : sendPage(visit, session, 200);
}

async function change(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { ctx, request, reply, language } = visit;
  const { user } = session;
  if (!isSessionForm(visit, session)) return sendPage(visit, session, 403, 'expired');
  try {
    const done = await asPerson(ctx, PAGES.passkeys, request, { user, via: 'session' }, (own) =>
      act(own, visit, session),
    );
    return reply.headers(HEADERS).redirect(`${PASSKEYS_PATH}?lang=${language}&done=${done}`, 303);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'SECOND_FACTOR_REQUIRED') return toStepUp(visit, PASSKEYS_PATH);
    return sendPage(visit, session, error.status, problemOf(error));
  }
}

async function act(
  ctx: ApiContext,
  { body, request }: PageVisit,
  session: Session,
): Promise<PasskeysDone> {
  await requireFresh(ctx, session);
  const { user } = session;
  const address = request.caller;
  const label = body.get('label') ?? '';
  const wish = body.get('do');
  if (wish === 'add') {
    const response = body.get('response') ?? '';
    const keepsKey = body.get('keep_key') === 'true';
    const replaceKey = keepsKey ? undefined : (tx: Tx) => renewChatKeyIn(ctx, tx, user);
    await registerPasskey(ctx, user, { response, label, address, replaceKey });
    return 'added';
  }
  const id = BigInt(/^\d{1,15}$/.exec(body.get('id') ?? '')?.[0] ?? 0);
  if (wish === 'remove') {
    await removePasskey(ctx, user, id, address);
    return 'removed';
  }
  const isTrusted = wish === 'trust';
  await changePasskey(ctx, user, id, isTrusted ? { isTrusted } : { label });
  return isTrusted ? 'trusted' : 'renamed';
}

function problemOf({ code, status }: Refusal): PasskeysProblem {
  if (code === 'PASSKEY_LIMIT') return 'limit';
  if (code === 'FACTOR_REQUIRED') return 'last';
  if (code === 'BAD_REQUEST') return status === 404 ? 'gone' : 'label';
  return 'refused';
}

async function sendPage(
  { ctx, reply, request, language, values }: PageVisit,
  { user, csrfToken }: Session,
  status: number,
  problem?: PasskeysProblem,
): Promise<FastifyReply> {
  const { done } = request.query as { readonly done?: unknown };
  const page = {
    language,
    csrfToken,
    next: undefined,
    passkeys: await listPasskeys(ctx.db, user.id),
    isPossible: relyingPartyOf(ctx) !== undefined,
    isFirst: !hasFactor(await findFactors(ctx.db, user.id)),
    done: isDone(done) ? done : undefined,
    problem,
  };
  return reply.code(status).headers(SCRIPT_PAGE_HEADERS).send(renderPasskeys(values, page));
}
