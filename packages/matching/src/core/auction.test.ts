import { describe, expect, test } from 'vitest';
import { TICK_LOT, LOT, Venue, describe as kindOf } from '../../sim/example.ts';
import {
  LIMITS,
  apply,
  audit,
  findDepth,
  findOrder,
  listMarkets,
  restore,
  snapshot,
  stateHash,
} from '../index.ts';
import type { Order, OrderTerms, Phase, Uncross } from '../index.ts';

const SYMBOL = 'btcusdt';

const setPhase = (venue: Venue, phase: Phase, until?: number) =>
  venue.do({ type: 'set_phase', symbol: SYMBOL, phase, ...(until === undefined ? {} : { until }) });
const call = (venue: Venue, until?: number) => setPhase(venue, 'auction', until);
const open = (venue: Venue) => setPhase(venue, 'continuous');
const phaseOf = (venue: Venue): string => listMarkets(venue.state)[0]!.phase;
const uncrosses = (venue: Venue): Uncross[] => venue.steps.flatMap((step) => step.uncrosses);
const orderOf = (venue: Venue, order: Order): Order | undefined =>
  findOrder(venue.state, order.account, { orderId: order.orderId });

describe('the call phase', () => {
  test('gathers orders that cross, and trades nothing', () => {
    const venue = new Venue();
    call(venue);
    const bid = venue.buy(1, 1010, 5);
    const ask = venue.sell(2, 990, 5);
    expect([bid.status, ask.status]).toEqual(['open', 'open']);
    expect(venue.steps.flatMap((step) => step.trades)).toEqual([]);
    expect(findDepth(venue.state, SYMBOL)).toMatchObject({
      bids: [{ priceTicks: 1010, lots: 5 }],
      asks: [{ priceTicks: 990, lots: 5 }],
    });
    expect(audit(venue.state)).toEqual([]);
  });

  test('takes limit orders that wait, and refuses every other kind', () => {
    const venue = new Venue();
    venue.sell(1, 1000, 1);
    venue.buy(2, 1000, 1);
    call(venue);
    const limit = { price: 1000, volume: 1 };
    const refused: Array<Partial<OrderTerms>> = [
      { ...limit, timeInForce: 'IOC' },
      { ...limit, timeInForce: 'FOK' },
      { ...limit, postOnly: true },
      { type: 'market', volume: 1 },
      { type: 'stop_limit', stopPrice: 1100, ...limit },
      { type: 'stop_market', side: 'sell', stopPrice: 900, volume: 1 },
      { type: 'take_profit_limit', stopPrice: 900, ...limit },
    ];
    for (const terms of refused) expect(kindOf(venue.place(1, terms)), terms.type).toBe(4004);
    const expireTime = venue.time + 60_000;
    for (const terms of [
      limit,
      { ...limit, timeInForce: 'GTD', expireTime },
      { ...limit, volume: 10, visibleVolume: 2 },
    ] as const) {
      expect(kindOf(venue.place(1, terms))).toBe('placed');
    }
    expect(kindOf(venue.place(1, { price: 1501, volume: 1 }))).toBe(4009);
  });

  test('lets orders be amended across the book and canceled', () => {
    const venue = new Venue();
    const resting = venue.sell(3, 1020, 2, { postOnly: true });
    call(venue);
    const bid = venue.buy(1, 1010, 5);
    const amended = venue.do({
      type: 'amend',
      account: 3,
      orderId: resting.orderId,
      price: 1005,
      priceDecimals: 1,
    });
    expect(kindOf(amended.result)).toBe('amended');
    expect(amended.steps.flatMap((step) => step.trades)).toEqual([]);
    expect(venue.do({ type: 'cancel', account: 1, orderId: bid.orderId }).result.kind).toBe(
      'canceled',
    );
    expect(venue.balance(1, 'usdt').hold).toBe(0n);
  });

  test('a test order fills nothing, and shows the hold', () => {
    const venue = new Venue();
    venue.sell(2, 900, 5);
    call(venue);
    const order: OrderTerms = {
      symbol: SYMBOL,
      side: 'buy',
      type: 'limit',
      price: 1000,
      priceDecimals: 1,
      volume: 2,
      volumeDecimals: 2,
    };
    expect(venue.do({ type: 'test', account: 1, order }).result).toMatchObject({
      kind: 'tested',
      fills: [],
      fee: 0n,
      hold: 2000n * TICK_LOT,
    });
  });

  test('its end is a whole number of milliseconds within a day', () => {
    const venue = new Venue();
    for (const until of [venue.time, venue.time - 1, venue.time + 0.5, Number.NaN]) {
      expect(kindOf(call(venue, until).result)).toBe(2003);
    }
    expect(kindOf(call(venue, venue.time + LIMITS.auctionMaxMs + 1).result)).toBe(2003);
    expect(kindOf(setPhase(venue, 'halted', venue.time + 1).result)).toBe(2009);
    expect(phaseOf(venue)).toBe('continuous');
    expect(kindOf(call(venue, venue.time + LIMITS.auctionMaxMs).result)).toBe('done');
  });

  test('before rules 4 there are no auctions', () => {
    const venue = new Venue({ core: { rules: 3 }, market: { auctionSeconds: -5 } });
    expect(kindOf(call(venue).result)).toBe(2010);
    expect(listMarkets(venue.state)[0]!.config).not.toHaveProperty('auctionSeconds');
    // The end of a phase was not known either.
    expect(kindOf(setPhase(venue, 'halted', -1).result)).toBe('done');
  });
});

