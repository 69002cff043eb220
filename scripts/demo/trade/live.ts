// The demo's own traders: market makers who quote around a moving price, and takers who trade with
// them. They call the same actions as the routes. Over HTTP they would use up the ten requests a
// second that a visitor on the same machine has.
import { Refusal } from '../../../server/src/platform/http/refusal.ts';
import { rarely } from '../../../server/src/platform/observe/rarely.ts';
import { pause } from '../../../server/src/platform/std/wait.ts';
import { formatFixed } from '../../../server/src/trading/amount.ts';
import type { TradingContext } from '../../../server/src/trading/context.ts';
import { EngineFailure } from '../../../server/src/trading/engine/door.ts';
import type { PrivateCaller } from '../../../server/src/trading/http/authenticate.ts';
import { cancelOrder } from '../../../server/src/trading/orders/actions/cancel.ts';
import { placeOrder } from '../../../server/src/trading/orders/actions/place.ts';
import { LEVELS, MARKETS, type DemoMarket } from '../data/markets.ts';
import { EXTRAS } from '../data/people.ts';
import { createChance, type Chance } from './chance.ts';
import { LEVELS_PER_SIDE } from './history.ts';
import { createPrices, type Prices } from './prices.ts';
import { drawLots, drawQuote, ticksOf, type Draw } from './quotes.ts';

/**
 * Pause between two looks at a market. With at most three orders each, all markets stay below
 * twenty a second.
 */
const TURN_MS = 220;
const NOISE_OF_TEN = 4;
const REQUOTE_OF_TEN = 8;
/** A price better than the middle by this share is taken at once. */
const BARGAIN = 0.0002;
const WINDOW_MS = 5000;
const OPEN_MAX = 200;
const COMPLAIN_EVERY_MS = 60_000;

type Side = 'buy' | 'sell';

interface Quote {
  readonly orderId: bigint;
  readonly priceTicks: number;
}

interface Trader {
  readonly account: PrivateCaller['account'];
  /** The quotes in the books that this process knows of, by symbol and side. */
  readonly quotes: Map<string, Quote[]>;
}

interface Floor {
  readonly ctx: TradingContext;
  readonly chance: Chance;
  readonly prices: Prices;
  readonly markets: readonly DemoMarket[];
  readonly makers: readonly Trader[];
  readonly takers: readonly Trader[];
}

export interface LiveTrading {
  stop(): Promise<void>;
}

