// Every setting of a Rialto process: its variable, its type, its bounds, its default and what it is for. They are
// declared by subject in settings/; their order here is the order of the generated table.
import { Type, type Static, type TSchema } from 'typebox';
import { BOT_STORAGE, BOT_WEBHOOKS } from './settings/bots.ts';
import { CHAT } from './settings/chat.ts';
import { CUSTODY } from './settings/custody.ts';
import { ENGINE } from './settings/engine.ts';
import { EVENTS } from './settings/events.ts';
import { INVITATIONS } from './settings/invitations.ts';
import { KEYS } from './settings/keys.ts';
import { LDAP } from './settings/ldap.ts';
import { MAIL } from './settings/mail.ts';
import { NEIGHBOURS, POOLS } from './settings/neighbours.ts';
import { CONTENT, ORGANIZATION } from './settings/organization.ts';
import { PASSKEYS } from './settings/passkeys.ts';
import { CONNECTIONS, PROCESS, PUBLIC_ADDRESS, STOPPING } from './settings/process.ts';
import { PUSH, PUSH_DEVICES } from './settings/push.ts';
import { OIDC, OPERATORS, SESSIONS, SIGN_IN } from './settings/sign-in.ts';
import { TRADING } from './settings/trading.ts';
import { UPLOADS } from './settings/uploads.ts';

export { ROLES, type Role } from './settings/process.ts';

export const ConfigSchema = Type.Object({
  ...NEIGHBOURS,
  ...PUBLIC_ADDRESS,
  ...KEYS,
  ...PROCESS,
  ...ORGANIZATION,
  ...POOLS,
  ...CONNECTIONS,
  ...TRADING,
  ...CHAT,
  ...UPLOADS,
  ...BOT_STORAGE,
  ...SIGN_IN,
  ...LDAP,
  ...OIDC,
  ...MAIL,
  ...INVITATIONS,
  ...CONTENT,
  ...PUSH,
  ...BOT_WEBHOOKS,
  ...PUSH_DEVICES,
  ...SESSIONS,
  ...PASSKEYS,
  ...OPERATORS,
  ...EVENTS,
  ...ENGINE,
  ...CUSTODY,
  ...STOPPING,
});

export type Config = Static<typeof ConfigSchema>;

export const settingSchemas = (): [string, TSchema][] =>
  Object.entries<TSchema>(ConfigSchema.properties);
