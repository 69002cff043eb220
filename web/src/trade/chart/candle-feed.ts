// Candles that follow the stream. What the stream brings while history is on its way waits, and both are merged by open
// time. After every cut the bars from the last closed one on are asked for again.
import type { Candle } from '@rialto/sdk';
import type { Interval } from '../address.ts';
import { createGate } from '../venue/gate.ts';
import type { Venue } from '../venue/venue.ts';
import { lastClosedMs, mergeCandles, openMs } from './candles.ts';

export interface CandleState {
  readonly candles: readonly Candle[];
  readonly isLoading: boolean;
  readonly error: unknown;
}

export interface CandleFeed {
  /** The same object until it changes. */
  current(): CandleState;
  /** Called at most four times a second. */
  subscribe(listener: () => void): () => void;
  /** Asks for what is before the first one; does nothing at the beginning of history. */
  loadOlder(): void;
  retry(): void;
  close(): void;
}

const REPAINT_MS = 250;
const PAGE = 500;

export function createCandleFeed(venue: Venue, symbol: string, interval: Interval): CandleFeed {
  const gate = createGate(REPAINT_MS);
  let state: CandleState = { candles: [], isLoading: true, error: undefined };
  let waiting: Candle[] | undefined = [];
  let isFirst = true;
  let isAtBeginning = false;
  let isLoadingOlder = false;
  let isClosed = false;
  /** Only the last question counts: a cut during one asks another. */
  let asked = 0;

  const become = (change: Partial<CandleState>): void => {
    state = { ...state, ...change };
    gate.signal();
  };
  const ask = (range: { from?: number; to?: number }): Promise<readonly Candle[]> =>
    venue.trading.public.candlesticks({ symbol, resolution: interval, limit: PAGE, ...range });

  const load = async (): Promise<void> => {
    asked += 1;
    const mine = asked;
    waiting ??= [];
    const from = lastClosedMs(state.candles);
    try {
      const found = await ask(from === undefined ? {} : { from });
      if (isClosed || mine !== asked) return;
      const merged = mergeCandles(mergeCandles(state.candles, found), waiting);
      waiting = undefined;
      become({ candles: merged, isLoading: false, error: undefined });
      // A longer cut than one page: go on from there.
      if (from !== undefined && found.length >= PAGE) await load();
    } catch (error) {
      if (isClosed || mine !== asked) return;
      // The stream goes on by itself; without history before it, the failure is said.
      const rest = waiting ?? [];
      waiting = undefined;
      const candles = mergeCandles(state.candles, rest);
      become({ candles, isLoading: false, error: from === undefined ? error : undefined });
    }
  };

  const following = venue.streams.subscribe(`candles:${symbol}:${interval}`, (event) => {
    if (event.type === 'gap' || event.type === 'reset') return void load();
    if (event.type === 'snapshot' && !isFirst) void load();
    if (event.type === 'snapshot') isFirst = false;
    if (waiting !== undefined) waiting.push(event.data);
    else become({ candles: mergeCandles(state.candles, [event.data]) });
  });
  void load();

  return {
    current: () => state,
    subscribe: gate.subscribe,
    loadOlder() {
      const [first] = state.candles;
      if (first === undefined || isAtBeginning || isLoadingOlder) return;
      isLoadingOlder = true;
      ask({ to: openMs(first) })
        .then((older) => {
          isAtBeginning = older.length === 0;
          if (!isClosed) become({ candles: mergeCandles(state.candles, older) });
        })
        // Scrolling on asks again.
        .catch(() => undefined)
        .finally(() => {
          isLoadingOlder = false;
        });
    },
    retry() {
      become({ isLoading: true, error: undefined });
      void load();
    },
    close() {
      isClosed = true;
      following.close();
      gate.close();
    },
  };
}
