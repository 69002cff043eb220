// Who gets past the gate of which route, written by hand, apart from what the routes declare of
// themselves, so that a slip in one place shows. A new route needs a line here and one in
// test-requests/.
import { ROLE, type RoleName } from '../../accounts/roles.ts';
import type { Caller } from './test-relations.ts';

/** The least role that gets past the gate of a route, and whether bots do. */
export interface Rule {
  readonly least: 'anyone' | RoleName;
  readonly bots: boolean;
}

const gate = (least: Rule['least'], bots = true): Rule => ({ least, bots });

/** A route that is not here fails the test, and so does a line without a route. */
export const RULES: Readonly<Record<string, Rule>> = {
  'get-server-settings': gate('anyone'),
  'fetch-api-key': gate('anyone'),
  'regenerate-api-key': gate('guest'),
  'get-own-user': gate('guest'),
  'deactivate-own-user': gate('guest'),
  'get-users': gate('guest'),
  'get-user': gate('guest'),
  'get-user-by-email': gate('guest'),
  'update-user': gate('guest'),
  'deactivate-user': gate('administrator'),
  'reactivate-user': gate('administrator'),
  'update-settings': gate('guest', false),
  'create-user': gate('administrator'),
  'update-user-by-email': gate('guest'),
  'set-avatar': gate('guest'),
  'remove-avatar': gate('guest'),
  'get-bots': gate('member', false),
  'create-bot': gate('member', false),
  'update-bot': gate('member', false),
  'deactivate-bot': gate('member', false),
  'get-bot-api-key': gate('member', false),
  'regenerate-bot-api-key': gate('member', false),
  'get-user-groups': gate('member', false),
  'create-user-group': gate('member', false),
  'update-user-group': gate('member', false),
  'deactivate-user-group': gate('member', false),
  'get-user-group-members': gate('member', false),
  'update-user-group-members': gate('member', false),
  'get-is-user-group-member': gate('member', false),
  'get-user-group-subgroups': gate('member', false),
  'update-user-group-subgroups': gate('member', false),
  'update-realm': gate('administrator'),
  'update-realm-user-settings-defaults': gate('administrator'),
  'get-profile-fields': gate('guest'),
  'create-profile-field': gate('administrator'),
  'reorder-profile-fields': gate('administrator'),
  'update-profile-field': gate('administrator'),
  'delete-profile-field': gate('administrator'),
  'update-profile-data': gate('guest', false),
  'remove-profile-data': gate('guest', false),
  'register-queue': gate('guest'),
  'get-events': gate('guest'),
  'delete-queue': gate('guest'),
  'get-drafts': gate('guest'),
  'create-drafts': gate('guest'),
  'edit-draft': gate('guest'),
  'delete-draft': gate('guest'),
  'update-display-settings': gate('guest', false),
  'update-notification-settings': gate('guest', false),
  'get-bot-storage': gate('guest'),
  'update-bot-storage': gate('guest'),
  'remove-bot-storage': gate('guest'),
  'mark-onboarding-step-as-read': gate('guest', false),
  'get-scheduled-messages': gate('guest'),
  'create-scheduled-message': gate('guest'),
  'update-scheduled-message': gate('guest'),
  'delete-scheduled-message': gate('guest'),
  'get-reminders': gate('guest'),
  'create-message-reminder': gate('guest'),
  'delete-reminder': gate('guest'),
  'create-channel': gate('member'),
  'get-channels': gate('guest'),
  'get-channel': gate('guest'),
  'get-channel-id': gate('guest'),
  'get-subscribers': gate('guest'),
  'get-channel-email': gate('guest'),
  'update-channel': gate('guest'),
  'archive-channel': gate('guest'),
  'get-subscriptions': gate('guest'),
  subscribe: gate('member'),
  unsubscribe: gate('guest'),
  'update-subscriptions': gate('guest'),
  'update-subscription-settings': gate('guest'),
  'update-subscription-property': gate('guest'),
  'get-subscription-status': gate('guest'),
  'get-user-channels': gate('guest'),
  'add-default-channel': gate('administrator'),
  'remove-default-channel': gate('administrator'),
  'create-channel-folder': gate('administrator'),
  'get-channel-folders': gate('guest'),
  'reorder-channel-folders': gate('administrator'),
  'update-channel-folder': gate('administrator'),
  'update-user-topic': gate('guest'),
  'mute-topic': gate('guest'),
  'send-message': gate('guest'),
  'render-message': gate('guest'),
  'get-messages': gate('guest'),
  'get-message': gate('guest'),
  'check-messages-match-narrow': gate('guest'),
  'update-message-flags': gate('guest'),
  'update-message-flags-for-narrow': gate('guest'),
  'mark-all-as-read': gate('guest'),
  'mark-stream-as-read': gate('guest'),
  'mark-topic-as-read': gate('guest'),
  'update-message': gate('guest'),
  'delete-message': gate('guest'),
  'delete-topic': gate('administrator'),
  'report-message': gate('guest'),
  'get-message-history': gate('guest'),
  'get-read-receipts': gate('guest'),
  'get-stream-topics': gate('guest'),
  'add-reaction': gate('guest'),
  'remove-reaction': gate('guest'),
  'send-submessage': gate('guest'),
  'set-typing-status': gate('guest'),
  'set-typing-status-for-message-edit': gate('guest'),
  'update-presence': gate('guest', false),
  'get-realm-presence': gate('guest'),
  'get-user-presence': gate('guest'),
  'get-user-presence-by-email': gate('guest'),
  'update-status': gate('guest', false),
  'get-user-status': gate('guest'),
  'update-status-of-user': gate('administrator'),
  'mute-user': gate('guest'),
  'unmute-user': gate('guest'),
  'get-alert-words': gate('guest'),
  'add-alert-words': gate('guest'),
  'remove-alert-words': gate('guest'),
  'get-linkifiers': gate('guest'),
  'reorder-linkifiers': gate('administrator'),
  'create-linkifier': gate('administrator'),
  'update-linkifier': gate('administrator'),
  'delete-linkifier': gate('administrator'),
  'get-custom-emoji': gate('guest'),
  'upload-custom-emoji': gate('member', false),
  'deactivate-custom-emoji': gate('guest'),
  'create-playground': gate('administrator'),
  'delete-playground': gate('administrator'),
  'get-saved-snippets': gate('guest'),
  'create-saved-snippet': gate('guest'),
  'edit-saved-snippet': gate('guest'),
  'delete-saved-snippet': gate('guest'),
  'get-navigation-views': gate('guest'),
  'add-navigation-view': gate('guest'),
  'edit-navigation-view': gate('guest'),
  'remove-navigation-view': gate('guest'),
  'get-realm-domains': gate('guest'),
  'add-realm-domain': gate('owner'),
  'update-realm-domain': gate('owner'),
  'remove-realm-domain': gate('owner'),
  'get-invites': gate('member', false),
  'send-invites': gate('member', false),
  'create-invite-link': gate('member', false),
  'revoke-invite': gate('member', false),
  'revoke-invite-link': gate('member', false),
  'resend-invite': gate('member', false),
  'register-account': gate('anyone'),
};

export const MUST_BE_ADMINISTRATOR = 'Must be an organization administrator';
const MUST_BE_OWNER = 'Must be an organization owner';

/** The gate that stops this caller, or undefined when the route itself answers. */
export function gateFor(route: string, caller: Caller): string | undefined {
  const rule = RULES[route];
  if (rule === undefined) throw new Error(`The route ${route} has no line in RULES.`);
  const { least, bots } = rule;
  if (least === 'anyone') return undefined;
  if (caller === 'anonymous') return 'Not logged in: API authentication or user session required';
  if (caller === 'deactivated') return 'Account is deactivated';
  const role = caller === 'bot' ? ROLE.member : ROLE[caller];
  if (role > ROLE[least]) {
    if (least === 'owner') return MUST_BE_OWNER;
    return least === 'member' ? 'Not allowed for guest users' : MUST_BE_ADMINISTRATOR;
  }
  return caller === 'bot' && !bots ? 'This endpoint does not accept bot requests.' : undefined;
}
