import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter } from './bytes.ts';
import { applyTo, createState, restore, snapshot, Tape } from './index.ts';
import type { Command, MarketConfig, State } from './index.ts';
import { CLIENT_WORDS } from './record.ts';
import { ClientKey, clientText } from './client-key.ts';
import { LIMBS, fromBigint, toBigint } from './wide.ts';

const bytesOf = (write: (w: ByteWriter) => void): Uint8Array => {
  const w = new ByteWriter(1);
  write(w);
  return w.finish();
};

/**
 * Values near every boundary of the encoding: seven bits a byte, four bytes at once, limbs of 48
 * bits.
 */
const BORDERS = [7, 8, 14, 21, 24, 28, 31, 32, 35, 48, 49, 53, 63, 64, 96, 120, 144].flatMap(
  (n) => [2n ** BigInt(n) - 1n, 2n ** BigInt(n), 2n ** BigInt(n) + 1n],
);
const wholes = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(300),
  fc.constantFrom(...BORDERS.filter((n) => n < 2n ** 53n).map(Number)),
);
const amounts = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 144n - 1n }),
  fc.constantFrom(0n, ...BORDERS.filter((n) => n < 2n ** 144n)),
);

describe('canonical bytes', () => {
  test('whole numbers come back, one by one or many at once', () => {
    fc.assert(
      fc.property(fc.array(wholes, { maxLength: 40 }), (values) => {
        const one = bytesOf((w) => {
          for (const value of values) w.whole(value);
        });
        const many = bytesOf((w) => w.doubles(Float64Array.from(values), values.length));
        expect(many).toEqual(one);
        const r = new ByteReader(one);
        for (const value of values) expect(r.whole()).toBe(value);
        expect(r.isAtEnd).toBe(true);
      }),
    );
  });

  test('words are whole numbers too', () => {
    fc.assert(
      fc.property(fc.uint32Array({ maxLength: 40 }), (values) => {
        const one = bytesOf((w) => {
          for (const value of values) w.whole(value);
        });
        expect(bytesOf((w) => w.words(values, 0, values.length))).toEqual(one);
        const read = new Uint32Array(values.length);
        new ByteReader(one).words(read, 0, values.length);
        expect(read).toEqual(values);
      }),
    );
  });

  test('an amount has the bytes of its bigint', () => {
    fc.assert(
      fc.property(amounts, (value) => {
        const limbs = new Float64Array(LIMBS + 1);
        fromBigint(limbs, 1, value);
        const bytes = bytesOf((w) => w.wide(limbs, 1));
        expect(bytes).toEqual(bytesOf((w) => w.big(value)));
        const read = new Float64Array(LIMBS + 1).fill(7);
        new ByteReader(bytes).wide(read, 1);
        expect(toBigint(read, 1)).toBe(value);
        expect(read[0]).toBe(7);
      }),
    );
  });

  test('a packed client id has the bytes of its text', () => {
    const ids = fc.stringMatching(/^[A-Za-z0-9._:/-]{0,36}$/);
    fc.assert(
      fc.property(ids, (text) => {
        const key = new ClientKey();
        expect(key.set(3, text)).toBe(true);
        const bytes = bytesOf((w) => w.packed(key.words, 0, CLIENT_WORDS));
        expect(bytes).toEqual(bytesOf((w) => w.text(text)));
        const words = new Uint32Array(CLIENT_WORDS).fill(7);
        expect(new ByteReader(bytes).packed(words, 0, CLIENT_WORDS)).toBe(text.length);
        expect(clientText(words, 0)).toBe(text);
      }),
    );
  });

  test('what is too large, negative, broken or cut off is refused', () => {
    const w = new ByteWriter();
    for (const value of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
      expect(() => w.whole(value)).toThrow(/not a whole number/);
    }
    const endless = new Uint8Array(12).fill(255);
    expect(() => new ByteReader(endless).whole()).toThrow(/too large/);
    expect(() => new ByteReader(endless).words(new Uint32Array(1), 0, 1)).toThrow(/too large/);
    for (const cut of [[], [128], [255, 255, 255, 255, 255]]) {
      expect(() => new ByteReader(Uint8Array.from(cut)).whole()).toThrow(/end too early/);
    }
    expect(() => new ByteReader(Uint8Array.from([0, 19])).wide(new Float64Array(3), 0)).toThrow(
      /144 bits/,
    );
    expect(() => new ByteReader(Uint8Array.from([3, 65])).packed(new Uint32Array(1), 0, 1)).toThrow(
      /end too early/,
    );
  });
});

