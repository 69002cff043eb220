// What the server's database role may do, table by table. It owns nothing, so PostgreSQL itself
// refuses everything not listed here. `rialto migrate` applies the list at its end, each time.
// A new table needs a line here: a test compares this list with the database. Grant the least that
// the code needs. Columns after UPDATE are the only ones that may change.
export type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | `UPDATE (${string})`;
export type Grant = readonly Privilege[];

/** Rows that are inserted, updated and deleted. */
const KEEP: Grant = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
/** Rows that are inserted and updated; finished ones are marked as such. */
const NEVER_DELETED: Grant = ['SELECT', 'INSERT', 'UPDATE'];
/** Rows that are inserted and deleted. */
const NEVER_CHANGED: Grant = ['SELECT', 'INSERT', 'DELETE'];
/** Append-only rows. */
const APPEND: Grant = ['SELECT', 'INSERT'];
/** Written by the owner's functions or by migrations. */
const READ: Grant = ['SELECT'];

export const TABLE_GRANTS: Readonly<Record<string, Grant>> = {
  // The spine. The log, its head and the replay guard's partitions are written by functions of the owner.
  outbox: APPEND,
  event_head: READ,
  event_log: READ,
  event_queues: KEEP,
  // Written by triggers and checked by facts_hold.
  fact_changes: NEVER_CHANGED,
  fact_floor: ['SELECT', 'UPDATE (xid)'],
  processes: KEEP,
  migrations: READ,

  // Accounts
  users: NEVER_DELETED,
  login_failures: KEEP,
  trading_accounts: [
    'SELECT',
    'INSERT',
    'UPDATE (fee_tier, is_suspended, label, closed_at, withdraw_freeze_until)',
  ],
  // The type of a key and its public key never change.
  trading_keys: [
    'SELECT',
    'INSERT',
    'DELETE',
    'UPDATE (label, secret_sealed, permissions, ip_allowlist, markets, require_bound_signature, is_enabled, expires_at, last_used_at, replaced_by)',
  ],
  request_claims: APPEND,
  sessions: KEEP,
  chat_keys: KEEP,
  audit_log: APPEND,
  audit_heads: APPEND,
  operator_secrets: KEEP,
  operator_enrolments: KEEP,
  operator_approvals: APPEND,
  operator_grants: NEVER_CHANGED,
  operator_requests: NEVER_DELETED,
  cli_grants: KEEP,
  cli_wrong_codes: NEVER_CHANGED,
  lookup_key: NEVER_DELETED,
  sign_in_buckets: KEEP,
  known_devices: KEEP,
  known_addresses: KEEP,
  mailed_links: KEEP,
  address_changes: KEEP,
  recoveries: NEVER_DELETED,
  sign_ins: KEEP,
  totp_secrets: KEEP,
  totp_enrolments: KEEP,
  recovery_codes: KEEP,
  passkeys: KEEP,
  passkey_challenges: NEVER_CHANGED,
  directory_identities: KEEP,
  oidc_identities: KEEP,
  oidc_logouts: NEVER_CHANGED,

  // The engine
  trading_journal: APPEND,
  journal_layout: READ,
  journal_archives: READ,
  trading_snapshots: NEVER_CHANGED,
  trading_snapshot_parts: APPEND,
  trading_leases: NEVER_DELETED,
  poisoned_commands: APPEND,
  operator_commands: [
    'SELECT',
    'INSERT',
    'UPDATE (status, result, journal_seq, done_at, approved_by_id, approved_at, waits_for)',
  ],
  venue: APPEND,
  custody_evidence: APPEND,
  custody_assets: READ,
  custody_networks: NEVER_DELETED,
  custody_counters: ['SELECT', 'INSERT', 'UPDATE (next_index)'],
  custody_blocks: NEVER_CHANGED,
  // To whom an address belongs never changes.
  custody_addresses: APPEND,
  custody_transfers: [
    'SELECT',
    'INSERT',
    'UPDATE (fee, needed, height, block_hash, seen_height, status, status_reason, generation, command_id, is_booked, reversal_id, reversal_part, missing, screening, screened_at, is_pooled, credited_at, updated_at)',
  ],
  // What an entry says never changes; it can only be removed.
  withdraw_addresses: ['SELECT', 'INSERT', 'UPDATE (removed_at)'],
  withdrawals: [
    'SELECT',
    'INSERT',
    'UPDATE (status, status_reason, command_id, is_booked, is_refused, txid, screening, screened_at, updated_at, completed_at)',
  ],
  withdrawal_approvals: APPEND,
  custody_wallets: [
    'SELECT',
    'INSERT',
    'UPDATE (next_change, next_nonce, signer_seq, sweep_through)',
  ],
  custody_utxos: ['SELECT', 'INSERT', 'UPDATE (height, payment_id)'],
  custody_payments: [
    'SELECT',
    'INSERT',
    'UPDATE (state, reason, retry_at, nonce, is_urgent, updated_at)',
  ],
  custody_payment_outputs: APPEND,
  custody_reports: APPEND,
  custody_turns: ['SELECT', 'INSERT', 'UPDATE (due_at)'],
  // What was published stays.
  reserve_publications: [
    'SELECT',
    'INSERT',
    'UPDATE (taken_at, status, reason, published_at, venue)',
  ],
  reserve_snapshots: APPEND,
  reserve_leaves: APPEND,
  reserve_nodes: APPEND,
  reserve_chains: APPEND,
  reserve_addresses: APPEND,
  custody_hot_balances: ['SELECT', 'INSERT', 'UPDATE (amount, measured_at)'],
  custody_stops: ['SELECT', 'INSERT', 'UPDATE (ended_at, ended_by_id)'],
  custody_swept: ['SELECT', 'INSERT', 'UPDATE (through)'],
  custody_decisions: APPEND,
  custody_signatures: APPEND,
  custody_cold_requests: ['SELECT', 'INSERT', 'UPDATE (payment_id, refusal)'],
  custody_cold_spends: ['SELECT', 'INSERT', 'DELETE'],
  // The bytes of a version come once; what becomes of them changes.
  custody_attempts: [
    'SELECT',
    'INSERT',
    'UPDATE (txid, raw, signed_at, height, has_failed, fee_paid, broadcasts, broadcast_at, last_error)',
  ],
  invariant_halts: [
    'SELECT',
    'INSERT',
    'UPDATE (released_at, released_by_id, release_approved_by_id, release_reason)',
  ],

  // What the venue lists
  coins: NEVER_DELETED,
  coin_networks: NEVER_DELETED,
  fee_tiers: NEVER_DELETED,
  fee_days: NEVER_DELETED,
  fee_families: NEVER_DELETED,

  // Projections of the journal. Facts are appended; the state of an order, a balance or a
  // withdrawal is updated.
  projection_checkpoints: [
    'SELECT',
    'UPDATE (seq, engine_seq, log_position, last_order_id, listed_order_id, last_entry_id, updated_at)',
  ],
  public_log_progress: [
    'SELECT',
    'UPDATE (seq, engine_seq, log_position, last_event, last_hash, checkpoint_event, checkpoint_ms, updated_at)',
  ],
  public_log_pages: APPEND,
  public_log_tail: NEVER_CHANGED,
  public_log_checkpoints: APPEND,
  public_log_heads: APPEND,
  public_signing_keys: APPEND,
  ledger_entries: APPEND,
  trading_trades: APPEND,
  history_tables: READ,
  // An attempt is begun anew. What is archived is taken back by a rebuild alone, as the owner.
  history_archives: [
    'SELECT',
    'INSERT',
    'DELETE',
    'UPDATE (state, rows, first_id, last_id, first_seq, last_seq, file_bytes, file_sha256, content_sha256)',
  ],
  history_archive_blocks: APPEND,
  ledger_closings: APPEND,
  archived_fills: APPEND,
  client_orders: APPEND,
  order_days: APPEND,
  account_order_days: APPEND,
  order_client_ids: APPEND,
  prevented_matches: APPEND,
  trading_movements: ['SELECT', 'INSERT', 'UPDATE (to_owner, fee, status, updated_ms, engine_seq)'],
  trading_live_orders: KEEP,
  // Rows never change. The right to do it is for workers of the release before, until they are replaced.
  trading_orders: [
    'SELECT',
    'INSERT',
    'UPDATE (price_decimals, volume_decimals, price, stop_price, volume, total, visible_volume, filled_volume, remaining_volume, prevented_volume, filled_total, fee, rebate, held, status, status_reason, updated_ms, last_trade_ms, triggered_ms, expire_ms, engine_seq)',
  ],
  balances: ['SELECT', 'INSERT', 'UPDATE (available, held, pending_withdraw, updated_at)'],
  venue_balances: ['SELECT', 'INSERT', 'UPDATE (amount, updated_ms)'],
  candles: ['SELECT', 'INSERT', 'UPDATE (high, low, close, volume, total, trade_count)'],
  account_volumes: ['SELECT', 'INSERT', 'UPDATE (total)'],
  markets: NEVER_DELETED,
  trading_stream_counts: ['SELECT', 'INSERT', 'UPDATE (seq)'],
  trading_stream_pages: NEVER_CHANGED,
  stream_tickets: NEVER_CHANGED,
  stream_guards: ['SELECT', 'INSERT', 'DELETE', 'UPDATE (leased_until, due_at, is_swept)'],
  stream_guard_orders: ['SELECT', 'INSERT', 'DELETE', 'UPDATE (client_order_id)'],
  order_quotas: NEVER_DELETED,
  account_transfers: [
    'SELECT',
    'INSERT',
    'UPDATE (from_account_id, to_account_id, coin, amount, key_id, command_id, created_at)',
  ],

  // The organization
  organization: ['SELECT', 'UPDATE'],
  permission_settings: KEEP,
  user_groups: NEVER_DELETED,
  user_group_members: KEEP,
  user_group_subgroups: KEEP,
  avatars: KEEP,
  profile_fields: KEEP,
  profile_values: KEEP,
  email_domains: KEEP,
  invitation_links: KEEP,
  invitations: KEEP,
  invitation_keys: KEEP,
  linkifiers: KEEP,
  playgrounds: KEEP,
  custom_emoji: KEEP,
  custom_emoji_images: KEEP,
  bot_storage: KEEP,
  bot_services: KEEP,
  bot_calls: KEEP,
  seen_onboarding_steps: KEEP,

  daily_allowances: NEVER_DELETED,

  // Conversations
  conversations: KEEP,
  conversation_counters: KEEP,
  channels: NEVER_DELETED,
  channel_folders: KEEP,
  default_channels: KEEP,
  subscriptions: KEEP,
  user_topics: KEEP,
  messages: KEEP,
  message_edits: KEEP,
  topics: KEEP,
  topic_renames: APPEND,
  topic_moves: KEEP,
  // Rows are inserted by a trigger.
  retention_queue: NEVER_DELETED,
  message_flags: KEEP,
  reactions: KEEP,
  submessages: KEEP,
  read_marks: KEEP,
  read_blocks: KEEP,
  local_echoes: KEEP,
  sent_once: KEEP,
  scheduled_messages: KEEP,
  reminders: KEEP,
  drafts: KEEP,
  attachments: KEEP,
  attachment_messages: KEEP,
  uploads_under_way: KEEP,
  upload_space: KEEP,

  // People's own
  presences: KEEP,
  presence_head: ['SELECT', 'UPDATE'],
  user_statuses: KEEP,
  muted_users: KEEP,
  alert_words: KEEP,
  saved_snippets: KEEP,
  navigation_views: KEEP,
  devices: KEEP,
  push_tokens: KEEP,
  push_notified: KEEP,
  push_cursor: ['SELECT', 'UPDATE'],
  web_push_subscriptions: KEEP,
};

