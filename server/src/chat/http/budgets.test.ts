// Every route declares a bound for its answer and for every list in its request.
import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { chatRoutes, sessionRoutes } from '../routes.ts';
import type { ChatRoute } from './route.ts';

const routes: readonly ChatRoute[] = [...new Set([...chatRoutes, ...sessionRoutes])];

type Node = TSchema & {
  readonly type?: string;
  readonly items?: Node;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly patternProperties?: unknown;
  readonly anyOf?: readonly Node[];
  readonly const?: unknown;
  readonly enum?: unknown;
};

const isOpen = (node: Node): boolean =>
  node.type === undefined && [node.anyOf, node.const, node.enum].every((one) => one === undefined);

/** Whether a value of this shape can have any number of entries. */
function isEndless(node: Node): boolean {
  if (node.type === 'array') {
    return node.maxItems === undefined || (node.items !== undefined && isEndless(node.items));
  }
  if (node.patternProperties !== undefined || isOpen(node)) return true;
  if (node.type === 'object' && node.properties === undefined) return true;
  return [...Object.values(node.properties ?? {}), ...(node.anyOf ?? [])].some(isEndless);
}

/** Lists of unlimited length. A value of any shape is parsed by the route itself, within the request's bytes. */
function hasEndlessList(node: Node): boolean {
  if (node.type === 'array' && node.maxItems === undefined) return true;
  const inner = [
    ...(node.items === undefined ? [] : [node.items]),
    ...Object.values(node.properties ?? {}),
    ...(node.anyOf ?? []),
  ];
  return inner.some(hasEndlessList);
}

describe('every chat route', () => {
  it('whose answer has lists of unlimited length says what makes them long', () => {
    const silent = routes.filter(({ returns, grows }) => isEndless(returns as Node) && !grows);
    expect(silent.map(({ name }) => name)).toEqual([]);
    expect(routes.find(({ name }) => name === 'register-queue')?.grows).toBe('organization');
  });

  it('declares growth only if its answer has such lists', () => {
    const loud = routes.filter(({ returns, grows }) => grows && !isEndless(returns as Node));
    // The initial state depends on what the client asks for, so it is not declared.
    expect(loud.map(({ name }) => name)).toEqual(['register-queue']);
  });

  it('takes no unbounded list', () => {
    const endless = routes.flatMap(({ name, params }) =>
      Object.entries(params.properties)
        .filter(([, node]) => hasEndlessList(node as Node))
        .map(([param]) => `${name} ${param}`),
    );
    expect(endless).toEqual([]);
  });
});

/** Routes that create something, and the limit on how much they create. */
const MADE: Readonly<Record<string, string>> = {
  'add-alert-words': 'WORDS_MAX of a person',
  'add-apns-token': 'PUSH_DEVICES_PER_USER_MAX',
  'add-default-channel': 'one for each channel',
  'add-fcm-token': 'PUSH_DEVICES_PER_USER_MAX',
  'add-navigation-view': 'VIEWS_MAX of a person',
  'add-reaction': 'KINDS_MAX and REACTIONS_MAX of a message',
  'add-realm-domain': 'DOMAINS_MAX',
  'ask-passkey': 'CHALLENGES_MAX of a person',
  'create-api-key': 'OWN_KEYS_MAX of a user',
  'create-bot-api-key': 'OWN_KEYS_MAX of a user',
  'create-bot': 'the limits of bots of their owner',
  'create-channel': 'CHAT_CHANNELS_DAILY_MAX, CHAT_PLACES_DAILY_MAX',
  'create-channel-folder': 'FOLDERS_MAX',
  'create-drafts': 'DRAFTS_PER_USER_MAX, and bytes',
  'create-invite-link': 'LINKS_MAX of a person',
  'create-linkifier': 'LINKIFIERS_MAX',
  'create-message-reminder': 'REMINDERS_PER_USER_MAX, and bytes',
  'create-passkey': 'PASSKEYS_MAX of a person',
  'create-playground': 'PLAYGROUNDS_MAX',
  'create-profile-field': 'FIELDS_MAX',
  'create-saved-snippet': 'SNIPPETS_MAX of a person, and bytes',
  'create-scheduled-message': 'SCHEDULED_PER_USER_MAX, and bytes',
  'create-user': 'administrators only',
  'create-user-group': 'CHAT_GROUPS_DAILY_MAX, CHAT_PLACES_DAILY_MAX',
  'mute-user': 'MUTED_MAX of a person',
  'passkey-options': 'CHALLENGES_MAX of a person',
  'begin-totp': 'one of a person, which replaces the earlier one',
  'confirm-totp': 'one of a person, which replaces the earlier one',
  'register-account': 'invitations',
  'register-client-device': 'PUSH_DEVICES_PER_USER_MAX',
  'register-push-device': 'PUSH_DEVICES_PER_USER_MAX',
  'register-queue': 'QUEUES_PER_USER_MAX',
  'rotate-api-key': 'one successor of each key at a time',
  'rotate-bot-api-key': 'one successor of each key at a time',
  'report-message': 'the rate limit, like send-message',
  'resend-invite': 'INVITATIONS_DAILY_MAX',
  'send-invites': 'INVITEES_MAX, INVITATIONS_DAILY_MAX',
  'send-message': 'the rate limit: messages are what this is for',
  'send-submessage': 'SUBMESSAGES_MAX of a message, and bytes',
  subscribe: 'CHAT_NEW_CHANNELS_PER_REQUEST_MAX, CHAT_CHANNELS_DAILY_MAX, CHAT_PLACES_DAILY_MAX',
  'subscribe-browser': 'PUSH_DEVICES_PER_USER_MAX',
  'update-bot-storage': 'BOT_STORAGE_MAX',
  'update-user-group-members': 'CHAT_PLACES_DAILY_MAX',
  'update-user-group-subgroups': 'the groups that there are',
  'update-user-topic': 'USER_TOPICS_MAX of a person',
  'upload-custom-emoji': 'EMOJI_MAX',
  'upload-file': 'USER_UPLOAD_QUOTA_MIB',
};

/** Routes that only change existing objects, or send something that is not kept. */
const CHANGED: ReadonlySet<string> = new Set([
  'deactivate-user-group',
  'delete-topic',
  'fetch-api-key',
  // One sign-in per session waits for a provider, and ends after ten minutes.
  'link-identity',
  'mark-all-as-read',
  'mark-onboarding-step-as-read',
  'mark-stream-as-read',
  'mark-topic-as-read',
  'reactivate-user',
  'regenerate-api-key',
  'regenerate-bot-api-key',
  'remove-client-device',
  'render-message',
  'renew-recovery-codes',
  'reveal-api-key',
  'set-avatar',
  'set-typing-status',
  'set-typing-status-for-message-edit',
  'step-up',
  'test-browser',
  'test-push-devices',
  'test-push-tokens',
  'update-message-flags',
  'update-message-flags-for-narrow',
  'update-phrase',
  'update-presence',
  'update-status',
  'update-status-of-user',
  'update-subscription-settings',
]);

describe('every chat route that could create something', () => {
  it('is listed with its limit, or as one that creates nothing', () => {
    const making = routes.filter(({ method }) => method === 'POST' || method === 'PUT');
    const names = [...new Set(making.map(({ name }) => name))].sort();
    expect(names.filter((name) => name in MADE === CHANGED.has(name))).toEqual([]);
    const gone = [...Object.keys(MADE), ...CHANGED].filter((name) => !names.includes(name));
    expect(gone).toEqual([]);
  });
});
