// Which folder owns which table. Only the owner's queries name the table: to know what happens to its rows, one reads
// one folder. Others call what the owner exports (`access.ts`, `actions.ts`).
//
// A new table needs a line here, as in grants.ts. A query that names another's table needs a line below, with the
// reason; `owners.test.ts` reads all queries and compares.

/** A folder below `server/src`, with everything in it, or a single file. */
export const TABLE_OWNERS: Readonly<Record<string, string>> = {
  outbox: 'platform/events',
  event_head: 'platform/events',
  event_log: 'platform/events',
  event_queues: 'platform/realtime',
  fact_changes: 'platform/facts',
  fact_floor: 'platform/facts',
  processes: 'platform/processes.ts',
  migrations: 'platform/db',
  lookup_key: 'platform/secrets',
  venue: 'platform/money.ts',

  users: 'accounts/users',
  login_failures: 'accounts/sign-in',
  trading_accounts: 'accounts/trading-keys',
  trading_keys: 'accounts/trading-keys',
  request_claims: 'accounts/trading-keys',
  sessions: 'accounts/sessions',
  chat_keys: 'accounts/chat-keys',
  audit_log: 'accounts/audit',
  audit_heads: 'accounts/audit',
  operator_secrets: 'accounts/operators',
  operator_enrolments: 'accounts/operators',
  operator_grants: 'accounts/operators',
  operator_requests: 'accounts/operators',
  cli_grants: 'accounts/command-lines',
  cli_wrong_codes: 'accounts/command-lines',
  sign_in_buckets: 'accounts/sign-in',
  known_devices: 'accounts/known-places',
  known_addresses: 'accounts/known-places',
  mailed_links: 'accounts/mailed-links',
  address_changes: 'accounts/addresses',
  recoveries: 'accounts/recoveries',
  sign_ins: 'accounts/sign-in',
  totp_secrets: 'accounts/second-factors',
  totp_enrolments: 'accounts/second-factors',
  recovery_codes: 'accounts/second-factors',
  passkeys: 'accounts/passkeys',
  passkey_challenges: 'accounts/passkeys',
  directory_identities: 'accounts/ldap',
  oidc_identities: 'accounts/oidc',
  oidc_logouts: 'accounts/oidc',

  trading_journal: 'trading/engine',
  journal_layout: 'trading/engine',
  journal_archives: 'trading/engine',
  trading_snapshots: 'trading/engine',
  trading_snapshot_parts: 'trading/engine',
  trading_leases: 'trading/engine',
  poisoned_commands: 'trading/engine',
  operator_commands: 'trading/operators',
  operator_approvals: 'trading/operators',
  custody_evidence: 'trading/custody',
  custody_assets: 'trading/custody',
  custody_networks: 'trading/custody',
  custody_counters: 'trading/custody',
  custody_blocks: 'trading/custody',
  custody_addresses: 'trading/custody',
  custody_transfers: 'trading/custody',
  withdraw_addresses: 'trading/custody',
  withdrawals: 'trading/custody',
  withdrawal_approvals: 'trading/custody',
  custody_wallets: 'trading/custody',
  custody_utxos: 'trading/custody',
  custody_payments: 'trading/custody',
  custody_payment_outputs: 'trading/custody',
  custody_attempts: 'trading/custody',
  custody_swept: 'trading/custody',
  custody_reports: 'trading/custody',
  custody_turns: 'trading/custody',
  custody_stops: 'trading/custody',
  custody_hot_balances: 'trading/custody',
  reserve_publications: 'trading/custody',
  reserve_snapshots: 'trading/custody',
  reserve_leaves: 'trading/custody',
  reserve_nodes: 'trading/custody',
  reserve_chains: 'trading/custody',
  reserve_addresses: 'trading/custody',
  custody_cold_requests: 'trading/custody',
  custody_cold_spends: 'trading/custody',
  custody_decisions: 'trading/custody',
  custody_signatures: 'trading/custody',
  invariant_halts: 'trading/halts',
  coins: 'trading/coins',
  coin_networks: 'trading/coins',
  fee_tiers: 'trading/fees',
  fee_days: 'trading/fees',
  fee_families: 'trading/fees',
  order_quotas: 'trading/orders',
  account_transfers: 'trading/sub-accounts',
  projection_checkpoints: 'trading/projections',
  ledger_entries: 'trading/projections',
  trading_trades: 'trading/projections',
  history_tables: 'trading/projections',
  history_archives: 'trading/projections',
  history_archive_blocks: 'trading/projections',
  ledger_closings: 'trading/projections',
  archived_fills: 'trading/projections',
  client_orders: 'trading/projections',
  prevented_matches: 'trading/projections',
  trading_movements: 'trading/projections',
  trading_orders: 'trading/projections',
  trading_live_orders: 'trading/projections',
  balances: 'trading/projections',
  venue_balances: 'trading/projections',
  candles: 'trading/projections',
  account_volumes: 'trading/projections',
  markets: 'trading/projections',
  trading_stream_counts: 'trading/projections',
  trading_stream_pages: 'trading/projections',
  stream_tickets: 'trading/streams',
  stream_guards: 'trading/streams',
  stream_guard_orders: 'trading/streams',
  public_log_progress: 'trading/public-log',
  public_log_pages: 'trading/public-log',
  public_log_tail: 'trading/public-log',
  public_log_checkpoints: 'trading/public-log',
  public_log_heads: 'trading/public-log',
  public_signing_keys: 'trading/public-log',

  organization: 'chat/organization/org',
  permission_settings: 'chat/rights/permissions',
  user_groups: 'chat/administration/groups',
  user_group_members: 'chat/administration/groups',
  user_group_subgroups: 'chat/administration/groups',
  avatars: 'chat/organization/avatars',
  profile_fields: 'chat/people/profiles',
  profile_values: 'chat/people/profiles',
  email_domains: 'chat/organization/domains',
  invitation_links: 'chat/administration/invitations',
  invitations: 'chat/administration/invitations',
  invitation_keys: 'chat/administration/invitations',
  linkifiers: 'chat/organization/linkifiers',
  playgrounds: 'chat/organization/playgrounds',
  custom_emoji: 'chat/organization/custom-emoji',
  custom_emoji_images: 'chat/organization/custom-emoji',
  bot_storage: 'chat/administration/bot-storage',
  bot_services: 'chat/messages/bot-services',
  bot_calls: 'chat/messages/bot-services',
  seen_onboarding_steps: 'chat/people/onboarding',
  daily_allowances: 'chat/rights/allowances',

  conversations: 'chat/conversations/direct',
  conversation_counters: 'chat/messages/message',
  channels: 'chat/conversations/channel',
  channel_folders: 'chat/channels/folders',
  default_channels: 'chat/channels/default-channels',
  subscriptions: 'chat/conversations/subscribers',
  user_topics: 'chat/conversations/topics',
  messages: 'chat/messages/message',
  message_edits: 'chat/messages/message',
  topics: 'chat/conversations/topics',
  topic_renames: 'chat/messages/message',
  topic_moves: 'chat/messages/message',
  retention_queue: 'chat/messages/removing',
  message_flags: 'chat/messages/message',
  local_echoes: 'chat/messages/message',
  sent_once: 'chat/messages/sending',
  reactions: 'chat/messages/reactions',
  submessages: 'chat/messages/submessages',
  read_marks: 'chat/messages/read-state',
  read_blocks: 'chat/messages/read-state',
  scheduled_messages: 'chat/messages/scheduled',
  reminders: 'chat/messages/reminders',
  drafts: 'chat/messages/drafts',
  attachments: 'chat/messages/uploads',
  attachment_messages: 'chat/messages/uploads',
  uploads_under_way: 'chat/messages/uploads',
  upload_space: 'chat/messages/uploads',

  presences: 'chat/people/presence',
  presence_head: 'chat/people/presence',
  user_statuses: 'chat/people/statuses',
  muted_users: 'chat/messages/muted-users',
  alert_words: 'chat/messages/alert-words',
  saved_snippets: 'chat/people/snippets',
  navigation_views: 'chat/people/navigation-views',
  devices: 'chat/notifications/devices',
  push_tokens: 'chat/notifications/devices',
  push_notified: 'chat/notifications/push',
  push_cursor: 'chat/notifications/push',
  web_push_subscriptions: 'chat/notifications/web-push',
};

