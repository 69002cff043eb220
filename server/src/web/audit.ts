// The pages that change something, each with its audit acts, like the routes of the APIs.
import type { FastifyRequest } from 'fastify';
import { askerOf, runAudited, type AuditedRoute } from '../accounts/audit/call.ts';
import type { User } from '../accounts/user.ts';
import type { ApiContext } from '../platform/context.ts';

/** Named by their form's target. A test compares the list with the mounted pages. */
export const PAGES = {
  signIn: {
    name: 'POST /accounts/login/',
    audit: ['session begin', 'session end', 'user create'],
  },
  /** The second stage of signing in. */
  signInFactor: {
    name: 'POST /accounts/login/factor/',
    audit: ['session begin', 'session end', 'factor use'],
  },
  /** A passkey and nothing else. */
  signInPasskey: {
    name: 'POST /accounts/login/passkey/',
    audit: ['session begin', 'session end', 'factor use'],
  },
  askPasskey: { name: 'POST /accounts/login/passkey/options', audit: { none: 'nothing' } },
  askFactorPasskey: {
    name: 'POST /accounts/login/factor/passkey/options',
    audit: { none: 'nothing' },
  },
  passkeys: {
    name: 'POST /accounts/security/passkeys/',
    audit: ['factor add', 'factor change', 'factor remove', 'chat_key regenerate'],
  },
  /** A second factor is added while signing in. */
  signInEnrol: {
    name: 'POST /accounts/login/enrol/',
    audit: ['factor add', 'chat_key regenerate', 'session begin', 'session end'],
  },
  security: {
    name: 'POST /accounts/security/',
    audit: ['factor add', 'factor remove', 'factor recovery_codes', 'chat_key regenerate'],
  },
  signOut: { name: 'POST /accounts/logout/', audit: ['session end'] },
  createAccount: {
    name: 'POST /accounts/register',
    audit: ['invitation accept', 'session begin', 'session end'],
  },
  /** A key is shown or replaced after the password. */
  showKey: {
    name: 'POST /account/key/',
    audit: ['chat_key reveal', 'chat_key regenerate', 'user create'],
  },
  /** A session is proved again. */
  stepUp: {
    name: 'POST /accounts/step_up/',
    audit: ['session step_up', 'session end', 'user create'],
  },
  /** An operator lets a command line act for them, or denies it. */
  commandLine: {
    name: 'POST /accounts/cli/',
    audit: ['cli confirm', 'cli end', 'session step_up', 'session end'],
  },
  endSessions: { name: 'POST /accounts/sessions/', audit: ['session end'] },
  /** A trading key is made, after a second factor, or deleted. */
  tradingKeys: {
    name: 'POST /accounts/keys/',
    audit: ['trading_key create', 'trading_key delete', 'session step_up', 'session end'],
  },
  /** Makes a browser known, and signs nobody in. */
  useDeviceLink: { name: 'POST /accounts/login/device/use/', audit: ['sign_in device_link'] },
  askDeviceLink: { name: 'POST /accounts/login/device/', audit: { none: 'nothing' } },
  askPasswordLink: { name: 'POST /accounts/password/reset/', audit: { none: 'nothing' } },
  usePasswordLink: {
    name: 'POST /accounts/password/reset/new/',
    audit: [
      'password change',
      'chat_key regenerate',
      'trading_key delete',
      'session end',
      'factor use',
    ],
  },
  changePhrase: { name: 'POST /account/phrase/', audit: ['phrase change', 'user create'] },
  useRecovery: {
    name: 'POST /accounts/recovery/new/',
    audit: [
      'recovery use',
      'password change',
      'session end',
      'trading_key delete',
      'chat_key regenerate',
    ],
  },
  cancelRecovery: { name: 'POST /accounts/recovery/cancel/use/', audit: ['recovery cancel'] },
  decideAddress: {
    name: 'POST /accounts/confirm_new_email/use/',
    audit: ['user set_email', 'address cancel'],
  },
  askToRegister: { name: 'POST /accounts/home', audit: { none: 'nothing' } },
  register: {
    name: 'POST /accounts/register/new/',
    audit: ['user create', 'session begin', 'session end'],
  },
  /** A provider announces that somebody signed out there. */
  providerLogout: { name: 'POST /accounts/oidc/:id/backchannel/', audit: ['session end'] },
  changeIdentity: { name: 'POST /account/identities/:id/', audit: ['identity remove'] },
  /** An app gets a key. */
  signAppIn: {
    name: 'POST /accounts/login/app/',
    audit: ['chat_key create', 'session end'],
  },
  signAppInAgain: { name: 'POST /accounts/login/app/again/', audit: ['session end'] },
  /** Sends an email and signs nobody in. */
  join: { name: 'POST /join/:key', audit: { none: 'nothing' } },
} as const satisfies Record<string, AuditedRoute>;

/** Not a form: the browser comes back from a provider. */
export const PROVIDER_RETURN = {
  name: 'GET /accounts/login/oidc/:id/callback/',
  audit: [
    'session begin',
    'session end',
    'identity add',
    'user create',
    'user set_role',
    'group members',
  ],
} as const satisfies AuditedRoute;

/** Runs `work` for the sender of a form, who is a stranger until authenticated. */
export const asVisitor = <T>(
  ctx: ApiContext,
  page: AuditedRoute,
  request: FastifyRequest,
  work: (ctx: ApiContext) => Promise<T>,
): Promise<T> => runAudited(ctx, page, askerOf(request, 'POST', undefined, 'session'), work);

/** The same for a form of an authenticated person: by their session, or by a link that was sent to them. */
export const asPerson = <T>(
  ctx: ApiContext,
  page: AuditedRoute,
  request: FastifyRequest,
  { user, via }: { readonly user: User; readonly via: 'session' | 'link' },
  work: (ctx: ApiContext) => Promise<T>,
): Promise<T> => runAudited(ctx, page, { ...askerOf(request, 'POST', user, 'session'), via }, work);
