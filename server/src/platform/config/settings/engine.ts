// Settings of the engine, of its tables, and of the money that the venue deals in.
import { Type } from 'typebox';
import { count } from './define.ts';

export const ENGINE = {
  ENGINE_QUEUE_MAX: count(
    1,
    1_000_000,
    20_000,
    'Commands and reads that may wait for the engine; more are refused at once.',
  ),
  ENGINE_WAIT_MS: count(
    10,
    60_000,
    250,
    'How long a request may wait for the engine, estimated from its recent pace; if it would wait longer, it is refused at once.',
  ),
  ENGINE_BATCH_MAX: count(1, 4000, 4000, 'Most requests that one commit of the engine holds.'),
  PROJECTION_LAG_MAX_MS: count(
    0,
    60_000,
    2000,
    'How old the tables of orders, trades and balances may become so that their writer gathers more for each write, which costs less. When they are older, it writes without a pause.',
  ),
  PROJECTION_WAIT_MAX_MS: count(
    0,
    3_600_000,
    30_000,
    'How much work for the tables may wait, as the time that they need for it. From half of it on a growing share of new orders is refused, at all of it every one; cancels are always taken. Zero: no limit. At least four times PROJECTION_LAG_MAX_MS.',
  ),
  ENGINE_MEMORY_ORDERS: count(
    1000,
    5_000_000,
    1_000_000,
    'Finished orders whose client ids the engine keeps in memory.',
  ),
  ENGINE_SNAPSHOT_COMMANDS: count(
    1000,
    10_000_000,
    200_000,
    'Commands between two snapshots of the engine’s state.',
  ),
  ENGINE_HEARTBEAT_MS: count(10, 10_000, 250, 'How often the engine says that it is there.'),
  ENGINE_TAKEOVER_MS: count(
    50,
    60_000,
    1000,
    'Silence of the engine after which a standby takes over.',
  ),
  ENGINE_ANSWER_MS: count(
    100,
    60_000,
    10_000,
    'How long an api process waits for the engine before it answers that the outcome is unknown.',
  ),
  ENGINE_CLOCK_TOLERANCE_MS: count(
    1000,
    600_000,
    30_000,
    'How far the clocks of processes that ask the engine may be from the engine’s, transit included; beyond that it refuses their requests.',
  ),
  MONEY: Type.Union([Type.Literal('real'), Type.Literal('simulated')], {
    default: 'real',
    description:
      'Simulated: deposits can be made out of nothing, for demonstrations and tests; /public/status says so. ' +
      'Written into the database at the first start and never changed; from then on the other value is refused.',
  }),
};
