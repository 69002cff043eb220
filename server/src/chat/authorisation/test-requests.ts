// What each route is asked in the matrix: which object it is given, and which right it takes to succeed.
// A route without a line here fails the test, so a new one cannot slip by.
import type { FormInput } from '../http/test-client.ts';
import type { Objects } from './test-objects.ts';
import type { Kind, Relation, Right } from './test-relations.ts';

export interface Request {
  readonly on: Kind;
  /** Who may is served, everybody else is refused. */
  readonly needs: Right;
  readonly form?: (objects: Objects, more: More) => FormInput;
  /** The message of the path; the one that nothing uses up, unless said otherwise. */
  readonly message?: 'own, elsewhere' | ((objects: Objects) => number);
  /**
   * Everybody is served, and whoever has not the right is told what would be told of nothing. Otherwise
   * they are refused.
   */
  readonly isQuiet?: true;
  /** Part of the object that must be in the answer for whoever has the right to it. */
  readonly shows?: 'word' | 'topic' | 'channelName' | 'channelId';
  /** The right to that part, where it is another. */
  readonly showsTo?: Right;
  /** Only these, where others would change what the rest of the matrix stands on. */
  readonly relations?: readonly Relation[];
  /** What cannot be told here: whether it succeeds depends on more than rights. */
  readonly isOpenEnded?: true;
  /** That a name is taken cannot be hidden from whoever wants it. */
  readonly mayTellThatItExists?: true;
  /** After everything else, because it takes away what others need. */
  readonly isLast?: true;
  /** Where the answer has ids of channels: only of such as the caller may know of. */
  readonly listsChannelsIn?: string;
  readonly check?: (body: Record<string, unknown>, mayRead: boolean) => string | undefined;
}

export interface More {
  readonly friendId: number;
  readonly unique: string;
}

const all = { anchor: 'newest', num_before: 50, num_after: 50 };
const narrowed = (...narrow: readonly unknown[]) => ({ ...all, narrow });
const term = (operator: string, operand: unknown) => ({ operator, operand });
const gateOnly: readonly Request[] = [{ on: 'nothing', needs: 'just ask', isOpenEnded: true }];
const asked = (form: FormInput): readonly Request[] => [
  { on: 'nothing', needs: 'just ask', form: () => form },
];

const counted = (body: Record<string, unknown>, mayRead: boolean): string | undefined =>
  mayRead === Number(body['processed_count']) > 0
    ? undefined
    : `processed_count is ${String(body['processed_count'])}`;