/** Trades until it is stopped. A failed order is dropped, and trading goes on. */
export function startLiveTrading(ctx: TradingContext, seed: number): LiveTrading {
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  const trading = (async () => {
    let floor: Floor | undefined;
    while (!stopping.signal.aborted) {
      try {
        floor ??= await openFloor(ctx, seed);
        await takeTurn(floor);
      } catch (error) {
        if (!(error instanceof EngineFailure)) {
          complain((keptBack) => ctx.log.warn({ err: error, keptBack }, 'The demo cannot trade.'));
        }
      }
      await pause(TURN_MS, stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await trading;
    },
  };
}

async function openFloor(ctx: TradingContext, seed: number): Promise<Floor> {
  const chance = createChance(seed);
  const listed = await ctx.engine.read('markets', {});
  const open = listed.filter(({ phase }) => phase === 'continuous');
  const markets = MARKETS.filter(({ symbol }) =>
    open.some(({ config }) => config.symbol === symbol),
  );
  return {
    ctx,
    chance,
    markets,
    prices: createPrices(chance, ctx.clock.now(), await readLevels(ctx)),
    makers: await findTraders(ctx, markets, 'maker'),
    takers: await findTraders(ctx, markets, 'taker'),
  };
}

/** Starts from the last historical price, so that the present does not begin with a jump. */
async function readLevels(ctx: TradingContext): Promise<Record<string, number>> {
  const levels: Record<string, number> = { ...LEVELS };
  for (const { config, lastPriceTicks } of await ctx.engine.read('markets', {})) {
    const price = lastPriceTicks / 10 ** config.quotePrecision;
    if (price === 0) continue;
    if (config.quote === 'usdt') levels[config.base] = price;
    else if (config.base === 'usdt') levels[config.quote] = 1 / price;
  }
  return levels;
}

async function findTraders(
  ctx: TradingContext,
  markets: readonly DemoMarket[],
  desk: 'maker' | 'taker',
): Promise<Trader[]> {
  const emails = EXTRAS.filter((person) => person.desk === desk).map(({ email }) => email);
  const accounts = await ctx.db
    .selectFrom('tradingAccounts')
    .innerJoin('users', 'users.id', 'tradingAccounts.userId')
    .selectAll('tradingAccounts')
    .where('users.email', 'in', emails)
    .orderBy('tradingAccounts.id')
    .execute();
  const traders = accounts.map((account): Trader => ({ account, quotes: new Map() }));
  for (const { account, quotes } of traders) {
    for (const { symbol } of markets) {
      const query = { account: Number(account.id), symbol, limit: OPEN_MAX };
      for (const { orderId, side, price } of await ctx.engine.read('open', query)) {
        quotesOf({ account, quotes }, symbol, side).push({
          orderId: BigInt(orderId),
          priceTicks: price,
        });
      }
    }
  }
  return traders;
}

function quotesOf({ quotes }: Trader, symbol: string, side: Side): Quote[] {
  const key = `${symbol} ${side}`;
  const known = quotes.get(key) ?? [];
  quotes.set(key, known);
  return known;
}

async function takeTurn(floor: Floor): Promise<void> {
  const { ctx, chance, prices } = floor;
  const market = chance.pick(floor.markets);
  prices.advance(ctx.clock.now());
  const middle = prices.of(market.base, market.quote);
  await take(floor, market, middle);
  if (chance.below(10) < REQUOTE_OF_TEN) await requote(floor, market, middle);
}

/** Takes orders that became a bargain because the price moved; sometimes takes at random. */
async function take(floor: Floor, market: DemoMarket, middle: number): Promise<void> {
  const { ctx, chance } = floor;
  const depth = await ctx.engine.read('depth', { symbol: market.symbol, limit: 1 });
  const [bid] = depth?.bids ?? [];
  const [ask] = depth?.asks ?? [];
  const trader = chance.pick(floor.takers);
  const buyUpTo = ticksOf(market, middle * (1 - BARGAIN));
  const sellDownTo = ticksOf(market, middle * (1 + BARGAIN));
  if (ask !== undefined && ask.priceTicks < buyUpTo) {
    await place(floor, trader, market, 'buy', { priceTicks: buyUpTo, lots: ask.lots }, 'IOC');
  } else if (bid !== undefined && bid.priceTicks > sellDownTo) {
    await place(floor, trader, market, 'sell', { priceTicks: sellDownTo, lots: bid.lots }, 'IOC');
  } else if (chance.below(10) < NOISE_OF_TEN) {
    const side = chance.below(2) === 0 ? 'buy' : 'sell';
    const best = side === 'buy' ? ask : bid;
    if (best === undefined) return;
    const lots = drawLots(chance, market, best.priceTicks, 0.4);
    await place(floor, trader, market, side, { priceTicks: best.priceTicks, lots }, 'IOC');
  }
}

/** Places one quote, and cancels the worst one when there are enough. */
async function requote(floor: Floor, market: DemoMarket, middle: number): Promise<void> {
  const { chance } = floor;
  const side = chance.below(2) === 0 ? 'buy' : 'sell';
  const maker = chance.pick(floor.makers);
  const quotes = quotesOf(maker, market.symbol, side);
  if (quotes.length >= LEVELS_PER_SIDE) {
    const away = (quote: Quote) => Math.abs(quote.priceTicks - ticksOf(market, middle));
    const worst = quotes.reduce((one, other) => (away(other) > away(one) ? other : one));
    quotes.splice(quotes.indexOf(worst), 1);
    await unlessRefused(() =>
      cancelOrder(floor.ctx, callerOf(floor, maker), { orderId: worst.orderId }, {}),
    );
  }
  const draw = drawQuote(chance, market, middle, side, chance.below(LEVELS_PER_SIDE));
  const orderId = await place(floor, maker, market, side, draw, 'GTC');
  if (orderId !== undefined) quotes.push({ orderId, priceTicks: draw.priceTicks });
}

async function place(
  floor: Floor,
  trader: Trader,
  market: DemoMarket,
  side: Side,
  { priceTicks, lots }: Draw,
  timeInForce: 'GTC' | 'IOC',
): Promise<bigint | undefined> {
  const placed = await unlessRefused(() =>
    placeOrder(floor.ctx, callerOf(floor, trader), {
      symbol: market.symbol,
      side,
      type: 'limit',
      price: formatFixed(BigInt(priceTicks), market.quotePrecision),
      volume: formatFixed(BigInt(lots), market.basePrecision),
      timeInForce,
      ...(timeInForce === 'GTC' ? { postOnly: true } : {}),
    }),
  );
  return placed && BigInt(placed.order.orderId);
}

/** Expected refusals: a quote that was filled before its cancellation, or that would cross. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/**
 * These traders sign nothing: the actions are called as a route calls them after the signature
 * check.
 */
function callerOf({ ctx }: Floor, { account }: Trader): PrivateCaller {
  const nowMs = ctx.clock.now();
  const admission = { admitted: true, atMs: nowMs, remaining: 1, resetMs: nowMs, token: 0 };
  return {
    address: 'demo',
    nowMs,
    keyId: 'demo',
    permissions: ['read', 'trade'],
    markets: [],
    account,
    signedMs: nowMs,
    windowMs: WINDOW_MS,
    admissions: { address: admission, account: admission },
  };
}
