// A venue with a past of any length: its orders are matched by the core, journaled as an engine journals them, and written
// into the tables by the projector's own way from the journal. The event log stays empty, because history is not read from it.
import type { Context } from '../../server/src/platform/context.ts';
import { DAY_MS } from '../../server/src/platform/std/time.ts';
import { MIXED_MARKET } from '../../packages/matching/sim/mixed.ts';
import { exampleOperator } from '../../server/src/testing/operators.ts';
import { exampleCoins } from '../../server/src/testing/live-venue.ts';
import { exampleTrader, type Trader } from '../../server/src/testing/trader.ts';
import { defineCoin } from '../../server/src/trading/coins/actions.ts';
import { depositSimulated } from '../../server/src/trading/custody/simulated.ts';
import {
  decodeCommand,
  encodeCommand,
  type NewCommand,
} from '../../server/src/trading/engine/command.ts';
import { importHistory } from '../../server/src/trading/engine/import-history.ts';
import { Archive } from '../../server/src/trading/engine/journal/archive.ts';
import { machineAt, readJournalHead } from '../../server/src/trading/engine/replay.ts';
import { writeSnapshot } from '../../server/src/trading/engine/snapshot-store.ts';
import { appendRow, readHead } from '../../server/src/trading/engine/store.ts';
import { requestAct } from '../../server/src/trading/operators/actions.ts';
import { createMarket, setPhase } from '../../server/src/trading/operators/acts.ts';
import { catchUp } from '../../server/src/trading/projections/catch-up.ts';
import { connectProjector } from '../../server/src/trading/projections/projector.ts';
import { LogPages } from '../../server/src/trading/projections/log-pages.ts';
import { round } from './stats.ts';

const SHARD = 0;
const TRADERS = 256;
const FUNDS = 10n ** 28n;
const ORDERS_A_DAY = 1_000_000;
const COMMANDS_A_ROW = 4000;
/** Of ten orders, eight are pairs that trade, and two rest until they are canceled. */
const ROUND = 10;
const TRADING = 8;
/** The two that rest are commands again when they are canceled. */
const COMMANDS_A_ROUND = 12;
const PROGRESS_ORDERS = 1_000_000;
const PROGRESS_STEPS = (PROGRESS_ORDERS * COMMANDS_A_ROUND) / ROUND;
/** Ticks below the price at which pairs trade: nobody trades with an order that far away. */
const FAR = 100_000;

/** Opens a venue, and gives it this many orders, a million a day until now. */
export async function loadPast(ctx: Context, orders: number): Promise<Trader[]> {
  const endMs = Math.floor(ctx.clock.now());
  const startMs = endMs - Math.ceil((orders / ORDERS_A_DAY) * DAY_MS) - DAY_MS;
  const traders = await openVenue(ctx);
  await importHistory(ctx, { startMs, commands: [] });
  const accounts = traders.map(({ accountId }) => Number(accountId));
  await writeJournal(ctx, accounts, orders, startMs);
  await writeTables(ctx, orders);
  return traders;
}

/** Everything waits in the rows of operators until the past begins. */
async function openVenue(ctx: Context): Promise<Trader[]> {
  const operator = await exampleOperator(ctx);
  for (const coin of exampleCoins()) await defineCoin(ctx, operator, coin);
  await requestAct(ctx, operator, createMarket(MIXED_MARKET));
  await requestAct(ctx, operator, setPhase(MIXED_MARKET.symbol, 'continuous'));
  const traders: Trader[] = [];
  while (traders.length < TRADERS) traders.push(await exampleTrader(ctx));
  await depositSimulated(
    ctx,
    traders.flatMap(({ accountId }) =>
      [MIXED_MARKET.base, MIXED_MARKET.quote].map((coin) => ({
        to: Number(accountId),
        coin,
        amount: FUNDS,
      })),
    ),
  );
  return traders;
}

