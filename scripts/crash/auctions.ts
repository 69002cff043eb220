// Auctions, one after the other, in a market of their own: an operator opens the call phase, clients place
// orders that cross, and the engine ends the phase by itself, if it lives.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../server/src/testing/random.ts';
import type { Context } from '../../server/src/platform/context.ts';
import type { Engine } from '../../server/src/trading/engine/door.ts';
import { awaitCommand, requestAct } from '../../server/src/trading/operators/actions.ts';
import { setPhase } from '../../server/src/trading/operators/acts.ts';
import { isFinal } from '../../server/src/trading/operators/command-row.ts';
import type { Operator } from '../../server/src/accounts/operators/operator.ts';
import { askDoor } from './clients.ts';
import { AUCTION_SYMBOL, VOLUME_DECIMALS, type PlaceCommand } from './market.ts';
import { keyOf, type Records } from './records.ts';
import { until } from './until.ts';

export interface AuctionsOptions {
  readonly ctx: Context;
  readonly engine: Engine;
  readonly records: Records;
  readonly operator: Operator;
  readonly accounts: readonly number[];
  random(name: string): Random;
}

export interface Auctions {
  /** Resolves when the next call phase is about to end. */
  nextEnd(): Promise<void>;
  stop(): Promise<void>;
}

const CALL_MS = 1_500;
const ORDERS = 12;
const RETRY_MS = 50;
/** In ticks of the market: 5,500,000,000 of its quote coin, without decimals. */
const MIDDLE = 5_500_000_000;
const AWAY = 20_000_000;

export function startAuctions(options: AuctionsOptions): Auctions {
  const { ctx, engine, records, operator, accounts } = options;
  const random = options.random('auctions');
  const ask = askDoor(engine);
  let isOver = false;
  let count = 0;
  let end = Promise.withResolvers<void>();

  async function open(endMs: number): Promise<void> {
    const act = setPhase(AUCTION_SYMBOL, 'auction', 'the next auction', endMs);
    const id = await until('an auction is asked for', () => requestAct(ctx, operator, act));
    await until('the auction has been decided on', async () => {
      const row = await awaitCommand(ctx, id, RETRY_MS);
      return isFinal(row.status) ? true : undefined;
    });
  }

  async function placeOne(): Promise<void> {
    count += 1;
    const account = random.pick(accounts);
    const clientOrderId = `auction-${count}`;
    const command: PlaceCommand = {
      type: 'place',
      account,
      checkpoint: Number.MAX_SAFE_INTEGER,
      order: {
        symbol: AUCTION_SYMBOL,
        type: 'limit',
        side: random.pick(['buy', 'sell'] as const),
        price: MIDDLE - AWAY + random.below(2 * AWAY),
        volume: 1000 * (1 + random.below(20)),
        volumeDecimals: VOLUME_DECIMALS,
        clientOrderId,
      },
    };
    const asked = records.open(keyOf.place(account, clientOrderId), 'door', command);
    records.add(asked, await ask(command));
  }

  async function run(): Promise<void> {
    while (!isOver) {
      const endMs = Date.now() + CALL_MS;
      await open(endMs);
      await Promise.all(Array.from({ length: ORDERS }, placeOne));
      await sleep(Math.max(0, endMs - Date.now() - RETRY_MS));
      end.resolve();
      end = Promise.withResolvers();
      await sleep(2 * RETRY_MS + random.below(CALL_MS));
    }
  }

  const running = run();
  return {
    nextEnd: () => end.promise,
    async stop() {
      isOver = true;
      await running;
    },
  };
}
