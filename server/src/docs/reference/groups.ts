// The headings under which the navigation lists operations. The first pattern that fits the path decides.
import type { Operation } from '../site/operation.ts';

type Groups = readonly (readonly [path: RegExp, group: string])[];

const TRADING: Groups = [
  [/^\/public\/(?:event_log|signing_keys|audit_head)/, 'Public log'],
  [/^\/public\/(?:ping|time|status|swagger|fees|exchange_info|coins_info|markets)/, 'Venue'],
  [/^\/public\//, 'Market data'],
  [/^\/streams\//, 'Streams'],
  [/^\/private\/account\//, 'Account'],
  [/^\/private\/wallet\//, 'Wallet'],
  [/^\/private\/api_key\//, 'Keys'],
  [/^\/private\/sub_account\//, 'Sub-accounts'],
  [/^\/private\/order_list\//, 'Order lists'],
  [/^\/private\/order\//, 'Orders'],
];

const CHAT: Groups = [
  [/^\/(?:register|events)$/, 'Event queue'],
  [/^\/(?:server_settings|fetch_api_key|register_account)|api_key/, 'Keys and the server'],
  [/^\/(?:scheduled_messages|reminders|drafts|saved_snippets)/, 'Drafts and later'],
  [/^\/(?:messages|mark_|submessage|typing)|delete_topic/, 'Messages'],
  [/^\/(?:user_uploads|attachments)/, 'Files'],
  [/push|device|apns|gcm/, 'Notifications'],
  [
    /^\/(?:streams|channels|channel_folders|default_streams|get_stream_id|user_topics)|\/(?:subscriptions|topics|channels)/,
    'Channels',
  ],
  [
    /presence|status|muted_users|alert_words|onboarding|navigation_views|^\/settings/,
    'Settings and status',
  ],
  [/^\/(?:bots|bot_storage)/, 'Bots'],
  [/^\/user_groups/, 'Groups'],
  [/^\/(?:realm|invites|audit_log)/, 'Organization'],
  [/^\/users/, 'People'],
];

const ADMINISTRATION: Groups = [
  [/^\/(?:market|coin|network|fees)\//, 'Markets and coins'],
  [/^\/(?:account|person|recovery)/, 'People and accounts'],
  [/^\/(?:ledger|reconcile)/, 'Money'],
  [/^\//, 'Requests and grants'],
];

const GROUPS: Readonly<Record<Operation['api'], Groups>> = {
  trading: TRADING,
  chat: CHAT,
  administration: ADMINISTRATION,
};

export function groupOf(api: Operation['api'], path: string, id: string): string {
  const found = GROUPS[api].find(([pattern]) => pattern.test(path));
  if (found === undefined) {
    throw new Error(`No group of the documentation fits ${id} (${path}). Add one to groups.ts.`);
  }
  return found[1];
}

/** In the order of the navigation. */
export const groupsOf = (api: Operation['api']): readonly string[] => [
  ...new Set(GROUPS[api].map(([, group]) => group)),
];