describe('the uncross', () => {
  test('trades by price and then by time, at one price, and returns the improvement', () => {
    const venue = new Venue();
    call(venue);
    const late = venue.buy(1, 1000, 4);
    const best = venue.buy(2, 1020, 4);
    const first = venue.sell(3, 980, 6);
    open(venue);
    expect(uncrosses(venue)).toEqual([
      {
        symbol: SYMBOL,
        priceTicks: 1000,
        lots: 6,
        imbalanceLots: 2,
        referenceTicks: 1000,
        priceDecimals: 1,
        volumeDecimals: 2,
      },
    ]);
    const [step] = venue.steps;
    expect(
      step!.trades.map((t) => [t.buyer.orderId, t.seller.orderId, t.lots, t.priceTicks]),
    ).toEqual([
      [best.orderId, first.orderId, 4, 1000],
      [late.orderId, first.orderId, 2, 1000],
    ]);
    expect(orderOf(venue, late)).toMatchObject({
      status: 'partially_filled',
      held: 2000n * TICK_LOT,
    });
    expect(venue.balance(2, 'usdt').hold).toBe(0n);
    expect(orderOf(venue, best)!.filledTotal).toBe(4000n * TICK_LOT);
    expect(phaseOf(venue)).toBe('continuous');
    expect(audit(venue.state)).toEqual([]);
  });

  test('serves the older order first at the marginal price', () => {
    const venue = new Venue();
    call(venue);
    const older = venue.buy(1, 1000, 3);
    const younger = venue.buy(2, 1000, 3);
    venue.sell(3, 1000, 4);
    open(venue);
    expect(orderOf(venue, older)!.filledVolume).toBe(3);
    expect(orderOf(venue, younger)!.filledVolume).toBe(1);
  });

  test('both sides pay the maker’s rate, and nobody gets a rebate', () => {
    for (const [makerPpm, feePpm] of [
      [1000, 1000],
      [-500, 0],
    ] as const) {
      const venue = new Venue({ makerPpm, takerPpm: 3000 });
      call(venue);
      venue.buy(1, 1000, 10);
      venue.sell(2, 1000, 10);
      open(venue);
      const [trade] = venue.steps.flatMap((step) => step.trades);
      expect(trade).toMatchObject({
        takerSide: 'sell',
        rebate: 0n,
        buyer: { feePpm, fee: (10n * LOT * BigInt(feePpm)) / 1_000_000n },
        seller: { feePpm, fee: (10_000n * TICK_LOT * BigInt(feePpm)) / 1_000_000n },
      });
    }
  });

  test('a self-match ends the younger order, and the others go on', () => {
    const venue = new Venue();
    call(venue);
    const mine = venue.buy(1, 1010, 5);
    const other = venue.buy(2, 1005, 5);
    const own = venue.sell(1, 990, 3);
    const theirs = venue.sell(3, 995, 5);
    open(venue);
    const [step] = venue.steps;
    expect(step!.prevented).toEqual([
      {
        symbol: SYMBOL,
        takerOrderId: mine.orderId,
        makerOrderId: own.orderId,
        priceTicks: 1000,
        lots: 0,
        mode: 'expire_maker',
      },
    ]);
    expect(orderOf(venue, own)).toMatchObject({ status: 'expired', statusReason: 'stp', held: 0n });
    expect(orderOf(venue, mine)!.status).toBe('filled');
    expect(orderOf(venue, theirs)!.status).toBe('filled');
    expect(orderOf(venue, other)!.status).toBe('open');
    // 8 were offered before the self-match, and 10 wanted.
    expect(uncrosses(venue)).toMatchObject([{ priceTicks: 1000, lots: 5, imbalanceLots: 5 }]);
  });

  test('if orders still meet after a self-match, they trade at their own price', () => {
    const venue = new Venue();
    call(venue);
    const ask = venue.sell(1, 900, 10);
    const other = venue.buy(2, 950, 10);
    const own = venue.buy(1, 1000, 10);
    open(venue);
    expect(orderOf(venue, own)).toMatchObject({ status: 'expired', statusReason: 'stp' });
    expect(orderOf(venue, ask)!.status).toBe('filled');
    expect(orderOf(venue, other)!.status).toBe('filled');
    expect(uncrosses(venue)).toMatchObject([{ priceTicks: 950, lots: 10 }]);
    expect(audit(venue.state)).toEqual([]);
  });

  test('an iceberg takes part with all it has', () => {
    const venue = new Venue();
    call(venue);
    const iceberg = venue.sell(1, 1000, 10, { visibleVolume: 2 });
    const behind = venue.sell(3, 1000, 5);
    venue.buy(2, 1000, 7);
    open(venue);
    expect(orderOf(venue, iceberg)).toMatchObject({ filledVolume: 7, remainingVolume: 3 });
    expect(orderOf(venue, behind)!.filledVolume).toBe(0);
    expect(findDepth(venue.state, SYMBOL)!.asks).toEqual([{ priceTicks: 1000, lots: 7 }]);
    // Its next slice is at the back of the level.
    venue.buy(2, 1000, 5);
    expect(orderOf(venue, behind)!.status).toBe('filled');
  });

  test('leaves out orders that have expired', () => {
    const venue = new Venue({ core: { sweepStep: 1 } });
    call(venue);
    const expireTime = venue.time + 5_000;
    const gone = [1, 2].map((account) =>
      venue.buy(account, 1100, 5, { timeInForce: 'GTD', expireTime }),
    );
    const bid = venue.buy(2, 1000, 5);
    venue.sell(3, 1000, 5);
    venue.time = expireTime;
    open(venue);
    expect(orderOf(venue, bid)!.status).toBe('filled');
    for (const order of gone) {
      expect(orderOf(venue, order)).toMatchObject({ statusReason: 'gtd', filledVolume: 0 });
    }
  });

  test('with nothing to trade says so', () => {
    const venue = new Venue();
    call(venue);
    venue.buy(1, 990, 5);
    open(venue);
    expect(uncrosses(venue)).toMatchObject([{ priceTicks: 0, lots: 0, imbalanceLots: 0 }]);
    expect(venue.steps.flatMap((step) => step.trades)).toEqual([]);
  });

  test('triggers stops, once, after it', () => {
    const venue = new Venue();
    venue.sell(1, 1000, 1);
    venue.buy(2, 1000, 1);
    const stop = venue.placed(3, { type: 'stop_limit', stopPrice: 1050, price: 1060, volume: 1 });
    call(venue);
    venue.buy(1, 1100, 5);
    venue.sell(2, 1060, 5);
    expect(orderOf(venue, stop)!.status).toBe('pending');
    open(venue);
    expect(venue.steps.map((step) => step.cause)).toEqual(['command', 'trigger']);
    expect(orderOf(venue, stop)!.status).toBe('open');
  });
});

