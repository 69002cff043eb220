// Sends orders directly to the engine as a busy api process does: many per message. The generator
// keeps prepared lines and only looks at the first character of an answer, so that it costs little
// compared with what it measures.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  CANCEL,
  draw,
  LIMIT,
  MIXED_MARKET,
  type Operations,
} from '../../packages/matching/sim/mixed.ts';
import { encodeCommand, type NewCommand } from '../../server/src/trading/engine/command.ts';
import { doorSubject, REQUESTS_PER_MESSAGE } from '../../server/src/trading/engine/door.ts';
import { commandLine } from '../../server/src/trading/engine/request-lines.ts';
import { createSender } from '../../server/src/trading/engine/sender.ts';
import type { Context } from '../../server/src/platform/context.ts';
import type { TestDeployment } from '../../server/src/testing/deployment.ts';
import { carryOut } from '../../server/src/testing/operator-rows.ts';
import { depositSimulated } from '../../server/src/trading/custody/simulated.ts';
import { awaitCommand } from '../../server/src/trading/operators/actions.ts';
import { runOpenLoop, type OpenLoopResult } from './open-loop.ts';
import { costPerOrder, type CpuMeter } from './orders-cpu.ts';
import { measureLag, watchTables, type Lag } from './orders-lag.ts';

const SECONDS = 5;
const WARM_UP_SECONDS = 1;
const SEED = 1n;
const ACCOUNTS = 64;
const ANSWER_MS = 20_000;

export interface DoorStep extends Lag {
  /** The 99th percentile of the age of the oldest row that the tables lacked. */
  readonly tablesP99Ms: number;
  readonly ours: OpenLoopResult;
  readonly bare: OpenLoopResult;
  /** Microseconds of processor time per order, until its answer and until the tables hold it. */
  readonly cost: Record<string, number>;
  readonly costToTables: Record<string, number>;
}

export async function benchDoor(
  { ctx, postgres }: TestDeployment,
  rates: readonly number[],
  cpu: CpuMeter,
): Promise<DoorStep[]> {
  const door = createDoor(ctx, await awaitLeader(ctx.database.pool));
  await setUp(ctx);
  const total = rates.reduce((sum, rate) => sum + rate * SECONDS, 0);
  const ops = draw(total, SEED);
  const texts = toTexts(ops);
  const lines = texts.map((text, i) =>
    commandLine(text, 0, { account: ops.account[i] ?? 0, keyId: '' }),
  );
  const journal = await openBareJournal(postgres.ownerUrl);
  const steps: DoorStep[] = [];
  let used = 0;
  try {
    for (const perSecond of rates) {
      const pacing = { perSecond, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS };
      const first = used;
      used += perSecond * SECONDS;
      const before = await cpu.read();
      const tables = watchTables(ctx);
      const ours = await runOpenLoop({
        ...pacing,
        send: (from, until, settle) =>
          door.send(lines.slice(first + from, first + until), (index, isDone) =>
            settle(from + index, isDone),
          ),
      });
      const cost = costPerOrder(before, await cpu.read(), ours.done);
      // Everything that follows the journal must be done before the bare journal is measured.
      const lag = await measureLag(ctx);
      const tablesP99Ms = await tables.stop();
      const costToTables = costPerOrder(before, await cpu.read(), ours.done);
      const bare = await runOpenLoop({
        ...pacing,
        send: (from, until, settle) => journal.send(texts, first, from, until, settle),
      });
      await journal.drained();
      steps.push({ ours, bare, cost, costToTables, tablesP99Ms, ...lag });
    }
  } finally {
    await journal.close();
  }
  return steps;
}

interface Door {
  /** Calls `settle` for every line, by its index in the list. */
  send(lines: readonly string[], settle: (index: number, isDone: boolean) => void): void;
}