/** Functions that the server calls, or that its statements and triggers call. */
export const FUNCTION_GRANTS: readonly string[] = [
  // These run with the owner's rights, and refuse what is not due.
  'relay_events(text, integer, interval)',
  'ensure_event_partitions(bigint)',
  'raise_event_floor(timestamptz)',
  'drop_trimmed_event_partition()',
  'ensure_claim_partitions(bigint, integer)',
  'drop_claim_partitions(bigint)',
  'ensure_message_partitions(bigint)',
  'separate_live_orders()',
  'ensure_history_parts(integer)',
  'drop_history_part(text, text)',
  'ensure_journal_parts(bigint)',
  // These run with the caller's rights.
  'journal_parts()',
  'client_key(bigint, text)',
  'list_orders(bigint, bigint)',
  'has_live_orders(bigint, bigint)',
  'database_identity()',
  'open_conversation(text, integer[])',
  'same_spelling(text)',
  'words_of(text)',
  'forget_fact_changes(integer)',
  'note_fact_changes(integer[])',
  'post_messages(integer, jsonb)',
  'facts_hold(integer[], pg_snapshot[])',
  'edit_message(integer, jsonb, integer[], pg_snapshot[])',
  'write_read_state(integer, jsonb, jsonb, integer[], pg_snapshot[], text, jsonb)',
  'next_of_topic(integer, text, bigint, int8multirange, integer)',
  'concerns_of(jsonb, integer[])',
  'topic_key(integer, text)',
  'sent_to(integer, text)',
  'take_topic(integer, text)',
  'all_know_topic_keys()',
  'sign_pairs(text)',
  'seams_of(text)',
  'sure_seams_of(text)',
  'has_phrase(text, text, text)',
  'query_of(text)',
  'has_active_owners(bigint)',
  'is_suspended_by_operator(bigint)',
  'is_named_suspended(bigint)',
  'may_act(bigint)',
  'family_tier(bigint)',
  'suspend_with_owner(bigint, text)',
  'is_operator(integer)',
  'has_grant(integer, text)',
];
