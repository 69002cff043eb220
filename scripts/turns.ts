// The gate has half an hour, and all tests together take longer. So it runs the core of them every day, and the rest by
// turns: each file once a week. `.ci/run --all` and `npm run e2e` run everything.
import { globSync } from 'node:fs';
import { ROOT } from './tests.ts';

export const TURNS = 7;

/** End-to-end tests of every day: what breaks here breaks for every client. */
export const EVERY_DAY: readonly string[] = [
  'e2e/ccxt.e2e.ts',
  'e2e/clients/calls.e2e.ts',
  'e2e/clients/queue.e2e.ts',
  'e2e/clients/start.e2e.ts',
  'e2e/orders.e2e.ts',
  'e2e/replay.e2e.ts',
  'e2e/web/day.e2e.ts',
  'e2e/web/served.e2e.ts',
  'e2e/zulip-js.e2e.ts',
];

/** Integration tests by turns: each takes half a minute or more, of nodes of chains, programs and time limits. */
export const SLOW: readonly string[] = [
  'packages/signer/src/kill.int.test.ts',
  'packages/signer/src/main.int.test.ts',
  'server/src/chat/messages/sending/hostile.int.test.ts',
  'server/src/chat/realtime/events/register-race.int.test.ts',
  'server/src/ops/audit/tamper.int.test.ts',
  'server/src/ops/commands/admin/custody.int.test.ts',
  'server/src/ops/commands/admin/keys.int.test.ts',
  'server/src/ops/commands/admin/people.int.test.ts',
  'server/src/ops/commands/admin/sub-accounts.int.test.ts',
  'server/src/ops/commands/operator.int.test.ts',
  'server/src/platform/engines/engines.int.test.ts',
  'server/src/platform/http/parser.int.test.ts',
  'server/src/trading/custody/cold/evm.int.test.ts',
  'server/src/trading/custody/operators/operators.int.test.ts',
  'server/src/trading/custody/payments/evm.int.test.ts',
  'server/src/trading/custody/payments/litecoin.int.test.ts',
  'server/src/trading/custody/payments/stolen.int.test.ts',
  'server/src/trading/custody/reconciliation/evm.int.test.ts',
  'server/src/trading/custody/reconciliation/litecoin.int.test.ts',
  'server/src/trading/custody/reserves/reserves.int.test.ts',
  'server/src/trading/custody/reserves/signed.int.test.ts',
  'server/src/trading/custody/screening/screening.int.test.ts',
  'server/src/trading/custody/watch/litecoin.int.test.ts',
  'server/src/web/enumeration.int.test.ts',
];

/** The end-to-end tests by turns. */
export const listByTurns = (): string[] =>
  globSync('e2e/**/*.e2e.ts', { cwd: ROOT }).filter((file) => !EVERY_DAY.includes(file));

/** Those of `files` whose turn it is not. Without a turn, every file runs. */
export function othersTurn(files: readonly string[], turn: string | undefined): string[] {
  if (turn === undefined || turn === '') return [];
  const place = Number(turn);
  if (!Number.isInteger(place) || place < 0 || place >= TURNS)
    throw new Error(`GATE_TURN is a number from 0 to ${TURNS - 1}, not "${turn}".`);
  return [...files].sort().filter((_file, index) => index % TURNS !== place);
}