const TIME = 1_760_000_000_000;
const CONFIG: MarketConfig = {
  symbol: 'btcusdt',
  base: 'btc',
  quote: 'usdt',
  basePrecision: 6,
  quotePrecision: 2,
  minimumQuoteSize: 1n,
  maxMarketOrderAskLots: 1e12,
  maxMarketOrderBid: 10n ** 30n,
  minimumVolumeLots: 1,
  maximumVolumeLots: 1e12,
  minimumPriceTicks: 1,
  maximumPriceTicks: 1e12,
  listingPriceTicks: 1_000_000,
  priceBandPpm: 1_000_000,
  marketSlippagePpm: 50_000,
  haltPpm: 0,
  haltMinutes: 5,
  defaultStpMode: 'expire_maker',
  maxOpenOrders: 1_000_000,
  maxConditionalOrders: 1_000_000,
  icebergParts: 20,
};

/** This many open orders, each at its own price, and every tenth one waiting for a trigger. */
function venueWith(orders: number): State {
  const state = createState({ memory: 1_000 });
  const tape = new Tape();
  const run = (command: Command): void => {
    tape.clear();
    applyTo(state, command, tape);
  };
  const time = TIME;
  run({ type: 'list_coin', time, coin: 'btc', networks: ['BTC'] });
  run({ type: 'list_coin', time, coin: 'usdt', networks: ['ETH'] });
  run({ type: 'create_market', time, config: CONFIG });
  run({ type: 'set_phase', time, symbol: 'btcusdt', phase: 'continuous' });
  for (const account of [1, 2]) {
    run({ type: 'open_account', time, account, parent: account });
    const amount = 10n ** 35n;
    for (const [coin, network] of [
      ['btc', 'BTC'],
      ['usdt', 'ETH'],
    ] as const) {
      const depositId = `${account}${coin}`;
      run({ type: 'credit_deposit', time, depositId, network, coin, to: account, amount });
    }
  }
  const place = (n: number, side: 'buy' | 'sell', price: number, stopPrice?: number): void =>
    run({
      type: 'place',
      time,
      account: side === 'buy' ? 1 : 2,
      checkpoint: Infinity,
      order: {
        symbol: 'btcusdt',
        side,
        type: stopPrice === undefined ? 'limit' : 'stop_limit',
        price,
        ...(stopPrice !== undefined && { stopPrice }),
        priceDecimals: 2,
        volume: 10 + n,
        volumeDecimals: 6,
        clientOrderId: `${side}-${n}`,
      },
    });
  place(0, 'sell', 1_000_000);
  place(0, 'buy', 1_000_000);
  for (let n = 1; n <= orders; n++) {
    // Prices move towards the middle, so that each new level is added at the cheap end.
    const away = 1 + orders - n;
    if (n % 10 === 0) place(n, 'sell', 700_000, 999_999 - away);
    else place(n, n % 2 === 0 ? 'buy' : 'sell', 1_000_000 + (n % 2 === 0 ? -away : away));
  }
  return state;
}

describe('a snapshot', () => {
  test('gives the same state, levels and trigger lists, and the same bytes again', () => {
    const state = venueWith(2_000);
    const bytes = snapshot(state);
    const again = restore(bytes);
    expect(snapshot(again)).toEqual(bytes);
    const [market] = state.markets;
    const [copy] = again.markets;
    expect(market!.bids.count + market!.asks.count).toBe(1_800);
    expect(market!.falling.count).toBe(200);
    for (const list of ['rising', 'falling'] as const) {
      const idAt = (s: State, i: number): number =>
        s.pool.f64[s.markets[0]![list].slotAt(i) * 48] ?? -1;
      for (let i = 0; i < market![list].count; i++) expect(idAt(again, i)).toBe(idAt(state, i));
    }
    expect(copy!.bids.bestPrice()).toBe(market!.bids.bestPrice());
    expect(copy!.asks.bestPrice()).toBe(market!.asks.bestPrice());
  });

  test('of another version is refused, and the message says what to do', () => {
    const bytes = snapshot(createState());
    const other = bytes.slice();
    // The version follows the three bytes of a magic number, which take four.
    other[4] = 1;
    expect(() => restore(other)).toThrow(/format 1.*formats 2 to 5.*journal/);
    expect(() => restore(bytes.subarray(1))).toThrow(/no snapshot/);
    expect(() => restore(bytes.subarray(0, bytes.length - 1))).toThrow(/too early/);
  });

  // Noise only ever makes a round longer, so a round that fails is measured again.
  test('takes time in proportion to its orders', { retry: 3 }, () => {
    const cpuOf = (work: () => void): number => {
      // The quickest of several runs, because other work shares the machine.
      let leastMs = Infinity;
      for (let turn = 0; turn < 3; turn++) {
        const before = process.threadCpuUsage();
        work();
        const { user, system } = process.threadCpuUsage(before);
        leastMs = Math.min(leastMs, (user + system) / 1000);
      }
      return leastMs;
    };
    const few = snapshot(venueWith(10_000));
    const many = snapshot(venueWith(100_000));
    restore(few);
    const ratio = cpuOf(() => restore(many)) / cpuOf(() => restore(few));
    expect(ratio).toBeLessThanOrEqual(15);
  });
});
