// Accepting an invitation in a browser: the page that an email leads to, the page that a reusable link leads to,
// and the creation of the account.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WeakPassword } from '../accounts/passwords/rules.ts';
import { checkFullName } from '../accounts/users/rules.ts';
import type { User } from '../accounts/user.ts';
import { acceptInvitation, listPromisedNames } from '../chat/administration/invitations/accept.ts';
import { askToJoin } from '../chat/administration/invitations/ask.ts';
import { InvitationOver } from '../chat/administration/invitations/errors.ts';
import { roleAtUse } from '../chat/administration/invitations/rules.ts';
import {
  readLinkValidity,
  readValidity,
  type Over,
  type Valid,
} from '../chat/administration/invitations/validity.ts';
import type { Invitation } from '../chat/administration/invitations/store.ts';
import { readOrganization, type Organization } from '../chat/organization/org/access.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { languageOf } from '../platform/mail/email.ts';
import { isMailConfigured } from '../platform/mail/transport.ts';
import { asVisitor, PAGES } from './audit.ts';
import { pageValues } from './front-page.ts';
import { bodyOf, cookiesOf, csrfTokenOf, isOwnForm, signBrowserIn } from './login.ts';
import { askToRegister } from './register.ts';
import { renderAccount, renderJoin, renderOver, renderSent, renderTrouble } from './signup-page.ts';
import { PROBLEMS, problemSaid, weaknessSaid, type Said } from './signup-texts.ts';
import { emailIn, mountPages, send, type PageVisit } from './visit.ts';

/** Where a new member goes: their own page. */
const HOME = '/';

export const mountSignup = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountPages(app, ctx, {
    open,
    mount(scope, on) {
      for (const slash of ['', '/']) {
        scope.get(`/accounts/do_confirm/:key${slash}`, on(showAccountForm));
        scope.get(`/join/:key${slash}`, on(showJoinForm));
        scope.post(`/join/:key${slash}`, on(sendConfirmation));
        scope.post(`/accounts/register${slash}`, on(createAccount));
      }
    },
    failed: sendTrouble,
  });

/** One request, and what every page of it needs. */
interface Visit extends PageVisit {
  readonly key: string;
  readonly path: string;
}

async function open(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
  const settings = await readSettings(ctx);
  const body = bodyOf(request);
  const { key: ofPath } = request.params as { readonly key?: string };
  const key = (ofPath ?? body.get('key') ?? '').slice(0, 100);
  const asked = body.get('lang') ?? (request.query as { readonly lang?: unknown }).lang;
  return {
    ctx,
    request,
    reply,
    body,
    key,
    // The organization's language, unless the reader chose.
    language: asked === 'en' || asked === 'fa' ? asked : languageOf(settings['default_language']),
    path: request.url.startsWith('/join/')
      ? `/join/${encodeURIComponent(key)}/`
      : `/accounts/do_confirm/${encodeURIComponent(key)}`,
    values: { ...(await pageValues(ctx)), organization: String(settings['name']) },
  };
}

/** Without the database the page shows an error, but in its usual form. */
async function readSettings(ctx: ApiContext): Promise<Organization['settings']> {
  try {
    return (await readOrganization(ctx.db, ctx.config)).settings;
  } catch {
    return { name: ctx.config.ORGANIZATION_NAME };
  }
}

async function showJoinForm(visit: Visit): Promise<FastifyReply> {
  const { ctx, key } = visit;
  const validity = await readLinkValidity(ctx.db, ctx, key);
  if (validity.kind !== 'valid') return sendOver(visit, validity.kind);
  return sendJoinForm(visit, 200, undefined);
}

async function sendConfirmation(visit: Visit): Promise<FastifyReply> {
  const { ctx, request, body, key, values } = visit;
  if (!isOwnForm(ctx, request, body)) return sendJoinForm(visit, 403, PROBLEMS.expired);
  const email = emailIn(visit);
  try {
    await askToJoin(ctx, key, email, request.caller);
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof InvitationOver) throw error;
    const problem = error.status === 429 ? PROBLEMS.tooMany : problemSaid(error.message);
    return sendJoinForm(visit, error.status, problem);
  }
  return send(visit, 200, renderSent(values, { ...visit, email }));
}

