/** Every subject that is used, so that two features cannot pick the same one by accident. */
export const SUBJECTS = {
  /** Something was committed to the outbox. */
  outboxBell: 'outbox.bell',
  /** Numbered events, or only the new head when they are too large for one message. */
  log: 'log',
  /** A transient signal: its type, its text, its audience. */
  signal: 'signal',
  /** An event queue was deleted by its owner. */
  queueClosed: 'queue.closed',
  /** An engine has taken over a shard: the shard, a space, its epoch. */
  engineLeader: 'engine.leader',
  /** A row was added to operator_commands. */
  operatorBell: 'engine.operator-bell',
  /** Journal rows have reached the projections: the shard, the last of them, its last engine event, with spaces between. */
  projected: 'projection.done',
  /** A reader waits for rows that are not in the projections yet: the shard. */
  projectionWanted: 'projection.wanted',
} as const;
