import { Type } from 'typebox';
import { REALM_ICON_PATH } from '../assets/paths.ts';
import { chatRoute } from '../http/route.ts';
import { VERSION } from './version.ts';

const AUTHENTICATION_METHODS = {
  password: true,
  dev: false,
  email: true,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  google: false,
  apple: false,
  saml: false,
  'openid connect': false,
  discord: false,
} as const;

/** Credentials are not looked at: clients send them here before they know whether they are right. */
export const getServerSettings = chatRoute({
  name: 'get-server-settings',
  method: 'GET',
  path: '/server_settings',
  allow: 'anyone',
  summary: 'What a client needs to know before it logs in.',
  params: Type.Object({}),
  returns: Type.Object({
    authentication_methods: Type.Record(Type.String(), Type.Boolean()),
    external_authentication_methods: Type.Array(Type.Object({})),
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
    authentication_methods: AUTHENTICATION_METHODS,
    external_authentication_methods: [],
    ...VERSION,
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_url: ctx.publicUrl(),
    realm_uri: ctx.publicUrl(),
    realm_name: ctx.config.ORGANIZATION_NAME,
    realm_icon: REALM_ICON_PATH,
    realm_description: '',
    realm_web_public_access_enabled: false,
  }),
});
