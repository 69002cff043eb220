// Routes for the settings of the organization, and for what clients must know before they sign in.
import { Type } from 'typebox';
import { hasDirectory } from '../../../accounts/ldap/settings.ts';
import { loginPathOf, providersOf } from '../../../accounts/oidc/settings.ts';
import { readMethodsOff, type AuthenticationMethod } from '../../../accounts/organization.ts';
import type { ApiContext } from '../../../platform/context.ts';
import { hasRelay } from '../../../platform/push/relay.ts';
import { REALM_ICON_PATH } from '../../organization/org/asset-paths.ts';
import { chatRoute } from '../../http/route.ts';
import { settingNames } from '../../rights/permissions/definitions.ts';
import { permissionChangeParams } from '../../rights/permissions/params.ts';
import {
  settingParams,
  type SettingValue,
} from '../../organization/setting-definitions/definitions.ts';
import { readOrganization } from '../../organization/org/access.ts';
import {
  changeOrganization,
  changeUserDefaults,
  isForOwners,
  WAITING_DAYS_MAX,
  type RealmChanges,
} from './actions.ts';
import {
  REALM_SETTING_NAMES,
  realmSettingParams,
  WAITING_PERIOD,
  type RealmValue,
} from '../../organization/org/definitions.ts';
import { isMethodOn } from '../../organization/org/sign-in-methods.ts';
import { plainTextToHtml } from '../../organization/org/render.ts';
import { ZULIP_VERSION } from '../../version.ts';

/** Ways to sign in that do not exist here. */
const METHODS_ELSEWHERE = {
  dev: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  google: false,
  apple: false,
  saml: false,
  discord: false,
} as const;

/** Ignores credentials: clients call this before they know whether theirs are right. */
export const getServerSettings = chatRoute({
  name: 'get-server-settings',
  method: 'GET',
  path: '/server_settings',
  allow: 'anyone',
  grows: 'organization',
  summary: 'What a client needs to know before it logs in.',
  params: Type.Object({}),
  returns: Type.Object({
    authentication_methods: Type.Record(Type.String(), Type.Boolean()),
    external_authentication_methods: Type.Array(
      Type.Object({
        name: Type.String(),
        display_name: Type.String(),
        display_icon: Type.Union([Type.String(), Type.Null()]),
        login_url: Type.String({ description: 'A path, without a query: clients add their own.' }),
        signup_url: Type.String(),
      }),
    ),
    zulip_version: Type.String(),
    zulip_feature_level: Type.Integer(),
    zulip_merge_base: Type.String(),
    push_notifications_enabled: Type.Boolean(),
    is_incompatible: Type.Boolean(),
    email_auth_enabled: Type.Boolean(),
    require_email_format_usernames: Type.Boolean(),
    realm_url: Type.String(),
    realm_uri: Type.String({ description: 'Older name of realm_url.' }),
    realm_name: Type.String(),
    realm_icon: Type.String(),
    realm_description: Type.String({ description: 'HTML' }),
    realm_web_public_access_enabled: Type.Boolean(),
  }),
  handle: async (ctx) => ({
    ...(await describeSignIn(ctx)),
    ...ZULIP_VERSION,
    push_notifications_enabled: hasRelay(ctx.config),
    is_incompatible: false,
    require_email_format_usernames: !hasDirectory(ctx.config),
    realm_url: ctx.publicUrl(),
    realm_uri: ctx.publicUrl(),
    realm_icon: REALM_ICON_PATH,
    ...(await describeRealm(ctx)),
    realm_web_public_access_enabled: false,
  }),
});

/** The ordinary page, for apps that open a browser; it knows every way to sign in. */
const WEB = {
  name: 'web',
  display_name: 'browser',
  display_icon: null,
  login_url: '/accounts/login/web/',
  signup_url: '/accounts/register/',
} as const;

async function describeSignIn(ctx: ApiContext) {
  const off = await readMethodsOff(ctx.db);
  const isOn = (name: AuthenticationMethod) => isMethodOn(ctx.config, off, name);
  const providers = isOn('OpenID Connect') ? providersOf(ctx.config) : [];
  const email = isOn('Email');
  const ldap = isOn('LDAP');
  return {
    authentication_methods: {
      ...METHODS_ELSEWHERE,
      password: email || ldap,
      email,
      ldap,
      'openid connect': providers.length > 0,
    },
    email_auth_enabled: email,
    external_authentication_methods: [
      WEB,
      ...providers.map((provider) => ({
        name: `oidc:${provider.id}`,
        display_name: provider.name,
        display_icon: provider.icon,
        login_url: loginPathOf(provider),
        signup_url: loginPathOf(provider),
      })),
    ],
  };
}

async function describeRealm(ctx: ApiContext) {
  const { name, description } = (await readOrganization(ctx.db, ctx.config)).settings;
  return { realm_name: name, realm_description: plainTextToHtml(String(description)) };
}

export const patchRealm = chatRoute({
  name: 'update-realm',
  method: 'PATCH',
  path: '/realm',
  allow: 'administrator',
  audit: ['org setting'],
  stepUp: (params) => (isForOwners(changesIn(params)) ? 'fresh' : undefined),
  grows: 'organization',
  summary: "Changes the organization's settings and who may do what.",
  params: Type.Object({
    ...realmSettingParams(),
    waiting_period_threshold: Type.Optional(
      Type.Integer({ minimum: 0, maximum: WAITING_DAYS_MAX, description: 'Days.' }),
    ),
    authentication_methods: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
    ...permissionChangeParams('realm'),
  }),
  returns: Type.Partial(
    Type.Object(
      Object.fromEntries(
        [...REALM_SETTING_NAMES, WAITING_PERIOD, ...settingNames('realm')].map((name) => [
          name,
          Type.Unknown({ description: 'The new value; of a text only that it is updated.' }),
        ]),
      ),
    ),
  ),
  handle: (ctx, actor, params) => changeOrganization(ctx, actor, changesIn(params)),
});

function changesIn({
  waiting_period_threshold,
  authentication_methods,
  ...given
}: {
  readonly waiting_period_threshold?: number;
  readonly authentication_methods?: Record<string, boolean>;
}): RealmChanges {
  const permissions: Record<string, unknown> = {};
  const settings: Record<string, RealmValue> = {};
  for (const [name, value] of Object.entries<unknown>(given)) {
    if (isPermission(name)) permissions[name] = value;
    else settings[name] = value as RealmValue;
  }
  return {
    settings,
    permissions,
    waitingPeriodDays: waiting_period_threshold,
    authenticationMethods: authentication_methods,
  };
}

const PERMISSION_NAMES: ReadonlySet<string> = new Set(settingNames('realm'));
const isPermission = (name: string): boolean => PERMISSION_NAMES.has(name);

export const patchUserDefaults = chatRoute({
  name: 'update-realm-user-settings-defaults',
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  allow: 'administrator',
  audit: ['org user_defaults'],
  summary: 'Changes what new people start with.',
  params: Type.Partial(Type.Object(settingParams())),
  returns: Type.Object({}),
  handle: async (ctx, _actor, settings) => {
    await changeUserDefaults(ctx, settings as Record<string, SettingValue>);
    return {};
  },
});
