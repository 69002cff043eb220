// The page on which a person sees, makes and deletes their trading keys. Making one needs a code in the same form.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { placeOf } from '../accounts/second-factors/act.ts';
import { requireStepUp } from '../accounts/second-factors/step-up.ts';
import type { Session } from '../accounts/sessions/access.ts';
import { accessMainAccount, deleteTradingKey } from '../accounts/trading-keys/actions.ts';
import { PERMISSIONS } from '../accounts/trading-keys/key.ts';
import { createOwnKey, listOwnKeys, type AskedKey } from '../accounts/trading-keys/own-keys.ts';
import { checkTerms } from '../accounts/trading-keys/terms.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { LABEL_PATTERN } from '../trading/sub-accounts/shapes.ts';
import { asPerson, PAGES } from './audit.ts';
import { asSignedIn, isSessionForm, sendNothing, toSignIn } from './signed-in.ts';
import {
  renderNewTradingKey,
  renderTradingKeys,
  TRADING_KEYS_PATH,
  type TradingKeysProblem,
} from './trading-keys-page.ts';
import { HEADERS, mountForms, send, type PageVisit } from './visit.ts';

export const mountTradingKeys = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(
        TRADING_KEYS_PATH,
        on(asSignedIn(TRADING_KEYS_PATH, (visit, session) => sendList(visit, session, 200))),
      );
      scope.post(TRADING_KEYS_PATH, on(asSignedIn(TRADING_KEYS_PATH, change)));
    },
    failed: sendNothing,
  });

async function change(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { ctx, request, body } = visit;
  const { user } = session;
  if (!isSessionForm(visit, session)) return sendList(visit, session, 403, 'expired');
  const keyId = body.get('delete');
  try {
    return await asPerson(ctx, PAGES.tradingKeys, request, { user, via: 'session' }, (own) =>
      keyId === null ? make(own, visit, session) : remove(own, visit, session, keyId),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'SESSION_INVALID') return toSignIn(visit, TRADING_KEYS_PATH);
    void visit.reply.headers(error.headers);
    return sendList(visit, session, error.status, problemOf(error));
  }
}

async function remove(
  ctx: ApiContext,
  visit: PageVisit,
  session: Session,
  keyId: string,
): Promise<FastifyReply> {
  const isDeleted = await deleteTradingKey(ctx, keyId, session.user.id);
  if (!isDeleted) return sendList(visit, session, 404, 'gone');
  const { reply, language } = visit;
  return reply.headers(HEADERS).redirect(`${TRADING_KEYS_PATH}?lang=${language}`, 303);
}

/** The code comes last: it is spent only for a key that can be made. */
async function make(ctx: ApiContext, visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { request, body, language, values } = visit;
  const account = await accessMainAccount(ctx, session.user);
  if (account === undefined) throw problem('guest', 403);
  if (account.isSuspended) throw problem('suspended', 403);
  const asked = parseKey(body);
  checkTerms(asked, ctx.clock.now(), true);
  await requireStepUp(ctx, session, 'each', {
    method: 'POST',
    path: TRADING_KEYS_PATH,
    params: [],
    answer: { kind: 'totp', code: body.get('code') ?? '' },
    place: placeOf(ctx.config, request),
  });
  const owner = { user: session.user, address: request.caller };
  const { key, secret } = await createOwnKey(ctx, owner, asked);
  const page = { language, csrfToken: session.csrfToken, next: undefined };
  return send(visit, 200, renderNewTradingKey(values, { ...page, key, secret }));
}

const LABEL = new RegExp(LABEL_PATTERN, 'u');
const RANGES_MAX = 20;

function parseKey(body: URLSearchParams): AskedKey {
  const label = (body.get('label') ?? '').trim();
  if (label !== '' && !LABEL.test(label)) throw problem('label', 400);
  const permissions = PERMISSIONS.filter((one) => body.getAll('permission').includes(one));
  if (permissions.length === 0) throw problem('permissions', 400);
  const ipAllowlist = (body.get('addresses') ?? '').split(/[\s,]+/).filter((one) => one !== '');
  if (ipAllowlist.length > RANGES_MAX) throw problem('addresses', 400);
  return {
    label,
    type: 'hmac',
    publicKey: undefined,
    accountId: undefined,
    permissions,
    ipAllowlist,
    markets: [],
    requireBoundSignature: false,
    expiresAt: undefined,
  };
}

/** A refusal of this page, named after what it tells. */
const problem = (code: TradingKeysProblem, status: number) =>
  new Refusal({ code, message: code, status });

const OWN: ReadonlySet<string> = new Set<TradingKeysProblem>([
  'guest',
  'suspended',
  'label',
  'permissions',
  'addresses',
]);

function problemOf({ code, status, fields }: Refusal): TradingKeysProblem {
  if (OWN.has(code)) return code as TradingKeysProblem;
  if (code === 'SECOND_FACTOR_REQUIRED') return fields['enrol'] === true ? 'enrol' : 'code';
  if (code === 'KEY_LIMIT') return 'limit';
  if (status === 429) return 'busy';
  return code === 'PARAMETER_CONFLICT' ? 'withdraw' : 'addresses';
}

async function sendList(
  visit: PageVisit,
  session: Session,
  status: number,
  trouble?: TradingKeysProblem,
): Promise<FastifyReply> {
  const { ctx, language, values, body } = visit;
  const { user, csrfToken } = session;
  const page = {
    language,
    csrfToken,
    next: undefined,
    keys: await listOwnKeys(ctx, user),
    nowMs: ctx.clock.now(),
    problem: trouble,
    // What was typed stays, except the code.
    typed: {
      label: body.get('label') ?? '',
      addresses: body.get('addresses') ?? '',
      permissions: body.getAll('permission'),
    },
  };
  return send(visit, status, renderTradingKeys(values, page));
}