/** Which tables of others a file's queries name, and why no function of the owner will do. */
export type Exceptions = Readonly<
  Record<string, { readonly tables: readonly string[]; readonly why: string }>
>;

export const WRITTEN_BY_OTHERS: Exceptions = {
  'accounts/organization.ts': {
    tables: ['organization'],
    why: 'accounts cannot import chat; the waiting period decides about memberships, which are theirs',
  },
  'accounts/second-factors/policy.ts': {
    tables: ['users'],
    why: 'one statement starts the time of everybody who needs a factor and has none',
  },
  'accounts/users/store.ts': {
    tables: ['user_group_members'],
    why: 'accounts cannot import chat; a role and the groups that follow from it are one change',
  },
  'chat/conversations/direct/store.ts': {
    tables: ['conversation_counters'],
    why: 'one statement opens a conversation and its counter',
  },
  'chat/messages/message/store.ts': {
    tables: ['channels', 'submessages'],
    why: 'sending: one statement writes a message and notes it as the first of its channel; a widget is part of it',
  },
  'chat/messages/reactions/by-memory.ts': {
    tables: ['outbox'],
    why: 'one statement checks what was remembered, writes the reaction and tells of it',
  },
  'chat/messages/read-state/by-memory.ts': {
    tables: ['outbox'],
    why: 'one statement checks what was remembered, writes the flags and tells of them',
  },
  'trading/engine/operator-store.ts': {
    tables: ['operator_commands'],
    why: 'the answers to operators are written by the statement that the lease of the engine fences',
  },
  'trading/engine/store.ts': {
    tables: ['operator_commands', 'outbox'],
    why: 'journal row, events and answers are one statement, hence one commit and one round trip; the lease fences it',
  },
};

