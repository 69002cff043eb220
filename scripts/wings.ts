// The plan of the chat: its wings, and the features of each wing, from the bottom up. A feature may import what
// stands before it in this list, and nothing that stands after it. The rule `features-form-a-tree` of
// .dependency-cruiser.cjs checks this; scripts/wings.test.ts checks that the plan has every folder.

export const WINGS: readonly (readonly [wing: string, features: readonly string[]])[] = [
  // How requests come in and answers go out.
  ['http', []],
  // What people write: Markdown, emoji.
  ['text', ['emoji', 'markdown']],
  // Who may do what, and how much of it.
  ['rights', ['allowances', 'permissions', 'sight']],
  // What belongs to the organization as a whole.
  [
    'organization',
    [
      'domains',
      'linkifiers',
      'playgrounds',
      'setting-definitions',
      'org',
      'avatars',
      'custom-emoji',
      'assets',
    ],
  ],
  // Where messages are: channels and their topics, and direct conversations.
  ['conversations', ['subscribers', 'channel', 'channel-rights', 'direct', 'topics']],
  // What is said there, and how it is found, read and changed.
  [
    'messages',
    [
      'alert-words',
      'bot-services',
      'drafts',
      'message',
      'reactions',
      'search',
      'unread',
      'narrow',
      'fetching',
      'read-state',
      'flags',
      'muted-users',
      'uploads',
      'external-content',
      'removing',
      'widgets',
      'sending',
      'notices',
      'bot-calls',
      'editing',
      'reminders',
      'reports',
      'scheduled',
      'submessages',
      'typing',
    ],
  ],
  // How channels are made, changed and joined. These changes post notices, so they stand above messages.
  ['channels', ['default-channels', 'folders', 'creation', 'subscriptions', 'administration']],
  // What people say about themselves and keep for themselves.
  [
    'people',
    ['navigation-views', 'onboarding', 'presence', 'profiles', 'settings', 'snippets', 'statuses'],
  ],
  // How people who are away are notified.
  ['notifications', ['devices', 'web-push', 'push']],
  // Who belongs here, and how the organization is run.
  [
    'administration',
    [
      'audit-log',
      'bot-list',
      'bot-storage',
      'groups',
      'organization',
      'past',
      'users',
      'bots',
      'keys',
      'invitations',
      'api-keys',
      'sessions',
      'second-factors',
      'passkeys',
      'identities',
      'account',
    ],
  ],
  // How clients hear of all this.
  ['realtime', ['events', 'delivery']],
];

/**
 * The imports that go against the order, each with its reason. A new one needs a line here; a line that is no longer
 * needed fails scripts/wings.test.ts.
 */
export const AGAINST_THE_ORDER: readonly {
  readonly from: string;
  readonly to: string;
  readonly because: string;
}[] = [
  {
    from: 'messages/uploads/thumbnails.ts',
    to: 'messages/editing/replace-rendering.ts',
    because: 'A thumbnail that becomes ready is shown in the messages that were sent before it.',
  },
  {
    from: 'people/presence/actions.ts',
    to: 'people/statuses/events.ts',
    because: 'Older clients know presence as the status "away", so hiding it sends that event too.',
  },
  {
    from: 'rights/sight/actions.ts',
    to: 'people/statuses/introduction.ts',
    because:
      'A guest who comes to know somebody is told their profile and status, as register would.',
  },
  {
    from: 'administration/users/actions.ts',
    to: 'administration/invitations/expire.ts',
    because: 'Somebody who leaves takes along the invitations that they made.',
  },
];

/** A noun whose facts stand in a lower wing and whose changes stand in a higher one shares its store with these. */
export const SHARED_STORES: readonly {
  readonly store: string;
  readonly with: readonly string[];
  readonly because: string;
}[] = [
  {
    store: 'messages/message',
    with: ['messages/sending', 'messages/editing', 'messages/removing'],
    because: 'A message is written, changed and deleted by three features.',
  },
  {
    store: 'messages/bot-services',
    with: ['messages/bot-calls', 'administration/bot-list'],
    because: 'Sending asks which bots to call; calling them sends the answer.',
  },
  {
    store: 'conversations/channel',
    with: ['channels/creation', 'channels/administration'],
    because: 'Messages need the facts of a channel; changing a channel posts messages.',
  },
  {
    store: 'conversations/subscribers',
    with: ['channels/subscriptions'],
    because: 'Messages need to know who is subscribed; subscribing posts messages.',
  },
  {
    store: 'organization/org',
    with: ['administration/organization'],
    because: 'Everything needs the settings of the organization; changing them needs channels.',
  },
];

/** Every feature as a path below chat/, from the bottom up. A wing without features is one itself. */
export const FEATURES: readonly string[] = WINGS.flatMap(([wing, features]) =>
  features.length === 0 ? [wing] : features.map((feature) => `${wing}/${feature}`),
);
