import type { Order as EngineOrder } from '@rialto/matching';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ORDER_STATUSES,
  ORDER_TYPES,
  SIDES,
  STATUS_REASONS,
  STP_MODES,
  TIMES_IN_FORCE,
} from '@rialto/matching';
import { Value } from 'typebox/value';
import { amountFromNumeric, formatAmount, formatFixed } from '../amount.ts';
import { averagePrice, Order, printOrder, toOrder } from './order.ts';
import { toMyTrade, type SideOfTrade } from './trade.ts';

const PAIR = { symbol: 'btcusdt', base: 'btc', quote: 'usdt', basePrecision: 6, quotePrecision: 2 };

const order = (changes: Partial<EngineOrder> = {}): EngineOrder => ({
  orderId: 1048577,
  account: 7,
  clientOrderId: 'desk-a-1',
  symbol: 'btcusdt',
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  postOnly: false,
  stpMode: 'expire_taker',
  priceDecimals: 2,
  volumeDecimals: 6,
  price: 6425010,
  stopPrice: 0,
  trailingDelta: 0,
  orderListId: 0,
  orderListKind: '',
  volume: 15000,
  total: 0n,
  visibleVolume: 0,
  filledVolume: 5000,
  remainingVolume: 10000,
  preventedVolume: 0,
  filledTotal: 321_250_500_000_000_000_000n,
  fee: 5_000_000_000_000n,
  rebate: 0n,
  held: 0n,
  status: 'partially_filled',
  statusReason: '',
  createdAt: 1760000000512,
  updatedAt: 1760000003000,
  lastTradeAt: 1760000003000,
  triggeredAt: 0,
  expireTime: 0,
  engineSeq: 7340021,
  ...changes,
});

describe('an order as clients see it', () => {
  it('prints prices and volumes with the market’s decimals and amounts without trailing zeros', () => {
    expect(toOrder(order(), PAIR)).toEqual({
      orderId: '1048577',
      clientOrderId: 'desk-a-1',
      orderListId: '',
      symbol: 'btcusdt',
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      postOnly: false,
      stpMode: 'expire_taker',
      price: '64250.10',
      stopPrice: '',
      trailingDelta: '',
      volume: '0.015000',
      total: '',
      visibleVolume: '',
      filledVolume: '0.005000',
      remainingVolume: '0.010000',
      preventedVolume: '0.000000',
      filledTotal: '321.2505',
      averagePrice: '64250.1',
      fee: '0.000005',
      feeCurrency: 'btc',
      status: 'partially_filled',
      statusReason: '',
      isWorking: true,
      createdAt: '1760000000512',
      updatedAt: '1760000003000',
      lastTradeAt: '1760000003000',
      triggeredAt: '',
      expireTime: '',
      engineSeq: '7340021',
      selfTradeGroup: '0',
    });
  });

  it('a buy by total names its total and no volume, and a sell is charged in the quote coin', () => {
    const byTotal = order({
      type: 'market',
      timeInForce: '',
      price: 0,
      volume: 0,
      total: 10n ** 20n,
    });
    expect(toOrder(byTotal, PAIR)).toMatchObject({ price: '', volume: '', total: '100' });
    expect(toOrder(order({ side: 'sell', status: 'pending' }), PAIR)).toMatchObject({
      feeCurrency: 'usdt',
      isWorking: false,
    });
  });

  it('a trailing stop names how far it stays behind, and a leg its list', () => {
    const leg = order({
      type: 'trailing_stop',
      trailingDelta: 150,
      orderListId: 1_048_576,
      orderListKind: 'oco',
    });
    expect(toOrder(leg, PAIR)).toMatchObject({ trailingDelta: '150', orderListId: '1048576' });
  });

  it('the average price has four decimals more than a price and is rounded, ties up', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 30n });
    const lots = fc.integer({ min: 1, max: 1e15 });
    const decimals = fc.integer({ min: 0, max: 18 });
    fc.assert(
      fc.property(amount, lots, decimals, decimals, (filledTotal, filledVolume, one, two) => {
        fc.pre(one + two <= 18);
        const places = BigInt(Math.min(18, one + 4));
        const text = averagePrice({
          filledTotal,
          filledVolume,
          priceDecimals: one,
          volumeDecimals: two,
        });
        // |average - exact| <= half a unit of the last place, all times 10^18 and the volume.
        const exact = filledTotal * 10n ** BigInt(two);
        const printed = amountFromNumeric(text) * BigInt(filledVolume);
        const half = BigInt(filledVolume) * 10n ** (18n - places);
        const off = 2n * (printed - exact);
        expect(off > -half && off <= half).toBe(true);
      }),
      { numRuns: 2000 },
    );
    expect(
      averagePrice({ filledTotal: 0n, filledVolume: 0, priceDecimals: 2, volumeDecimals: 6 }),
    ).toBe('');
    const third = { filledTotal: 10n ** 18n, filledVolume: 3, priceDecimals: 2, volumeDecimals: 0 };
    expect(averagePrice(third)).toBe('0.333333');
  });
});

