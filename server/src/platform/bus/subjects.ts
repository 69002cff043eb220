/** Every subject that is used, so that two features cannot pick the same one by accident. */
export const SUBJECTS = {
  /** Something was committed to the outbox. */
  outboxBell: 'outbox.bell',
  /** Numbered events, or only the new head when they are too large for one message. */
  log: 'log',
  /** An event queue was deleted by its owner. */
  queueClosed: 'queue.closed',
} as const;
