// Registering in a browser without an invitation: asking for a link, opening it, and creating the account.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { WeakPassword } from '../accounts/passwords/rules.ts';
import { ROLE } from '../accounts/roles.ts';
import { checkFullName } from '../accounts/users/rules.ts';
import { InvitationOver } from '../chat/administration/invitations/errors.ts';
import {
  acceptRegisterLink,
  askRegisterLink,
  findRegisterLink,
  isOpenToAll,
  listDefaultNames,
} from '../chat/administration/invitations/register.ts';
import { readOrganization } from '../chat/organization/org/access.ts';
import { linkCookie, isHttps } from '../accounts/sessions/cookies.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { isMailConfigured } from '../platform/mail/transport.ts';
import { asVisitor, PAGES } from './audit.ts';
import { cookiesOf, csrfTokenOf, isOwnForm, signBrowserIn } from './login.ts';
import {
  renderAccount,
  renderInvitedOnly,
  renderJoin,
  renderOver,
  renderSent,
  renderTrouble,
} from './signup-page.ts';
import { PROBLEMS, problemSaid, weaknessSaid, type Said } from './signup-texts.ts';
import { emailIn, followLink, HEADERS, keyOf, mountForms, send, type PageVisit } from './visit.ts';

const REGISTER_PATH = '/accounts/register/';
/** Where an opened link leads: an address without its key. */
const REGISTER_USE_PATH = `${REGISTER_PATH}new/`;

export const mountRegister = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      for (const slash of ['', '/']) {
        scope.get(`/accounts/register${slash}`, on(showAsk));
        scope.get(`/accounts/home${slash}`, on(showAsk));
        scope.post(`/accounts/home${slash}`, on(askToRegister));
      }
      scope.get(REGISTER_USE_PATH, on(showAccount));
      scope.post(REGISTER_USE_PATH, on(createAccount));
      const follow = on((visit) => followLink(visit, REGISTER_USE_PATH));
      for (const slash of ['', '/']) scope.get(`${REGISTER_PATH}:key${slash}`, follow);
    },
    failed: (visit, status) =>
      send(
        visit,
        status,
        renderTrouble(visit.values, { ...visit, path: REGISTER_PATH }, PROBLEMS.unavailable),
      ),
  });

const isOpen = async ({ ctx }: PageVisit): Promise<boolean> =>
  isOpenToAll(await readOrganization(ctx.db, ctx.config));

async function showAsk(visit: PageVisit): Promise<FastifyReply> {
  return (await isOpen(visit)) ? sendAsk(visit, 200, undefined) : sendInvitedOnly(visit);
}

/** Also the target of the form of `/accounts/register/`, which other servers of this API share with invitations. */
export async function askToRegister(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, body, values } = visit;
  if (!(await isOpen(visit))) return sendInvitedOnly(visit);
  if (!isOwnForm(ctx, request, body)) return sendAsk(visit, 403, PROBLEMS.expired);
  const email = emailIn(visit);
  try {
    await askRegisterLink(ctx, { email, caller: request.caller });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendAsk(visit, error.status, problemSaid(error.message));
  }
  return send(visit, 200, renderSent(values, { ...visit, path: REGISTER_PATH, email }));
}

async function showAccount(visit: PageVisit): Promise<FastifyReply> {
  const email = await findRegisterLink(visit.ctx, keyOf(visit));
  return email === undefined ? sendOver(visit) : sendAccount(visit, email, 200, undefined);
}

async function createAccount(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, body } = visit;
  const key = keyOf(visit);
  const email = await findRegisterLink(ctx, key);
  if (email === undefined) return sendOver(visit);
  const again = (status: number, problem: Said) => sendAccount(visit, email, status, problem);
  if (!isOwnForm(ctx, request, body)) return again(403, PROBLEMS.expired);
  if (ctx.config.TERMS_URL !== '' && body.get('terms') !== 'true')
    return again(400, PROBLEMS.terms);
  const fullName = body.get('full_name') ?? '';
  const password = body.get('password') ?? '';
  try {
    checkFullName(fullName);
    const opened = await asVisitor(ctx, PAGES.register, request, async (own) => {
      const user = await acceptRegisterLink(own, key, { email, fullName, password });
      return signBrowserIn(own, request, user);
    });
    const gone = linkCookie('', { secure: isHttps(ctx.config), maxAgeSeconds: 0 });
    return visit.reply
      .headers(HEADERS)
      .header('set-cookie', [...cookiesOf(ctx, opened), gone])
      .redirect('/', 303);
  } catch (error) {
    if (error instanceof InvitationOver) return sendOver(visit);
    if (!(error instanceof Refusal)) throw error;
    const problem =
      error instanceof WeakPassword ? weaknessSaid(error.reason) : problemSaid(error.message);
    return again(error.status, problem);
  }
}

const tokenOf = ({ ctx, request, reply }: PageVisit): string => csrfTokenOf(ctx, request, reply);

function sendAsk(visit: PageVisit, status: number, problem: Said | undefined): FastifyReply {
  const isShut = !isMailConfigured(visit.ctx.config);
  const page = {
    ...visit,
    path: REGISTER_PATH,
    action: '/accounts/home/',
    key: '',
    csrfToken: tokenOf(visit),
    email: emailIn(visit),
    problem,
    isShut,
  };
  return send(visit, isShut ? 503 : status, renderJoin(visit.values, page));
}

async function sendAccount(
  visit: PageVisit,
  email: string,
  status: number,
  problem: Said | undefined,
): Promise<FastifyReply> {
  const { ctx, body, values } = visit;
  const page = {
    ...visit,
    path: REGISTER_USE_PATH,
    action: REGISTER_USE_PATH,
    key: '',
    csrfToken: tokenOf(visit),
    email,
    fullName: body.get('full_name')?.slice(0, 200) ?? '',
    role: ROLE.member,
    inviter: undefined,
    channels: await listDefaultNames(ctx.db),
    termsUrl: ctx.config.TERMS_URL,
    hasAgreed: body.get('terms') === 'true',
    problem,
  };
  return send(visit, status, renderAccount(values, page));
}

const sendOver = (visit: PageVisit): FastifyReply =>
  send(visit, 404, renderOver(visit.values, { ...visit, path: REGISTER_PATH }, 'unknown'));

const sendInvitedOnly = (visit: PageVisit): FastifyReply =>
  send(visit, 403, renderInvitedOnly(visit.values, { ...visit, path: REGISTER_PATH }));