function createDoor({ bus, secrets, clock }: Context, epoch: number): Door {
  const sender = createSender({ secrets, clock, shard: 0 });
  const subject = doorSubject(0, epoch);
  async function exchange(
    lines: readonly string[],
    first: number,
    settle: (index: number, isDone: boolean) => void,
  ): Promise<void> {
    let answers: string[];
    try {
      const { payload, open } = sender.seal(epoch, lines);
      answers = open(await bus.request(subject, payload, ANSWER_MS));
    } catch {
      answers = [];
    }
    for (let n = 0; n < lines.length; n += 1)
      settle(first + n, answers[n]?.startsWith('o') === true);
  }
  return {
    send(lines, settle) {
      for (let from = 0; from < lines.length; from += REQUESTS_PER_MESSAGE) {
        const part = lines.slice(from, from + REQUESTS_PER_MESSAGE);
        void exchange(part, from, settle);
      }
    },
  };
}

async function awaitLeader(pool: pg.Pool): Promise<number> {
  for (;;) {
    const { rows } = await pool.query<{ epoch: bigint }>('SELECT epoch FROM trading_leases');
    if (rows[0] !== undefined) return Number(rows[0].epoch);
    await sleep(50);
  }
}

async function setUp(ctx: Context): Promise<void> {
  const commands: NewCommand[] = [
    { type: 'list_coin', coin: 'btc', networks: ['BTC'] },
    { type: 'list_coin', coin: 'usdt', networks: ['ETH'] },
    { type: 'create_market', config: MIXED_MARKET },
    { type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' },
  ];
  for (let account = 1; account <= ACCOUNTS; account += 1) {
    commands.push({ type: 'open_account', account, parent: account });
  }
  await carryOut(ctx, commands);
  // Inserts the evidence too, or the audit would halt the market within seconds.
  const ids = await depositSimulated(
    ctx,
    Array.from({ length: ACCOUNTS }, (_, index) => index + 1).flatMap((to) =>
      ['btc', 'usdt'].map((coin) => ({ to, coin, amount: 10n ** 28n })),
    ),
  );
  const { status } = await awaitCommand(ctx, ids.at(-1) ?? 0n, ANSWER_MS);
  if (status !== 'done') throw new Error(`The last deposit is ${status}.`);
}

function toTexts(ops: Operations): string[] {
  return Array.from({ length: ops.count }, (_, i) => {
    const account = ops.account[i] ?? 0;
    const value = ops.value[i] ?? 0;
    if (ops.kind[i] === CANCEL) return encodeCommand({ type: 'cancel', account, orderId: value });
    const isLimit = ops.kind[i] === LIMIT;
    return encodeCommand({
      type: 'place',
      account,
      checkpoint: Number.MAX_SAFE_INTEGER,
      order: {
        symbol: 'btcusdt',
        side: ops.side[i] === 0 ? 'buy' : 'sell',
        type: isLimit ? 'limit' : 'market',
        ...(isLimit ? { price: ops.price[i] ?? 0, priceDecimals: 2 } : {}),
        volume: value,
        volumeDecimals: 6,
        clientOrderId: `desk-${i}`,
      },
    });
  });
}

/**
 * The baseline: one row per batch with the same commands in it, one connection, answered after the
 * commit.
 */
export async function openBareJournal(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `CREATE TABLE bare_journal (seq bigint PRIMARY KEY, commands text COMPRESSION lz4 NOT NULL,
                                digest bytea NOT NULL)`,
  );
  const digest = Buffer.alloc(32, 7);
  let waiting: { text: string; settle(): void }[] = [];
  let seq = 0;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const time = Date.now();
      seq += 1;
      await client.query({
        name: 'bare-append',
        text: 'INSERT INTO bare_journal (seq, commands, digest) VALUES ($1, $2, $3)',
        values: [seq, batch.map(({ text }) => `${time} ${text}`).join('\n'), digest],
      });
      for (const { settle } of batch) settle();
    }
    running = undefined;
  }

  return {
    send(
      texts: readonly string[],
      first: number,
      from: number,
      until: number,
      settle: (index: number, isDone: boolean) => void,
    ): void {
      for (let index = from; index < until; index += 1) {
        waiting.push({ text: texts[first + index] ?? '', settle: () => settle(index, true) });
      }
      running ??= run();
    },
    drained: async () => running,
    close: () => client.end(),
  };
}