async function showAccountForm(visit: Visit): Promise<FastifyReply> {
  const { ctx, key } = visit;
  const validity = await readValidity(ctx.db, ctx, key);
  if (validity.kind !== 'valid') return sendOver(visit, validity.kind);
  return sendAccountForm(visit, validity, 200, undefined);
}

async function createAccount(visit: Visit): Promise<FastifyReply> {
  const { ctx, request, body, key } = visit;
  // Without a key somebody asks for a link to register.
  if (!body.has('key')) return askToRegister(visit);
  const validity = await readValidity(ctx.db, ctx, key);
  if (validity.kind !== 'valid') return sendOver(visit, validity.kind);
  const again = (status: number, problem: Said | undefined) =>
    sendAccountForm(visit, validity, status, problem);
  // As on other servers of this API, a form may request the page of an email.
  if (!body.has('full_name')) return again(200, undefined);
  if (!isOwnForm(ctx, request, body)) return again(403, PROBLEMS.expired);
  if (ctx.config.TERMS_URL !== '' && body.get('terms') !== 'true')
    return again(400, PROBLEMS.terms);
  const fullName = body.get('full_name') ?? '';
  const password = body.get('password') ?? '';
  try {
    checkFullName(fullName);
    return await asVisitor(ctx, PAGES.createAccount, request, async (own) => {
      const { user } = await acceptInvitation(own, key, { fullName, password });
      return enter({ ...visit, ctx: own }, user);
    });
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof InvitationOver) throw error;
    const problem =
      error instanceof WeakPassword ? weaknessSaid(error.reason) : problemSaid(error.message);
    return again(error.status, problem);
  }
}

/** Signs the browser in, as after a password, and ends its previous session. */
async function enter({ ctx, request, reply }: Visit, user: User): Promise<FastifyReply> {
  const opened = await signBrowserIn(ctx, request, user);
  return reply
    .header('set-cookie', cookiesOf(ctx, opened))
    .header('cache-control', 'no-store')
    .redirect(HOME, 303);
}

const withToken = ({ ctx, request, reply }: Visit): string => csrfTokenOf(ctx, request, reply);

function sendJoinForm(visit: Visit, status: number, problem: Said | undefined): FastifyReply {
  const isShut = !isMailConfigured(visit.ctx.config);
  const csrfToken = withToken(visit);
  const page = { ...visit, csrfToken, email: emailIn(visit), problem, isShut };
  return send(visit, isShut ? 503 : status, renderJoin(visit.values, page));
}

async function sendAccountForm(
  visit: Visit,
  validity: Valid<Invitation>,
  status: number,
  problem: Said | undefined,
): Promise<FastifyReply> {
  const { ctx, body, values } = visit;
  const { invitation, inviter, terms } = validity;
  const page = {
    ...visit,
    csrfToken: withToken(visit),
    email: invitation.email,
    fullName: body.get('full_name')?.slice(0, 200) ?? invitation.fullName,
    role: roleAtUse(inviter.role, terms.role),
    inviter: invitation.linkId === null ? inviter.fullName : undefined,
    channels: await listPromisedNames(ctx.db, validity),
    termsUrl: ctx.config.TERMS_URL,
    hasAgreed: body.get('terms') === 'true',
    problem,
  };
  return send(visit, status, renderAccount(values, page));
}

const sendOver = (visit: Visit, over: Over): FastifyReply =>
  send(visit, 404, renderOver(visit.values, visit, over));

function sendTrouble(visit: Visit, error: unknown): FastifyReply {
  if (error instanceof InvitationOver) return sendOver(visit, error.over);
  const isRefusal = error instanceof Refusal;
  if (!isRefusal) visit.ctx.log.error({ err: error }, 'A page of an invitation failed.');
  const page = renderTrouble(visit.values, visit, PROBLEMS.unavailable);
  return send(visit, isRefusal ? error.status : 503, page);
}