export const REQUESTS: Readonly<Record<string, readonly Request[]>> = {
  // Accounts and keys.
  'get-server-settings': gateOnly,
  'fetch-api-key': [
    {
      on: 'user',
      needs: 'nothing',
      form: ({ email }) => ({ username: email, password: 'not the password' }),
    },
  ],
  'regenerate-api-key': [{ on: 'nothing', needs: 'just ask', isLast: true }],
  'get-own-user': asked({}),
  'deactivate-own-user': [{ on: 'nothing', needs: 'just ask', isLast: true }],
  'get-users': asked({ include_custom_profile_fields: true }),
  'get-user': [{ on: 'user', needs: 'know the person' }],
  'get-user-by-email': [{ on: 'user', needs: 'know the person' }],
  'update-user': [
    {
      on: 'user',
      needs: 'change the person',
      form: (_, { unique }) => ({ full_name: `Named ${unique}` }),
    },
  ],
  'update-user-by-email': [
    {
      on: 'user',
      needs: 'change the person',
      form: (_, { unique }) => ({ full_name: `Called ${unique}` }),
    },
  ],
  'create-user': gateOnly,
  'deactivate-user': [
    { on: 'user', needs: 'change the person', relations: ['missing', 'shared'], isLast: true },
  ],
  'reactivate-user': [
    { on: 'user', needs: 'change the person', relations: ['missing', 'shared'], isLast: true },
  ],
  'update-settings': [
    { on: 'nothing', needs: 'just ask', form: () => ({ timezone: 'Europe/Vienna' }) },
  ],
  'set-avatar': gateOnly,
  'remove-avatar': gateOnly,
  'get-bots': asked({}),
  'create-bot': [
    {
      on: 'nothing',
      needs: 'just ask',
      form: (_, { unique }) => ({ full_name: `Bot ${unique}`, short_name: `bot-${unique}` }),
    },
  ],
  'update-bot': [
    {
      on: 'bot',
      needs: 'have it, or be an administrator',
      form: (_, { unique }) => ({ full_name: `Bot, ${unique}` }),
    },
  ],
  'get-bot-api-key': [{ on: 'bot', needs: 'have it, or be an administrator' }],
  'regenerate-bot-api-key': [{ on: 'bot', needs: 'have it, or be an administrator', isLast: true }],
  'deactivate-bot': [{ on: 'bot', needs: 'have it, or be an administrator', isLast: true }],

  // Groups: members know them all.
  'get-user-groups': asked({ include_deactivated_groups: true }),
  'create-user-group': [
    {
      on: 'nothing',
      needs: 'just ask',
      form: (_, { unique }) => ({ name: `group ${unique}`, description: '', members: [] }),
    },
  ],
  'update-user-group': [
    {
      on: 'group',
      needs: 'have it, or be an owner',
      form: (_, { unique }) => ({ description: unique }),
    },
  ],
  'get-user-group-members': [{ on: 'group', needs: 'know the group' }],
  'update-user-group-members': [
    {
      on: 'group',
      needs: 'have it, or be an owner',
      form: (_, { friendId }) => ({ add: [friendId] }),
    },
  ],
  'get-is-user-group-member': [{ on: 'group', needs: 'know the group', isOpenEnded: true }],
  'get-user-group-subgroups': [{ on: 'group', needs: 'know the group' }],
  'update-user-group-subgroups': [
    { on: 'group', needs: 'have it, or be an owner', form: () => ({ add: [3] }) },
  ],
  'deactivate-user-group': [{ on: 'group', needs: 'have it, or be an owner', isLast: true }],

  // The organization.
  'update-realm': asked({}),
  'update-realm-user-settings-defaults': asked({}),
  'get-profile-fields': asked({}),
  'create-profile-field': gateOnly,
  'reorder-profile-fields': gateOnly,
  'update-profile-field': gateOnly,
  'delete-profile-field': gateOnly,
  'update-profile-data': asked({ data: [] }),
  'remove-profile-data': asked({ data: [] }),

  'get-linkifiers': asked({}),
  'reorder-linkifiers': gateOnly,
  'create-linkifier': gateOnly,
  'update-linkifier': gateOnly,
  'delete-linkifier': gateOnly,
  'create-playground': gateOnly,
  'delete-playground': gateOnly,
  'get-custom-emoji': asked({}),
  'upload-custom-emoji': gateOnly,
  'deactivate-custom-emoji': gateOnly,

  // Event queues.
  'register-queue': [
    {
      on: 'nothing',
      needs: 'just ask',
      form: () => ({
        include_subscribers: 'true',
        client_capabilities: { archived_channels: true, include_deactivated_groups: true },
      }),
    },
    {
      on: 'channel',
      needs: 'know the channel',
      isOpenEnded: true,
      mayTellThatItExists: true,
      form: ({ channelName }) => ({ narrow: [['channel', channelName]] }),
    },
  ],
  'get-events': [
    {
      on: 'queue',
      needs: 'have it',
      form: ({ queueId }) => ({ queue_id: queueId, last_event_id: -1, dont_block: true }),
    },
  ],
  'delete-queue': [
    { on: 'queue', needs: 'have it', isLast: true, form: ({ queueId }) => ({ queue_id: queueId }) },
  ],

  // Reading messages.
  'get-messages': [
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      shows: 'word',
      form: ({ messageId }) => ({ message_ids: [messageId] }),
    },
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      shows: 'word',
      form: ({ messageId }) => narrowed(term('id', messageId)),
    },
    {
      on: 'message',
      needs: 'read the message',
      shows: 'word',
      form: ({ messageId }) => narrowed(term('with', messageId)),
    },
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      form: ({ messageId }) => ({ anchor: messageId, num_before: 0, num_after: 0 }),
    },
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      isOpenEnded: true,
      form: ({ word }) => narrowed(term('search', word)),
    },
    {
      on: 'channel',
      needs: 'know the channel',
      shows: 'word',
      showsTo: 'read the message',
      form: ({ channelId }) => narrowed(term('channel', channelId)),
    },
    {
      on: 'channel',
      needs: 'know the channel',
      shows: 'word',
      showsTo: 'read the message',
      form: ({ channelName, topic }) =>
        narrowed(['stream', channelName.toUpperCase()], ['topic', topic]),
    },
    {
      on: 'channel',
      needs: 'know the channel',
      form: ({ channelId }) => ({
        ...narrowed({ ...term('channel', channelId), negated: true }),
        anchor: 'first_unread',
      }),
    },
    {
      on: 'user',
      needs: 'know the person',
      form: ({ email }) => narrowed(term('sender', email)),
    },
    {
      on: 'user',
      needs: 'know the person',
      form: ({ userId }) => narrowed(term('dm-including', userId)),
    },
    { on: 'nothing', needs: 'just ask', form: () => narrowed(term('is', 'mentioned')) },
    { on: 'nothing', needs: 'just ask', form: () => narrowed(term('channels', 'public')) },
    { on: 'nothing', needs: 'just ask', form: () => narrowed(term('channels', 'archived')) },
    { on: 'nothing', needs: 'just ask', form: () => narrowed(term('has', 'reaction')) },
    { on: 'nothing', needs: 'just ask', form: () => ({ ...all, anchor: 'first_unread' }) },
  ],
  'get-message': [
    { on: 'message', needs: 'read the message', shows: 'word' },
    {
      on: 'message',
      needs: 'read the message',
      shows: 'word',
      form: () => ({ apply_markdown: false }),
    },
  ],
  'get-message-history': [{ on: 'message', needs: 'read the message', shows: 'word' }],
  'get-read-receipts': [{ on: 'message', needs: 'read the message' }],
  'check-messages-match-narrow': [
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      form: ({ messageId, word }) => ({ msg_ids: [messageId], narrow: [term('search', word)] }),
    },
  ],
  'get-stream-topics': [
    { on: 'channel', needs: 'read the channel', shows: 'topic', showsTo: 'read the message' },
  ],
  'render-message': [
    {
      on: 'channel',
      needs: 'know the channel',
      isQuiet: true,
      form: ({ channelName }) => ({ content: `see #**${channelName}** there` }),
    },
    {
      on: 'channel',
      needs: 'know the channel',
      isQuiet: true,
      form: ({ channelName, topic }) => ({ content: `see #**${channelName}>${topic}** there` }),
    },
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      relations: ['missing', 'shared', 'foreign', 'left'],
      isOpenEnded: true,
      mayTellThatItExists: true,
      form: ({ channelName, topic, messageId }) => ({
        content: `see #**${channelName}>${topic}@${messageId}** there`,
      }),
    },
  ],

  // Writing messages.
  'send-message': [
    {
      on: 'channel',
      needs: 'write into the channel',
      form: ({ channelId }, { unique }) => ({
        type: 'channel',
        to: channelId,
        topic: 'news',
        content: `written by ${unique}`,
      }),
    },
    {
      on: 'channel',
      needs: 'write into the channel',
      form: ({ channelName }, { unique }) => ({
        type: 'stream',
        to: channelName.toUpperCase(),
        subject: 'older news',
        content: `also written by ${unique}`,
      }),
    },
    {
      on: 'user',
      needs: 'know the person',
      form: ({ userId }) => ({ type: 'direct', to: [userId], content: 'just between us' }),
    },
  ],
  'update-message': [
    {
      on: 'message',
      needs: 'change the words',
      message: ({ spareIds }) => spareIds[0] ?? 0,
      form: () => ({ content: 'other words' }),
    },
    {
      on: 'message',
      needs: 'touch the message',
      message: ({ spareIds }) => spareIds[1] ?? 0,
      form: () => ({ topic: 'moved along' }),
    },
    {
      on: 'channel',
      needs: 'move into the channel',
      message: 'own, elsewhere',
      form: ({ channelId }) => ({ stream_id: channelId }),
    },
  ],
  'delete-message': [
    { on: 'message', needs: 'delete the message', message: ({ spareIds }) => spareIds[2] ?? 0 },
  ],
  'delete-topic': [
    {
      on: 'channel',
      needs: 'read the channel',
      isOpenEnded: true,
      isLast: true,
      form: ({ topic }) => ({ topic_name: topic }),
    },
  ],
  'add-reaction': [
    { on: 'message', needs: 'touch the message', form: () => ({ emoji_name: 'heart' }) },
  ],
  'remove-reaction': [
    { on: 'message', needs: 'touch the message', form: () => ({ emoji_name: 'heart' }) },
  ],
  // Reports go nowhere unless the organization has chosen where to, so nobody succeeds here either.
  'report-message': [
    {
      on: 'message',
      needs: 'read the message',
      isOpenEnded: true,
      form: () => ({ report_type: 'spam' }),
    },
  ],
  // None of the messages has a widget, so nobody succeeds; the refusals are what matters.
  'send-submessage': [
    {
      on: 'message',
      needs: 'touch the message',
      isOpenEnded: true,
      form: ({ messageId }) => ({ message_id: messageId, msg_type: 'widget', content: '{}' }),
    },
  ],
  'update-message-flags': [
    {
      on: 'message',
      needs: 'read the message',
      form: ({ messageId }) => ({ messages: [messageId], op: 'add', flag: 'read' }),
    },
    {
      on: 'message',
      needs: 'read the message',
      form: ({ messageId }) => ({ messages: [messageId], op: 'remove', flag: 'read' }),
    },
    {
      on: 'message',
      needs: 'touch the message',
      form: ({ messageId }) => ({ messages: [messageId], op: 'add', flag: 'starred' }),
    },
  ],
  'update-message-flags-for-narrow': [
    {
      on: 'channel',
      needs: 'know the channel',
      form: ({ channelId, topic }) => ({
        ...narrowed(term('channel', channelId), term('topic', topic)),
        op: 'add',
        flag: 'read',
      }),
      check: counted,
    },
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      form: ({ messageId }) => ({
        ...narrowed(term('id', messageId)),
        op: 'remove',
        flag: 'read',
      }),
      check: counted,
    },
  ],
  'mark-all-as-read': asked({}),
  'mark-stream-as-read': [
    {
      on: 'channel',
      needs: 'read the channel',
      form: ({ channelId }) => ({ stream_id: channelId }),
    },
  ],
  'mark-topic-as-read': [
    {
      on: 'channel',
      needs: 'read the message',
      form: ({ channelId, topic }) => ({ stream_id: channelId, topic_name: topic }),
    },
  ],

  // Typing: whoever may not be told is not told, and of others one learns nothing.
  'set-typing-status': [
    {
      on: 'channel',
      needs: 'write into the channel',
      form: ({ channelId }) => ({
        op: 'start',
        type: 'channel',
        stream_id: channelId,
        topic: 'news',
      }),
    },
    {
      on: 'user',
      needs: 'know the person',
      form: ({ userId }) => ({ op: 'start', to: JSON.stringify([userId]) }),
    },
  ],
  'set-typing-status-for-message-edit': [
    { on: 'message', needs: 'change the words', form: () => ({ op: 'start' }) },
  ],

  // Who is here: everybody knows everybody; whether anything is known of somebody depends on them.
  'update-presence': [
    { on: 'nothing', needs: 'just ask', form: () => ({ status: 'active', slim_presence: true }) },
  ],
  'get-realm-presence': asked({}),
  'get-user-presence': [{ on: 'user', needs: 'know the person', isOpenEnded: true }],
  'get-user-presence-by-email': [{ on: 'user', needs: 'know the person', isOpenEnded: true }],

  'update-status': asked({ status_text: 'at work' }),
  // A bot has none, not even for itself.
  'get-user-status': [{ on: 'user', needs: 'know the person', relations: ['missing', 'shared'] }],
  'update-status-of-user': [
    { on: 'user', needs: 'change the person', form: () => ({ status_text: 'told to work' }) },
  ],

  // What is everybody's own.
  'mute-user': [{ on: 'user', needs: 'know the person', relations: ['missing', 'shared'] }],
  'unmute-user': [{ on: 'user', needs: 'know the person', relations: ['missing', 'shared'] }],
  'get-alert-words': asked({}),
  'add-alert-words': asked({ alert_words: ['lighthouse'] }),
  'remove-alert-words': asked({ alert_words: ['lighthouse'] }),
  'get-saved-snippets': asked({}),
  'create-saved-snippet': asked({ title: 'greeting', content: 'good day' }),
  'edit-saved-snippet': [{ on: 'snippet', needs: 'have it', form: () => ({ title: 'farewell' }) }],
  'delete-saved-snippet': [{ on: 'snippet', needs: 'have it', isLast: true }],
  'get-navigation-views': asked({}),
  'add-navigation-view': asked({ fragment: 'narrow/is/unread', is_pinned: true, name: 'Unread' }),
  'edit-navigation-view': gateOnly,
  'remove-navigation-view': gateOnly,

  // Drafts.
  'get-drafts': asked({}),
  'create-drafts': [
    {
      on: 'channel',
      needs: 'write into the channel',
      form: ({ channelId }) => ({
        drafts: [{ type: 'stream', to: [channelId], topic: 'later', content: 'not yet sent' }],
      }),
    },
    {
      on: 'user',
      needs: 'know the person',
      form: ({ userId }) => ({
        drafts: [{ type: 'private', to: [userId], topic: '', content: 'not yet sent' }],
      }),
    },
  ],
  'edit-draft': [
    {
      on: 'draft',
      needs: 'have it',
      form: () => ({ draft: { type: '', to: [], topic: '', content: 'otherwise' } }),
    },
  ],
  'delete-draft': [{ on: 'draft', needs: 'have it', isLast: true }],

  // Channels.
  'create-channel': [
    {
      on: 'channel',
      needs: 'nothing',
      relations: ['own', 'shared', 'foreign', 'protected', 'left', 'archived'],
      mayTellThatItExists: true,
      form: ({ channelName }) => ({ name: channelName.toUpperCase(), subscribers: [] }),
    },
  ],
  'get-channels': [
    { on: 'nothing', needs: 'just ask', form: () => ({ include_all: true }) },
    {
      on: 'nothing',
      needs: 'just ask',
      form: () => ({ include_can_access_content: true, exclude_archived: false }),
    },
  ],
  'get-channel': [{ on: 'channel', needs: 'know the channel', shows: 'channelName' }],
  'get-channel-id': [
    {
      on: 'channel',
      needs: 'know the channel',
      shows: 'channelId',
      form: ({ channelName }) => ({ stream: channelName.toUpperCase() }),
    },
  ],
  'get-subscribers': [{ on: 'channel', needs: 'know the channel' }],
  'get-channel-email': [{ on: 'channel', needs: 'read the channel' }],
  'update-channel': [
    {
      on: 'channel',
      needs: 'administer the channel',
      form: (_, { unique }) => ({ description: `described by ${unique}` }),
    },
    {
      on: 'channel',
      needs: 'nothing',
      relations: ['missing', 'foreign', 'left'],
      form: () => ({ is_private: false }),
    },
    {
      on: 'channel',
      needs: 'nothing',
      relations: ['missing', 'foreign', 'left'],
      form: (_, { friendId }) => ({
        can_subscribe_group: { new: { direct_members: [friendId], direct_subgroups: [3] } },
      }),
    },
  ],
  'archive-channel': [
    { on: 'channel', needs: 'administer the channel', isOpenEnded: true, isLast: true },
  ],

  // Subscriptions.
  'get-subscriptions': asked({ include_subscribers: 'true' }),
  subscribe: [
    {
      on: 'channel',
      needs: 'be subscribed',
      relations: ['own', 'shared', 'foreign', 'protected', 'left', 'archived'],
      mayTellThatItExists: true,
      form: ({ channelName }) => ({ subscriptions: [{ name: channelName.toUpperCase() }] }),
    },
  ],
  unsubscribe: [
    {
      on: 'channel',
      needs: 'administer the channel',
      relations: ['missing', 'shared', 'foreign', 'left'],
      form: ({ channelName }, { friendId }) => ({
        subscriptions: [channelName],
        principals: [friendId],
      }),
      isLast: true,
    },
    {
      on: 'channel',
      needs: 'know the channel',
      form: ({ channelName }) => ({ subscriptions: [channelName.toUpperCase()] }),
      isLast: true,
    },
  ],
  'update-subscriptions': [
    {
      on: 'channel',
      needs: 'know the channel',
      relations: ['missing', 'foreign', 'left'],
      form: ({ channelName }) => ({ delete: [channelName.toUpperCase()] }),
      isLast: true,
    },
  ],
  'update-subscription-settings': [
    {
      on: 'channel',
      needs: 'be subscribed',
      form: ({ channelId }) => ({
        subscription_data: [{ stream_id: channelId, property: 'pin_to_top', value: true }],
      }),
    },
  ],
  'update-subscription-property': [
    {
      on: 'channel',
      needs: 'be subscribed',
      form: () => ({ property: 'is_muted', value: true }),
    },
  ],
  'get-subscription-status': [{ on: 'channel', needs: 'know the channel' }],
  'get-user-channels': [
    { on: 'user', needs: 'know the person', listsChannelsIn: 'subscribed_channel_ids' },
  ],
  'add-default-channel': [
    {
      on: 'channel',
      needs: 'know the channel',
      isOpenEnded: true,
      form: ({ channelId }) => ({ stream_id: channelId }),
    },
  ],
  'remove-default-channel': [
    {
      on: 'channel',
      needs: 'know the channel',
      isOpenEnded: true,
      form: ({ channelId }) => ({ stream_id: channelId }),
    },
  ],
  'create-channel-folder': gateOnly,
  'get-channel-folders': asked({ include_archived: true }),
  'reorder-channel-folders': gateOnly,
  'update-channel-folder': gateOnly,

  // Topics.
  'update-user-topic': [
    {
      on: 'channel',
      needs: 'know the channel',
      form: ({ channelId }) => ({ stream_id: channelId, topic: 'news', visibility_policy: 3 }),
    },
  ],
  'mute-topic': [
    {
      on: 'channel',
      needs: 'know the channel',
      form: ({ channelId }) => ({ stream_id: channelId, topic: 'by id', op: 'add' }),
    },
    {
      on: 'channel',
      needs: 'know the channel',
      form: ({ channelName }) => ({
        stream: channelName.toUpperCase(),
        topic: 'by name',
        op: 'add',
      }),
    },
  ],
};
