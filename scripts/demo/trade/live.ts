// The demo's own traders at work: market makers who keep quoting around a price that walks, and takers who
// trade with them. They call the actions that the routes call, and not the routes: over HTTP they would use
// up the ten requests a second that a visitor on the same machine has.
import { Refusal } from '../../../server/src/platform/http/refusal.ts';
import { rarely } from '../../../server/src/platform/observe/rarely.ts';
import { pause } from '../../../server/src/platform/std/wait.ts';
import { formatFixed } from '../../../server/src/trading/amount.ts';
import type { TradingContext } from '../../../server/src/trading/context.ts';
import { EngineFailure } from '../../../server/src/trading/engine/door.ts';
import type { PrivateCaller } from '../../../server/src/trading/http/authenticate.ts';
import { cancelOrder } from '../../../server/src/trading/orders/actions/cancel.ts';
import { placeOrder } from '../../../server/src/trading/orders/actions/place.ts';
import { LEVELS, type DemoMarket } from '../data/markets.ts';
import { EXTRAS } from '../data/people.ts';
import { createChance, type Chance } from './chance.ts';
import { LEVELS_PER_SIDE, openMarkets } from './history.ts';
import { createPrices, type Prices } from './prices.ts';
import { drawLots, drawQuote, ticksOf, type Draw } from './quotes.ts';

/** Between two looks at a market. With at most three orders each, it stays below twenty a second in all. */
const TURN_MS = 220;
const NOISE_OF_TEN = 4;
const REQUOTE_OF_TEN = 8;
/** A price this much better than the middle, as a part of it, is taken at once. */
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
  /** What stands in the books, as far as this process knows: symbol and side, then the quotes. */
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

/** Trades until it is stopped. What goes wrong with one order is that order's fate; the next one comes. */
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
  const markets = openMarkets();
  return {
    ctx,
    chance,
    markets,
    prices: createPrices(chance, ctx.clock.now(), await readLevels(ctx)),
    makers: await findTraders(ctx, markets, 'maker'),
    takers: await findTraders(ctx, markets, 'taker'),
  };
}

/** Where the past has left off, so that the present does not begin with a leap. */
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

/** Takes what has become a bargain because the price moved on; now and then just takes. */
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

/** Puts one quote in place, and takes the one that lies worst away when there are enough. */
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

/** A quote that was filled before it could be canceled, or that would cross: such is trading. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Nobody signs for these traders: they are called as a route calls after it has checked a signature. */
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