async function writeJournal(
  { database: { pool }, files, log }: Context,
  accounts: readonly number[],
  orders: number,
  startMs: number,
): Promise<void> {
  const head = await readJournalHead(pool, SHARD);
  const machine = await machineAt(pool, SHARD, head, { log, archive: new Archive(files) });
  const { epoch } = await readHead(pool, SHARD);
  let draft = machine.begin();
  const write = async () => {
    await appendRow(pool, {
      ...machine.seal(draft),
      shard: SHARD,
      epoch,
      events: [],
      operators: [],
    });
    draft = machine.begin();
  };
  for (let index = 0; index < orders; index += 1) {
    const time = startMs + Math.floor((index / ORDERS_A_DAY) * DAY_MS);
    for (const command of commandsOf(accounts, index)) {
      const text = encodeCommand(command);
      machine.apply(draft, decodeCommand(text, machine.stamp(time)), text);
    }
    if (draft.lines.length >= COMMANDS_A_ROW) await write();
    if (index % PROGRESS_ORDERS === PROGRESS_ORDERS - 1) report('journaled', index + 1, orders);
  }
  if (draft.lines.length > 0) await write();
  const { seq, digest } = machine;
  const client = await pool.connect();
  try {
    await writeSnapshot(client, { shard: SHARD, seq, digest, bytes: machine.snapshot() });
  } finally {
    client.release();
  }
}

/** The order of this number, and with the last of a round the cancels of those that rest. */
function commandsOf(accounts: readonly number[], index: number): NewCommand[] {
  const at = index % ROUND;
  const account = accounts[(index * 7) % accounts.length] ?? 0;
  const { symbol, listingPriceTicks, quotePrecision, basePrecision } = MIXED_MARKET;
  // The price wanders by two per cent, so that candles and sorted reads have something to sort.
  const middle = listingPriceTicks + (Math.floor(index / 1000) % 1000) * 100;
  const place: NewCommand = {
    type: 'place',
    account,
    checkpoint: Number.MAX_SAFE_INTEGER,
    order: {
      symbol,
      side: at % 2 === 0 ? 'buy' : 'sell',
      type: 'limit',
      price: at < TRADING ? middle : middle + (at % 2 === 0 ? -FAR : FAR),
      priceDecimals: quotePrecision,
      volume: 1000,
      volumeDecimals: basePrecision,
      clientOrderId: clientIdOf(index),
    },
  };
  if (at < ROUND - 1) return [place];
  return [place, ...[index - 1, index].map((resting) => cancelOf(accounts, resting))];
}

const cancelOf = (accounts: readonly number[], index: number): NewCommand => ({
  type: 'cancel',
  account: accounts[(index * 7) % accounts.length] ?? 0,
  clientOrderId: clientIdOf(index),
});

/** The client id of the order of this number. */
export const clientIdOf = (index: number): string => `growth-${index}`;

/** The trader who placed the order of this number. */
export const traderOf = (traders: readonly Trader[], index: number): Trader =>
  traders[(index * 7) % traders.length] as Trader;

async function writeTables(ctx: Context, orders: number): Promise<void> {
  const client = await connectProjector(ctx);
  let steps = 0;
  try {
    await catchUp(client, {
      ctx,
      shard: SHARD,
      pages: new LogPages(ctx.database.pool),
      stopping: new AbortController().signal,
      onWritten({ fold }) {
        const before = steps;
        steps += fold.stepCount;
        if (Math.floor(steps / PROGRESS_STEPS) > Math.floor(before / PROGRESS_STEPS)) {
          report('in the tables', (steps * ROUND) / COMMANDS_A_ROUND, orders);
        }
      },
    });
  } finally {
    // Its settings are the projector's, and of no use to anybody else.
    client.release(true);
  }
}

const report = (what: string, done: number, all: number): void =>
  console.error(`  ${round(done / 1e6, 1)} of ${all / 1e6} million orders ${what}`);
