// The market that the clients trade in, their accounts, and the orders that rest in the book from the start.
import type { ClientCommand } from '../../server/src/trading/engine/command.ts';
import type { EngineClient } from '../../server/src/trading/engine/client.ts';
import { EngineFailure } from '../../server/src/trading/engine/door.ts';
import { pause } from '../../server/src/platform/std/wait.ts';
import type { Context } from '../../server/src/platform/context.ts';
import { depositSimulated } from '../../server/src/trading/custody/simulated.ts';
import type { Operator } from '../../server/src/accounts/operators/operator.ts';
import { liveVenue } from '../../server/src/testing/live-venue.ts';
import type { Trader } from '../../server/src/testing/trader.ts';
import { exampleOperator } from '../../server/src/testing/operators.ts';
import { keyOf, type Records } from './records.ts';
import { MIDDLE, place, SYMBOL } from './market.ts';

export interface Venue {
  readonly door: readonly number[];
  readonly http: readonly Trader[];
  /** Checks whether the engine is back, and does nothing else. */
  readonly prober: number;
  /** Accounts used only for sweeps. */
  readonly swept: readonly number[];
  /** One requests what needs two people, the other approves. */
  readonly operators: readonly [Operator, Operator];
}

export interface VenueOptions {
  readonly doorTraders: number;
  readonly httpTraders: number;
  readonly resting: number;
}

const SWEPT_ACCOUNTS = 3;
/** What the venue itself can give in adjustments, in units of 10^-18. */
const OWN_FUNDS = 10n ** 24n;
const PER_MAKER = 5000;
const PER_BATCH = 20;
/** Batches under way while the book is filled. */
const UNDER_WAY = 100;

export async function openVenue(
  ctx: Context,
  client: EngineClient,
  records: Records,
  { doorTraders, httpTraders, resting }: VenueOptions,
): Promise<Venue> {
  const many = { maxOpenOrders: 1_000_000 };
  const terms = { [SYMBOL]: many, ethusdt: many, xrpusdt: many };
  const venue = await liveVenue({ ctx }, { terms, phase: 'continuous' });
  const second = await exampleOperator(ctx);
  await depositSimulated(
    ctx,
    ['btc', 'usdt'].map((coin) => ({ to: 'adjustments', coin, amount: OWN_FUNDS })),
  );
  const traders = (count: number) =>
    Promise.all(Array.from({ length: count }, () => venue.trader()));
  const http = await traders(httpTraders);
  const door = await traders(doorTraders + 1);
  const swept = await traders(SWEPT_ACCOUNTS);
  const makers = await traders(Math.ceil(resting / PER_MAKER));
  const [prober = 0, ...rest] = door.map(({ accountId }) => Number(accountId));
  await fillBook(
    client,
    records,
    makers.map(({ accountId }) => Number(accountId)),
    resting,
  );
  return {
    door: rest,
    http,
    prober,
    swept: swept.map(({ accountId }) => Number(accountId)),
    operators: [venue.operator, second],
  };
}

async function fillBook(
  client: EngineClient,
  records: Records,
  makers: readonly number[],
  resting: number,
): Promise<void> {
  let next = 0;
  async function fill(): Promise<void> {
    while (next < resting) {
      const first = next;
      next += PER_BATCH;
      const account = makers[Math.floor(first / PER_MAKER)] ?? 0;
      const orders = Array.from({ length: Math.min(PER_BATCH, resting - first) }, (_, index) =>
        restingOrder(account, first + index),
      );
      const command: ClientCommand = {
        type: 'place_batch',
        account,
        checkpoint: Number.MAX_SAFE_INTEGER,
        mode: 'independent',
        orders: orders.map(({ order }) => order),
      };
      const { result } = await persist(() => client.submit(command));
      if (result.kind !== 'batch' || result.items.some(({ kind }) => kind !== 'placed')) {
        throw new Error(`The book could not be filled: ${JSON.stringify(result)}`);
      }
      for (const one of orders) {
        const asked = records.open(
          keyOf.place(account, one.order.clientOrderId ?? ''),
          'door',
          one,
        );
        records.add(asked, { kind: 'done', said: '', isReplay: false });
      }
    }
  }
  await Promise.all(Array.from({ length: UNDER_WAY }, fill));
}

/**
 * On a busy machine an engine may be replaced while the book is filled; client ids make a repeat
 * harmless.
 */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EngineFailure) || attempt === 100) throw error;
      await pause(100);
    }
  }
}

/** Alternately below and above the middle, spread over a tenth of the price. */
function restingOrder(account: number, index: number) {
  const side = index % 2 === 0 ? 'buy' : 'sell';
  const away = 64_000 + ((index * 7919) % 640_000);
  return place(account, {
    side,
    price: side === 'buy' ? MIDDLE - away : MIDDLE + away,
    volume: 100,
    clientOrderId: `rest-${index}`,
  });
}
