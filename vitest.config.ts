import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { listByTurns, othersTurn, SLOW } from './scripts/turns.ts';

/** What takes longest, begun first: otherwise one core waits at the end while the other does it. */
const LONG = [
  'authorisation/trading/matrix.int',
  'signer/src/main.int',
  'signer/src/kill.int',
  'platform/http/parser.int',
  'chat/realtime/events/register-race.int',
  'platform/http/connections.int',
  'trading/http/limits.int',
  'authorisation/chat/matrix.int',
  'chat/messages/sending/hostile.int',
  'chat/realtime/delivery/delivery.int',
  'authorisation/chat/gates.int',
  'authorisation/chat/races.int',
  'ops/audit/tamper.int',
  'chat/messages/sending/limits.int',
  'chat/messages/editing/changes.int',
  'chat/messages/editing/moves.int',
  'ops/commands/admin/people.int',
  'accounts/sign-in/sign-in.int',
  'roles/alarms.int',
  'platform/db/grants.int',
  'trading/engine/time.int',
  'trading/engine/engine.int',
  'platform/engines/engines.int',
  'chat/messages/read-state/random.int',
  'chat/messages/read-state/bulk.int',
  'trading/orders/errors.int',
  'trading/projections/projections.int',
  'authorisation/chat/timing.int',
  'accounts/passwords/timing.int',
  'accounts/ldap/sign-in.int',
  'chat/messages/read-state/marks.test',
  'chat/text/markdown/hostile.test',
  'e2e/sdk-loop.e2e',
  'e2e/streams.e2e',
  'e2e/examples.e2e',
  'e2e/samples.e2e',
  'e2e/web/',
  'e2e/guides.e2e',
  'e2e/operators.e2e',
  'e2e/package.e2e',
  'e2e/upgrade.e2e',
  'e2e/engines.e2e',
  'e2e/demo.e2e',
  'e2e/ccxt',
  'e2e/stop.e2e',
  'e2e/commands.e2e',
  'e2e/limits.e2e',
  'e2e/scheduled.e2e',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONG.findIndex((name) => moduleId.includes(name));
      return index < 0 ? LONG.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

// Two cores: two workers, and more where tests mostly wait: for a database, a limit or a deadline. Integration files
// each clone a database from a migrated template, so they may run side by side, and so may end-to-end files, each of
// which starts engines of its own; unit tests touch nothing outside the process. Files of one worker share what they
// import: loading the server anew for each would take a third of the time.
const shared = {
  exclude: ['**/node_modules/**', '**/dist/**'],
  pool: 'forks' as const,
  isolate: false,
};

/** The gate's turn, see scripts/turns.ts. */
const turn = process.env['GATE_TURN'];

const ATTACKS = 'e2e/attacks.e2e.ts';
const IMAGE = 'e2e/deployed/image.e2e.ts';

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    reporters: ['default', 'json'],
    // Given here and not with the reporter, so that a command may name another file.
    outputFile: { json: '.vitest-results.json' },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['{server/src,packages,scripts,web/src}/**/*.test.{ts,tsx}'],
          exclude: [...shared.exclude, '**/*.int.test.ts'],
          // Some of them draw a hundred thousand cases; a busy machine must not fail them.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          include: ['{server/src,scripts,packages}/**/*.int.test.ts'],
          exclude: [...shared.exclude, ...othersTurn(SLOW, turn)],
          globalSetup: ['server/src/testing/global-setup.ts'],
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          // What is waited for comes at once on a quiet machine, and after seconds on a busy one.
          expect: { poll: { timeout: 15_000, interval: 50 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          // Libraries of clients change what is global, as one of them does with FormData.
          isolate: true,
          include: ['e2e/**/*.e2e.ts'],
          exclude: [...shared.exclude, ATTACKS, IMAGE, ...othersTurn(listByTurns(), turn)],
          sequence: { groupOrder: 2 },
          // A browser, a server and a database of each file share two cores; what is waited for may take long.
          expect: { poll: { timeout: 30_000, interval: 50 } },
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...shared,
          // By themselves: they compare times, and another test beside them would be part of every figure.
          name: 'attacks',
          include: [ATTACKS],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...shared,
          // By itself: building the image is work for a whole machine.
          name: 'image',
          include: [IMAGE],
          testTimeout: 360_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
