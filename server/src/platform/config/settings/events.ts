// Settings of the event log, of event queues, and of scheduled messages and reminders.
import { count } from './define.ts';

export const EVENTS = {
  EVENT_LOG_RETENTION_HOURS: count(1, 24 * 90, 24, 'How long the event log reaches back.'),
  EVENT_POLL_MS: count(10, 10_000, 250, 'Longest silence on the bus before the event log is read.'),
  DUE_POLL_MS: count(
    20,
    10_000,
    1000,
    'Longest time between two checks for scheduled messages and reminders that are due.',
  ),
  DUE_CONCURRENCY: count(1, 64, 4, 'How many of those one process sends at once.'),
  QUEUE_IDLE_SECONDS: count(
    1,
    604_800,
    600,
    'How long an unused event queue is kept, unless the client asks for another time.',
  ),
  QUEUE_REPLAY_MAX: count(
    10_000,
    10_000_000,
    500_000,
    'Rows of the event log that a queue may be behind, without batches of the engine unless it wants them; a client that was away for longer registers again. A queue of which at most 10,000 rows may concern its owner is read however far behind it is, unless it follows channels without a subscription or wants batches.',
  ),
  QUEUES_PER_USER_MAX: count(1, 100_000, 1000, 'Event queues one user may have open.'),
  HEARTBEAT_SECONDS: count(
    1,
    80,
    45,
    'Silence after which a waiting poll gets a heartbeat (plus up to 10 s).',
  ),
};
