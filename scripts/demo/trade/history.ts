// The week before the demo began: for every open market, trades around a moving price, more
// frequent towards the present, and at the end a book on both sides.
import { MINUTE_MS, DAY_MS } from '../../../server/src/platform/std/time.ts';
import type { NewCommand } from '../../../server/src/trading/engine/command.ts';
import type { PastCommand } from '../../../server/src/trading/engine/import-history.ts';
import { MARKETS, type DemoMarket } from '../data/markets.ts';
import { createChance, type Chance } from './chance.ts';
import { drawPatient } from './patient.ts';
import { createPrices } from './prices.ts';
import { drawLots, drawQuote, ticksOf, type Draw } from './quotes.ts';

export const HISTORY_MS = 7 * DAY_MS;

/** Minutes between the trades of a market: on the earlier days, and on the last one. */
const EARLIER_MINUTES = 20;
const LAST_DAY_MINUTES = 5;
/** Levels of a side of the book, for each market maker. */
export const LEVELS_PER_SIDE = 10;
/** Markets with orders that wait for a price. */
const PATIENT_MARKETS = 3;
/** How long before the end the book is placed. */
const BOOK_MS = 5000;

export interface Desk {
  readonly makers: readonly number[];
  readonly takers: readonly number[];
  /** Who waits for prices in the first markets. */
  readonly patient: readonly number[];
}

export const openMarkets = (): DemoMarket[] =>
  MARKETS.filter(({ phase }) => phase === 'continuous');

/** The commands of the week that ends at `endMs`, in order of their times. */
export function* drawHistory(seed: number, endMs: number, desk: Desk): Generator<PastCommand> {
  const chance = createChance(seed);
  const startMs = endMs - HISTORY_MS;
  const prices = createPrices(chance, startMs);
  const bookMs = endMs - BOOK_MS;
  const markets = openMarkets();
  // When each market trades next; the earliest comes first.
  const next = markets.map(() => startMs + chance.below(EARLIER_MINUTES * MINUTE_MS));
  for (;;) {
    const time = Math.min(...next);
    if (time >= bookMs) break;
    const index = next.indexOf(time);
    const market = markets[index]!;
    prices.advance(time);
    yield* drawTrade(chance, market, prices.of(market.base, market.quote), time, desk);
    const minutes = endMs - time < DAY_MS ? LAST_DAY_MINUTES : EARLIER_MINUTES;
    next[index] = time + 1 + chance.below(2 * minutes * MINUTE_MS);
  }
  prices.advance(bookMs);
  for (const market of markets) {
    const middle = prices.of(market.base, market.quote);
    for (const account of desk.makers) {
      yield { time: bookMs, command: drawBook(chance, market, middle, account) };
    }
  }
  for (const market of markets.slice(0, PATIENT_MARKETS)) {
    for (const account of desk.patient) {
      const commands = drawPatient(market, prices.of(market.base, market.quote), account);
      for (const command of commands) yield { time: bookMs, command };
    }
  }
}

/** One or two resting orders, and one that takes them. */
function* drawTrade(
  chance: Chance,
  market: DemoMarket,
  middle: number,
  time: number,
  desk: Desk,
): Generator<PastCommand> {
  const side = chance.below(2) === 0 ? 'buy' : 'sell';
  const maker = chance.pick(desk.makers);
  const best = ticksOf(market, middle);
  const lots = drawLots(chance, market, best, 1);
  const resting: Draw[] = [{ priceTicks: best, lots }];
  if (chance.below(4) === 0) {
    const worse = Math.max(1, Math.round(best * 0.0008)) * (side === 'buy' ? 1 : -1);
    resting.push({ priceTicks: Math.max(1, best + worse), lots: Math.ceil(lots / 3) });
  }
  const other = side === 'buy' ? 'sell' : 'buy';
  for (const draw of resting) {
    yield { time, command: place(maker, { ...termsOf(market, other, draw), postOnly: true }) };
  }
  const taken = {
    priceTicks: resting.at(-1)!.priceTicks,
    lots: resting.reduce((sum, draw) => sum + draw.lots, 0),
  };
  const taker = chance.pick(desk.takers);
  yield {
    time: time + 1,
    command: place(taker, { ...termsOf(market, side, taken), timeInForce: 'IOC' }),
  };
}

function drawBook(chance: Chance, market: DemoMarket, middle: number, account: number): NewCommand {
  const orders = (['buy', 'sell'] as const).flatMap((side) =>
    Array.from({ length: LEVELS_PER_SIDE }, (_, level) => ({
      ...termsOf(market, side, drawQuote(chance, market, middle, side, level)),
      postOnly: true,
    })),
  );
  return { type: 'place_batch', account, mode: 'independent', orders };
}

type PlaceCommand = Extract<NewCommand, { type: 'place' }>;
type Terms = PlaceCommand['order'];

const termsOf = (market: DemoMarket, side: 'buy' | 'sell', { priceTicks, lots }: Draw): Terms => ({
  symbol: market.symbol,
  side,
  type: 'limit',
  price: priceTicks,
  priceDecimals: market.quotePrecision,
  volume: lots,
  volumeDecimals: market.basePrecision,
});

const place = (account: number, order: Terms): PlaceCommand => ({ type: 'place', account, order });