const SHOWN = 'projections write what happened, and this feature shows it';
const DIAGNOSIS = 'a diagnosis looks at what is stored, past the code that stored it';

export const READ_BY_OTHERS: Exceptions = {
  'trading/engine/access.ts': {
    tables: ['projection_checkpoints'],
    why: 'the end of the journal is looked for from where the tables are, so that old parts are not opened',
  },
  'trading/engine/journal/prune.ts': {
    tables: ['projection_checkpoints', 'public_log_progress'],
    why: 'a plan sees as of one moment how far the readers of the journal are',
  },
  'ops/doctor/journal.ts': {
    tables: ['trading_journal', 'trading_snapshots'],
    why: DIAGNOSIS,
  },
  'chat/messages/reactions/by-memory.ts': {
    tables: ['message_flags', 'messages'],
    why: 'one statement reads what decides about a reaction, and who is told',
  },
  'chat/messages/read-state/by-memory.ts': {
    tables: ['conversation_counters', 'messages'],
    why: 'one statement reads the messages and what the person has read of their homes',
  },
  'chat/messages/message/standing.ts': {
    tables: ['conversations'],
    why: 'who reads a direct message is decided from the row that has its people',
  },
  'chat/messages/editing/by-memory.ts': {
    tables: ['channels'],
    why: 'the event names the channel that the message was sent to',
  },
  'trading/custody/reconciliation/ledger-store.ts': {
    tables: ['operator_commands', 'projection_checkpoints', 'trading_movements', 'venue_balances'],
    why: 'a comparison sees custody, the letterbox and the ledger as of one moment',
  },
  'trading/custody/reserves/store.ts': {
    tables: ['balances', 'projection_checkpoints', 'venue_balances'],
    why: 'what is owed is read as of one checkpoint, and shown to everybody',
  },
  'trading/custody/deposits/told-store.ts': {
    tables: ['trading_accounts'],
    why: 'an event of a deposit goes to the person whose account it is, in the statement that reads it',
  },
  'trading/custody/withdrawals/store.ts': {
    tables: ['trading_accounts'],
    why: 'an event of a withdrawal goes to the person whose account it is, in the statement that reads it',
  },
  'trading/custody/deposits/store.ts': {
    tables: ['operator_commands'],
    why: 'one statement notes for all deposits what the ledger answered to their commands',
  },
  'accounts/known-places/store.ts': {
    tables: ['users'],
    why: 'signing in: one statement for place and address, so that an unknown address takes as long as a known one',
  },
  'accounts/ldap/store.ts': {
    tables: ['users'],
    why: 'signing in: an entry and its account are found in one statement',
  },
  'accounts/sign-in/ways.ts': {
    tables: ['users', 'directory_identities', 'oidc_identities', 'passkeys'],
    why: 'every way into an account is counted by one statement, so that the last one is never taken away',
  },
  'accounts/oidc/store.ts': {
    tables: ['users'],
    why: 'signing in: an identity and its account are found in one statement',
  },
  'accounts/mailed-links/store.ts': {
    tables: ['users'],
    why: 'a link is closed by one statement, which compares the address it was sent to',
  },
  'accounts/organization.ts': { tables: ['organization'], why: 'accounts cannot import chat' },
  'accounts/second-factors/policy.ts': {
    tables: ['passkeys', 'users'],
    why: 'one statement finds everybody who needs a factor and has none',
  },
  'accounts/second-factors/store.ts': {
    tables: ['passkeys'],
    why: 'signing in: one statement says which factors a person has',
  },
  'accounts/sessions/store.ts': {
    tables: ['operator_grants', 'operator_secrets', 'users'],
    why: 'every request of a browser: session, person and how long it may last in one round trip',
  },
  'accounts/users/credentials.ts': {
    tables: ['chat_keys'],
    why: 'every request with a key: key and owner in one round trip',
  },
  'accounts/trading-keys/family-store.ts': {
    tables: ['users'],
    why: 'holds the owner before the account, in the order of the triggers',
  },
  'accounts/trading-keys/store.ts': {
    tables: ['users'],
    why: 'every signed request: key, account and owner in one round trip',
  },
  'accounts/users/store.ts': {
    tables: ['user_group_members'],
    why: 'accounts cannot import chat; the groups of roles follow from the role',
  },
  'chat/messages/bot-services/store.ts': {
    tables: ['users'],
    why: 'sending: calls are added for active bots by one statement',
  },
  'chat/conversations/channel/store.ts': {
    tables: ['messages'],
    why: 'channels are below messages and cannot import them',
  },
  'chat/conversations/channel-rights/store.ts': {
    tables: ['channels', 'permission_settings'],
    why: 'nodes get all rights of a channel from one statement, so they fit together',
  },
  'chat/realtime/delivery/store.ts': {
    tables: ['event_head', 'subscriptions', 'user_group_members', 'user_group_subgroups', 'users'],
    why: 'the rights of everybody as of one position of the log, in as few statements as there can be',
  },
  'chat/conversations/direct/store.ts': {
    tables: ['messages'],
    why: 'direct conversations are below messages and cannot import them; register asks in one statement',
  },
  'chat/administration/groups/store.ts': {
    tables: ['users'],
    why: 'register: groups with their active members',
  },
  'chat/messages/removing/erase.ts': {
    tables: ['channels', 'conversations', 'messages'],
    why: 'the next message to erase, with where it stands, among all messages of a person',
  },
  'chat/messages/message/move-store.ts': {
    tables: [
      'channels',
      'conversations',
      'event_queues',
      'read_blocks',
      'read_marks',
      'subscriptions',
    ],
    why: 'editing: one statement finds who has an open queue and has not read the message',
  },
  'chat/messages/message/channels-for-reader.ts': {
    tables: ['channels', 'subscriptions'],
    why: 'reading and sending: channels and the part of the reader in them in one round trip',
  },
  'chat/messages/fetching/receipts.ts': {
    tables: [
      'channels',
      'conversations',
      'messages',
      'read_blocks',
      'read_marks',
      'subscriptions',
      'users',
    ],
    why: 'one statement decides for everybody whether they have read the message',
  },
  'chat/messages/removing/retention-store.ts': {
    tables: ['channels', 'conversations', 'messages'],
    why: 'one statement has the rule of a conversation and who is told, another its oldest messages',
  },
  'chat/messages/message/attached.ts': {
    tables: ['conversations', 'reactions', 'submessages', 'users'],
    why: 'reading: what belongs to the messages of a page is part of its statement',
  },
  'chat/messages/message/rows.ts': {
    tables: ['conversations', 'reactions', 'read_blocks', 'read_marks', 'submessages'],
    why: 'reading: a message as one reader has it is one joined row; others use these parts of queries',
  },
  'chat/messages/message/known-channels.ts': {
    tables: ['channels', 'subscriptions'],
    why: 'what a process does not know of channels is looked up in the statement that finds messages',
  },
  'chat/messages/message/joins.ts': {
    tables: ['channels', 'read_blocks', 'read_marks', 'subscriptions', 'user_topics'],
    why: 'a message as one reader has it is joined in the statement that finds it',
  },
  'chat/messages/narrow/sources.ts': {
    tables: ['channels', 'conversations', 'subscriptions', 'user_topics'],
    why: 'a page of a narrow begins from the places that its reader has, in the statement of the page',
  },
  'chat/messages/fetching/candidates.ts': {
    tables: ['message_flags', 'messages'],
    why: 'the ids of a page are found in the statement of the page',
  },
  'chat/messages/fetching/date.ts': {
    tables: ['messages'],
    why: 'the range of ids is halved in one statement',
  },
  'chat/messages/message/store.ts': {
    tables: ['channels', 'conversations', 'reactions', 'subscriptions'],
    why: 'register asks for the newest message of all conversations, and sending for those who take part, at once',
  },
  'chat/messages/fetching/topics.ts': {
    tables: ['messages', 'subscriptions'],
    why: 'the newest message of each topic that the reader was there for, by one walk of an index',
  },
  'chat/messages/narrow/resolve.ts': {
    tables: ['conversations', 'message_flags', 'messages', 'reactions'],
    why: 'a narrow is one condition, which the planner must see whole',
  },
  'chat/rights/permissions/store.ts': {
    tables: ['user_group_members', 'user_group_subgroups', 'user_groups', 'users'],
    why: 'rights are below groups and cannot import them; every request that acts asks in one round trip',
  },
  'chat/rights/sight/store.ts': {
    tables: [
      'channels',
      'conversations',
      'permission_settings',
      'subscriptions',
      'user_groups',
      'users',
    ],
    why: 'whom a guest knows, in one statement; rights are below conversations and cannot import them',
  },
  'chat/people/presence/store.ts': {
    tables: ['users'],
    why: 'register and polls: who is here, in one statement',
  },
  'chat/notifications/web-push/store.ts': {
    tables: ['sessions'],
    why: 'a browser is notified as long as its session lasts, which the statement that lists browsers looks at',
  },
  'chat/notifications/push/candidates.ts': {
    tables: ['devices', 'subscriptions', 'user_topics', 'users', 'web_push_subscriptions'],
    why: 'for every message: one statement finds the few who have a device and want to hear of it',
  },
  'chat/messages/read-state/store.ts': {
    tables: ['channels', 'conversation_counters', 'conversations', 'messages', 'subscriptions'],
    why: 'marks are moved to the head of the counter in the statement that reads it; holes are found by one statement',
  },
  'chat/messages/unread/groups.ts': {
    tables: [
      'channels',
      'conversation_counters',
      'conversations',
      'message_flags',
      'messages',
      'subscriptions',
      'user_topics',
    ],
    why: 'register: what is unread is the difference of marks and messages, made by one statement',
  },
  'chat/messages/unread/lists.ts': {
    tables: [
      'channels',
      'conversation_counters',
      'conversations',
      'message_flags',
      'messages',
      'read_blocks',
      'read_marks',
      'subscriptions',
      'user_topics',
    ],
    why: 'register: what is unread is the difference of marks and messages, made by one statement',
  },
  'chat/messages/unread/spans.ts': {
    tables: ['channels', 'conversations', 'read_blocks', 'read_marks', 'subscriptions'],
    why: 'the ranges of marks are a part of those statements',
  },
  'chat/people/statuses/store.ts': {
    tables: ['users'],
    why: 'register: who says something or hides; hiding is a setting of the person',
  },
  'chat/conversations/subscribers/store.ts': {
    tables: ['channels', 'conversation_counters', 'users'],
    why: 'subscribers are active people, joined as they are listed; subscriptions are below messages, whose counters they hold',
  },
  'chat/conversations/topics/names.ts': {
    tables: ['channels'],
    why: 'keys of topics are looked up in the statements that need them, some of which know the channel alone',
  },
  'chat/conversations/topics/store.ts': {
    tables: ['channels', 'messages', 'subscriptions', 'users'],
    why: 'sending: how somebody stands to a topic in one round trip; topics are below messages',
  },
  'chat/messages/typing/store.ts': {
    tables: ['subscriptions', 'users'],
    why: 'typing is sent every few seconds: one statement finds the people who do not want it',
  },
  'chat/messages/uploads/store.ts': {
    tables: ['drafts', 'messages', 'scheduled_messages'],
    why: 'messages, drafts and scheduled messages import uploads, which ask here whether a file is still named',
  },
  'ops/doctor/audit.ts': {
    tables: ['audit_heads', 'audit_log', 'operator_commands', 'venue', 'venue_balances'],
    why: DIAGNOSIS,
  },
  'ops/doctor/contents.ts': {
    tables: ['custody_networks', 'event_head', 'operator_secrets', 'outbox', 'processes', 'users'],
    why: DIAGNOSIS,
  },
  'ops/doctor/engine.ts': { tables: ['poisoned_commands'], why: DIAGNOSIS },
  'ops/doctor/ledger.ts': {
    tables: [
      'balances',
      'fee_days',
      'invariant_halts',
      'operator_commands',
      'trading_accounts',
      'venue_balances',
    ],
    why: DIAGNOSIS,
  },
  'ops/doctor/postgres.ts': { tables: ['processes'], why: DIAGNOSIS },
  'platform/realtime/store.ts': {
    tables: ['event_log'],
    why: 'the events that may concern one person, found by the index of audiences',
  },
  'roles/watch.ts': {
    tables: ['operator_secrets', 'outbox'],
    why: 'metrics: a few numbers and the clock of the database, once in a while, in one round trip',
  },
  'platform/mail/phrase.ts': {
    tables: ['users'],
    why: 'the platform cannot import accounts; every email passes the queue, so none can lack the phrase of its reader',
  },
  'trading/account/store.ts': {
    tables: ['account_volumes', 'balances', 'markets'],
    why: SHOWN,
  },
  'trading/audit/solvency.ts': {
    tables: [
      'custody_assets',
      'custody_evidence',
      'operator_commands',
      'projection_checkpoints',
      'trading_journal',
      'trading_movements',
      'venue_balances',
    ],
    why: 'the audit compares what the others wrote, as of one moment, and trusts none of their functions',
  },
  'trading/candles/store.ts': { tables: ['candles'], why: SHOWN },
  'trading/engine/overview.ts': {
    tables: ['processes', 'projection_checkpoints'],
    why: 'lease, journal, projections and processes as of one moment',
  },
  'trading/engine/operator-store.ts': {
    tables: ['operator_commands', 'projection_checkpoints', 'trading_movements'],
    why: 'the engine takes what waits, fenced by its lease, and knows of what was booked as of one checkpoint',
  },
  'trading/fees/days-store.ts': {
    tables: ['account_volumes', 'markets', 'trading_accounts'],
    why: 'one statement sums the volumes of hundreds of families; their accounts are held before it',
  },
  'trading/markets/store.ts': {
    tables: ['markets', 'operator_commands'],
    why: 'projections write what happened, and why an operator halted a market stands in the command',
  },
  'trading/operators/store.ts': {
    tables: ['audit_log', 'markets', 'projection_checkpoints'],
    why: 'which commands the audit log does not tell of, and what commands will make of markets: one statement each',
  },
  'trading/order-tables.ts': {
    tables: ['trading_live_orders', 'trading_orders'],
    why: 'the one source of orders of both tables, for the projections themselves and for their readers',
  },
  'trading/orders/prevented/store.ts': { tables: ['prevented_matches'], why: SHOWN },
  'trading/orders/store.ts': {
    tables: ['projection_checkpoints', 'trading_live_orders', 'trading_orders'],
    why: SHOWN,
  },
  'trading/projections/store.ts': {
    tables: ['event_log', 'trading_journal'],
    why: 'projections follow the log by batches of their own size, and tell how far behind the journal they are',
  },
  'trading/projections/stream-places.ts': {
    tables: ['trading_journal'],
    why: 'how many pushes are counted, and through which row, as of one moment',
  },
  'trading/sub-accounts/store.ts': {
    tables: ['operator_commands'],
    why: 'a transfer and what came of it are one row for its readers',
  },
  'trading/public-log/store.ts': {
    tables: ['trading_journal'],
    why: 'how far the log is behind the journal, as of one moment',
  },
};
