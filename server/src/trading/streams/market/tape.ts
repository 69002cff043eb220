// The newest trades and phases of all markets, as the log brings them. What a channel shows comes from the tables once;
// the tape has what came after, so that a channel is exact from its first push and never behind the tables.
import type { PhaseChange, Step, Trade } from '@rialto/matching';
import type { Db } from '../../../platform/db/pool.ts';
import { rarely } from '../../../platform/observe/rarely.ts';
import { pause } from '../../../platform/std/wait.ts';
import { AMOUNT_DECIMALS } from '../../amount.ts';
import type { Batch } from '../../batches/batch.ts';
import type { Precision } from '../../books/print.ts';
import type { TradingContext } from '../../context.ts';
import { refuse } from '../../http/errors.ts';
import { awaitProjection, readAtCheckpoint, readCheckpoint } from '../../projections/access.ts';
import type { TradeOnTape } from '../../trades/trade.ts';

export interface TapedTrade extends TradeOnTape, Precision {
  readonly symbol: string;
}

/** What one step of the engine did that is public: trades of one market, or phases. */
export interface TapedStep {
  readonly timeMs: number;
  readonly trades: readonly TapedTrade[];
  readonly phases: readonly PhaseChange[];
}

interface Kept extends TapedStep {
  /** The row of the journal. */
  readonly seq: number;
}

/** What lives from the tape: a state of the tables, and every step after it. */
export interface TapeFollower<T> {
  read(db: Db): Promise<T>;
  /** Gets what was read, and the steps since. Called again after a gap in the log. */
  reset(value: T, since: readonly TapedStep[]): void;
  onStep(step: TapedStep): void;
}

export interface Tape {
  take(batch: Batch): void;
  /** Batches are missing: what was loaded before no longer leads to what comes. */
  restart(): void;
  /** Resolves when the follower has its state: from then on nothing is missing and nothing comes twice. */
  follow<T>(follower: TapeFollower<T>): Promise<() => void>;
  stop(): void;
}

/** Steps that are kept for followers that are loading; the tables are usually less than a second behind. */
const KEPT_MAX = 20_000;
const TRIES_MAX = 5;
const RETRY_MS = 250;
const COMPLAIN_EVERY_MS = 5000;

interface Entry {
  readonly follower: TapeFollower<unknown>;
  isReady: boolean;
}

export function createTape(ctx: TradingContext): Tape {
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  const entries = new Set<Entry>();
  /** Decoding costs something, so it begins with the first follower. */
  let isOn = false;
  let kept: Kept[] = [];
  /** The tape has every row after this one; undefined until the first has come. */
  let keptAfter: number | undefined;
  let generation = 0;

  function forgetOldest(): void {
    const gone = kept.splice(0, KEPT_MAX / 2);
    keptAfter = gone.at(-1)?.seq ?? keptAfter;
  }

  async function load(entry: Entry): Promise<void> {
    const { follower } = entry;
    for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
      const begun = generation;
      // From here on the tape has everything; the tables get at least what was before. A tape that has run for a while
      // has that already, however late the tables are.
      const after = keptAfter;
      const isRunning = after !== undefined && (await readCheckpoint(ctx)).seq >= after;
      if (!isRunning) await awaitProjection(ctx, { orElse: 'refuse' });
      const { reached, value } = await readAtCheckpoint(ctx, (db) => follower.read(db));
      const { seq } = reached;
      if (begun !== generation || (keptAfter !== undefined && seq < keptAfter)) continue;
      follower.reset(
        value,
        kept.filter((step) => step.seq > seq),
      );
      entry.isReady = true;
      return;
    }
    throw refuse('UNAVAILABLE', 'The history is not up to date. Subscribe again in a second.');
  }

  async function reload(entry: Entry): Promise<void> {
    while (!stopping.signal.aborted && entries.has(entry)) {
      try {
        await load(entry);
        return;
      } catch (error) {
        complain((keptBack) =>
          ctx.log.warn({ err: error, keptBack }, 'A stream cannot be loaded; it is tried again.'),
        );
        await pause(RETRY_MS, stopping.signal);
      }
    }
  }

  return {
    take(batch) {
      if (!isOn) return;
      // The parts before this one, if it is not the first of its row, have passed by.
      keptAfter ??= batch.part === 0 ? batch.seq - 1 : batch.seq;
      for (const step of batch.steps) {
        if (step.trades.length === 0 && step.phases.length === 0) continue;
        const taped = { ...toTaped(step), seq: batch.seq };
        kept.push(taped);
        for (const { follower, isReady } of entries) if (isReady) follower.onStep(taped);
      }
      if (kept.length > KEPT_MAX) forgetOldest();
    },
    restart() {
      generation += 1;
      kept = [];
      keptAfter = undefined;
      for (const entry of entries) {
        // One that was not ready is being loaded, and sees the new generation.
        if (!entry.isReady) continue;
        entry.isReady = false;
        void reload(entry);
      }
    },
    async follow(follower) {
      isOn = true;
      const entry: Entry = { follower, isReady: false };
      entries.add(entry);
      try {
        await load(entry);
      } catch (error) {
        entries.delete(entry);
        throw error;
      }
      return () => void entries.delete(entry);
    },
    stop: () => stopping.abort(),
  };
}

const scaleOf = (decimals: number) => 10n ** BigInt(AMOUNT_DECIMALS - decimals);

const toTaped = ({ time, trades, phases }: Step): TapedStep => ({
  timeMs: time,
  trades: trades.map((trade) => toTrade(trade, time)),
  phases,
});

const toTrade = (trade: Trade, timeMs: number): TapedTrade => ({
  symbol: trade.symbol,
  tradeId: BigInt(trade.tradeId),
  price: BigInt(trade.priceTicks) * scaleOf(trade.priceDecimals),
  volume: BigInt(trade.lots) * scaleOf(trade.volumeDecimals),
  total: trade.total,
  takerSide: trade.takerSide,
  timeMs: BigInt(timeMs),
  quotePrecision: trade.priceDecimals,
  basePrecision: trade.volumeDecimals,
});