describe('how an auction begins and ends', () => {
  test('by its own timer', () => {
    const venue = new Venue();
    call(venue, venue.time + 30_000);
    venue.buy(1, 1010, 5);
    venue.sell(2, 990, 5);
    venue.time += 29_999;
    venue.do({ type: 'tick' });
    expect(phaseOf(venue)).toBe('auction');
    venue.time += 1;
    venue.do({ type: 'tick' });
    expect(venue.steps[0]!.cause).toBe('phase_end');
    expect(uncrosses(venue)).toMatchObject([{ priceTicks: 1000, lots: 5 }]);
    expect(phaseOf(venue)).toBe('continuous');
  });

  test('a crossed book that leaves the auction for another phase is uncrossed before it trades', () => {
    for (const next of ['continuous', 'post_only'] as const) {
      const venue = new Venue();
      call(venue);
      venue.buy(1, 1010, 5);
      venue.sell(2, 990, 5);
      setPhase(venue, 'cancel_only');
      expect(uncrosses(venue)).toEqual([]);
      expect(audit(venue.state)).toEqual([]);
      expect(audit(restore(snapshot(venue.state)))).toEqual([]);
      setPhase(venue, next);
      expect(uncrosses(venue)).toMatchObject([{ priceTicks: 1000, lots: 5 }]);
      expect(findDepth(venue.state, SYMBOL)).toMatchObject({ bids: [], asks: [] });
    }
  });

  test('a market that is being swept does not uncross what is about to go', () => {
    const venue = new Venue({ core: { sweepStep: 1 } });
    call(venue);
    for (let i = 0; i < 3; i++) venue.buy(1, 1010, 5);
    venue.sell(2, 990, 5);
    venue.do({ type: 'cancel_market', symbol: SYMBOL, side: 'buy' });
    open(venue);
    expect(venue.steps.flatMap((step) => step.trades)).toEqual([]);
    expect(audit(venue.state)).toEqual([]);
    for (let i = 0; i < 4; i++) venue.do({ type: 'sweep' });
    expect(findDepth(venue.state, SYMBOL)).toMatchObject({ bids: [], asks: [{ lots: 5 }] });
    expect(audit(venue.state)).toEqual([]);
  });

  test('follows an automatic halt, and its price does not cause the next one', () => {
    const venue = new Venue({
      market: { haltPpm: 100_000, haltMinutes: 1, auctionSeconds: 30 },
    });
    venue.sell(1, 1000, 1);
    venue.buy(2, 1000, 1);
    venue.time += 300_000;
    venue.sell(1, 1200, 1);
    venue.buy(2, 1200, 1);
    expect(phaseOf(venue)).toBe('halted');
    venue.time += 60_000;
    const copy = restore(snapshot(venue.state));
    apply(copy, { type: 'tick', time: venue.time });
    venue.do({ type: 'tick' });
    expect(stateHash(copy)).toBe(stateHash(venue.state));
    expect(venue.steps[0]!.phases).toEqual([
      { symbol: SYMBOL, phase: 'auction', until: venue.time + 30_000 },
    ]);
    venue.buy(2, 1400, 5);
    venue.sell(1, 1400, 4);
    venue.time += 30_000;
    venue.do({ type: 'tick' });
    expect(uncrosses(venue)).toMatchObject([{ priceTicks: 1400, lots: 4, referenceTicks: 1200 }]);
    expect(phaseOf(venue)).toBe('continuous');
    venue.time += 1_000;
    venue.sell(1, 1400, 1);
    expect(phaseOf(venue)).toBe('continuous');
  });

  test('opens a new market; the reference is the listing price, whatever the book shows', () => {
    const venue = new Venue();
    setPhase(venue, 'pre_open');
    call(venue, venue.time + 60_000);
    venue.buy(1, 1400, 5);
    expect(listMarkets(venue.state)[0]!.referencePriceTicks).toBe(1000);
    venue.sell(2, 600, 5);
    expect(listMarkets(venue.state)[0]!.referencePriceTicks).toBe(1000);
    expect(kindOf(venue.place(1, { price: 1501, volume: 1 }))).toBe(4009);
    open(venue);
    expect(uncrosses(venue)).toMatchObject([{ priceTicks: 1000, referenceTicks: 1000 }]);
  });

  test('the length of the auction after a halt is bounded', () => {
    const venue = new Venue();
    const [market] = listMarkets(venue.state);
    for (const auctionSeconds of [-1, 0.5, 86_401]) {
      const config = { ...market!.config, auctionSeconds };
      expect(kindOf(venue.do({ type: 'configure_market', config }).result)).toBe(2003);
    }
    const config = { ...market!.config, auctionSeconds: 86_400 };
    expect(kindOf(venue.do({ type: 'configure_market', config }).result)).toBe('done');
    expect(listMarkets(restore(snapshot(venue.state)))[0]!.config.auctionSeconds).toBe(86_400);
    venue.do({ type: 'configure_market', config: market!.config });
    expect(listMarkets(venue.state)[0]!.config).not.toHaveProperty('auctionSeconds');
  });
});