describe('a trade as one side sees it', () => {
  const trade: SideOfTrade = {
    tradeId: 5550001n,
    orderId: 1048577n,
    clientOrderId: 'desk-a-1',
    symbol: 'btcusdt',
    side: 'buy',
    orderType: 'limit',
    priceDecimals: 2,
    volumeDecimals: 6,
    price: 6425010n,
    volume: 5000n,
    total: 321_250_500_000_000_000_000n,
    feePpm: 1000,
    fee: 5_000_000_000_000n,
    rebate: 0n,
    isMaker: true,
    timeMs: 1760000003000n,
    engineSeq: 7340021n,
  };

  it('has its own order, side and fee', () => {
    expect(toMyTrade(trade, PAIR)).toEqual({
      tradeId: '5550001',
      orderId: '1048577',
      clientOrderId: 'desk-a-1',
      symbol: 'btcusdt',
      side: 'buy',
      orderType: 'limit',
      price: '64250.10',
      volume: '0.005000',
      total: '321.2505',
      fee: '0.000005',
      feeCurrency: 'btc',
      feeRate: '0.001',
      isMaker: true,
      time: '1760000003000',
      engineSeq: '7340021',
    });
  });

  it('a rebate is a fee below zero, in the coin of the taker’s fee', () => {
    const rebated = { ...trade, feePpm: -100, fee: 0n, rebate: 32_125_050_000_000_000n };
    expect(toMyTrade(rebated, PAIR)).toMatchObject({
      fee: '-0.03212505',
      feeCurrency: 'usdt',
      feeRate: '-0.0001',
    });
  });
});

/** Any order, also such as no market would take: with every combination of members. */
const anyOrder = (): fc.Arbitrary<EngineOrder> => {
  const steps = fc.oneof(fc.constant(0), fc.nat(1000), fc.maxSafeNat());
  const amount = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 1n << 143n }));
  const time = fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 });
  const maybeTime = fc.oneof(fc.constant(0), time);
  return fc.record({
    orderId: fc.maxSafeNat(),
    account: fc.maxSafeNat(),
    clientOrderId: fc.stringMatching(/^[A-Za-z0-9._:/-]{0,36}$/),
    symbol: fc.stringMatching(/^[a-z0-9]{2,20}$/),
    side: fc.constantFrom(...SIDES),
    type: fc.constantFrom(...ORDER_TYPES),
    timeInForce: fc.constantFrom(...TIMES_IN_FORCE, '' as const),
    postOnly: fc.boolean(),
    stpMode: fc.constantFrom(...STP_MODES),
    priceDecimals: fc.nat(18),
    volumeDecimals: fc.nat(18),
    price: steps,
    stopPrice: steps,
    trailingDelta: fc.nat(5000),
    orderListId: steps,
    orderListKind: fc.constantFrom('' as const, 'oco' as const, 'bracket' as const),
    volume: steps,
    total: amount,
    visibleVolume: steps,
    filledVolume: steps,
    remainingVolume: steps,
    preventedVolume: steps,
    filledTotal: amount,
    fee: amount,
    rebate: amount,
    held: amount,
    status: fc.constantFrom(...ORDER_STATUSES),
    statusReason: fc.constantFrom(...STATUS_REASONS),
    createdAt: time,
    updatedAt: time,
    lastTradeAt: maybeTime,
    triggeredAt: maybeTime,
    expireTime: maybeTime,
    engineSeq: fc.maxSafeNat(),
  });
};

describe('an order as JSON text', () => {
  it('is the text of its object, to the byte, and what the schema declares', () => {
    fc.assert(
      fc.property(anyOrder(), (one) => {
        const text = printOrder(one, PAIR);
        expect(text).toBe(JSON.stringify(toOrder(one, PAIR)));
        expect([...Value.Errors(Order, JSON.parse(text))]).toEqual([]);
        expect(Object.keys(JSON.parse(text) as object)).toEqual(Object.keys(Order.properties));
      }),
    );
  });

  it('prints prices, volumes and amounts as the exact printer of bigints does', () => {
    fc.assert(
      fc.property(anyOrder(), (one) => {
        const { price, volume, filledVolume, filledTotal, fee } = toOrder(one, PAIR);
        const { priceDecimals, volumeDecimals } = one;
        expect(price).toBe(one.price === 0 ? '' : formatFixed(BigInt(one.price), priceDecimals));
        expect(volume).toBe(
          one.volume === 0 ? '' : formatFixed(BigInt(one.volume), volumeDecimals),
        );
        expect(filledVolume).toBe(formatFixed(BigInt(one.filledVolume), volumeDecimals));
        expect([filledTotal, fee]).toEqual([one.filledTotal, one.fee].map(formatAmount));
      }),
    );
  });

  it('escapes what JSON has to escape, in whichever name it stands', () => {
    const odd = 'a"b\\c\n\u2028é';
    const one = order({ clientOrderId: odd, symbol: odd });
    for (const side of SIDES) {
      const pair = { ...PAIR, base: odd, quote: odd };
      const text = printOrder({ ...one, side }, pair);
      expect(text).toBe(JSON.stringify(toOrder({ ...one, side }, pair)));
      expect(JSON.parse(text)).toMatchObject({ clientOrderId: odd, feeCurrency: odd });
    }
  });
});
