import { describe, expect, test } from 'vitest';
import { COIN, LOT, TICK_LOT, Venue, describe as kindOf } from '../../sim/example.ts';
import { audit, listVenueBalances } from '../index.ts';
import type { Posting } from '../index.ts';

const rows = (postings: Posting[]): string[] =>
  postings.map((p) => `${p.owner} ${p.coin} ${p.bucket} ${p.amount}`);

const venueBalance = (venue: Venue, owner: string, coin: string): bigint =>
  listVenueBalances(venue.state).find((b) => b.owner === owner && b.coin === coin)?.amount ?? 0n;

describe('the postings of a trade', () => {
  test('follow the table: holds leave, improvement returns, fees come off what is received', () => {
    const venue = new Venue({ makerPpm: 1_000, takerPpm: 2_000 });
    venue.sell(1, 1000, 10);
    venue.buy(2, 1010, 10);
    const journal = venue.steps[0]?.journals.find((j) => j.kind === 'trade');
    const base = 10n * LOT;
    const quote = 10_000n * TICK_LOT;
    const buyerFee = (base * 2_000n) / 1_000_000n;
    const sellerFee = (quote * 1_000n) / 1_000_000n;
    expect(rows(journal?.postings ?? [])).toEqual([
      `2 usdt hold ${-10_100n * TICK_LOT}`,
      `2 usdt available ${100n * TICK_LOT}`,
      `2 btc available ${base - buyerFee}`,
      `1 btc hold ${-base}`,
      `1 usdt available ${quote - sellerFee}`,
      `fees usdt available ${sellerFee}`,
      `fees btc available ${buyerFee}`,
    ]);
    expect(audit(venue.state)).toEqual([]);
  });

  test('a rebate is a separate entry, paid out of the taker’s fee and no larger than it', () => {
    const venue = new Venue({ makerPpm: -5_000, takerPpm: 2_000 });
    venue.sell(1, 1000, 10);
    venue.buy(2, 1000, 10);
    const [trade] = venue.steps[0]?.trades ?? [];
    const fee = (10n * LOT * 2_000n) / 1_000_000n;
    expect(trade).toMatchObject({
      rebate: fee,
      buyer: { fee },
      seller: { fee: 0n, feePpm: -2_000 },
    });
    expect(venueBalance(venue, 'fees', 'btc')).toBe(0n);
    expect(audit(venue.state)).toEqual([]);
  });

  test('a fee is rounded up, so splitting an order saves nothing', () => {
    // One lot is one unit of the ledger here, so every fee is a fraction of a unit.
    const venue = new Venue({
      takerPpm: 1,
      market: { basePrecision: 18, quotePrecision: 0, maximumVolumeLots: 1e15 },
    });
    venue.sell(1, 1000, 3, { priceDecimals: 0, volumeDecimals: 18 });
    for (let i = 0; i < 3; i++) venue.buy(2, 1000, 1, { priceDecimals: 0, volumeDecimals: 18 });
    expect(venueBalance(venue, 'fees', 'btc')).toBe(3n);
    expect(audit(venue.state)).toEqual([]);
  });
});

describe('deposits and withdrawals', () => {
  const deposit = {
    type: 'credit_deposit',
    depositId: 'tx:0',
    network: 'ETH',
    coin: 'usdt',
    to: 1,
    amount: 5n * COIN,
  } as const;

  test('a deposit is credited once, however often it is sent', () => {
    const venue = new Venue();
    const before = venue.balance(1, 'usdt').available;
    expect(venue.do(deposit).result).toEqual({ kind: 'moved', replay: false });
    expect(venue.do(deposit).result).toEqual({ kind: 'moved', replay: true });
    expect(venue.balance(1, 'usdt').available).toBe(before + 5n * COIN);
    expect(kindOf(venue.do({ ...deposit, amount: 6n * COIN }).result)).toBe(5011);
    expect(kindOf(venue.do({ ...deposit, coin: 'nocoin' }).result)).toBe(5011);
    expect(kindOf(venue.do({ ...deposit, depositId: 'y', coin: 'nocoin' }).result)).toBe(4002);
    expect(kindOf(venue.do({ ...deposit, depositId: 'y', network: 'BTC' }).result)).toBe(4003);
  });

  const withdrawal = {
    type: 'request_withdrawal',
    withdrawalId: 'w',
    account: 1,
    coin: 'usdt',
    network: 'TRON',
    amount: 10n * COIN,
    fee: COIN,
  } as const;

  test('a withdrawal sets funds aside, and leaves through custody when it is settled', () => {
    const venue = new Venue();
    venue.do(withdrawal);
    expect(venue.do({ type: 'settle_withdrawal', withdrawalId: 'w' }).result.kind).toBe('moved');
    expect(venueBalance(venue, 'custody:TRON', 'usdt')).toBe(9n * COIN);
    expect(venueBalance(venue, 'fees', 'usdt')).toBe(COIN);
    expect(audit(venue.state)).toEqual([]);
    expect(venue.do({ type: 'settle_withdrawal', withdrawalId: 'w' }).result).toEqual({
      kind: 'moved',
      replay: true,
    });
    expect(kindOf(venue.do({ type: 'cancel_withdrawal', withdrawalId: 'w' }).result)).toBe(5010);
  });

  test('a cancelled withdrawal comes back whole', () => {
    const venue = new Venue();
    const before = venue.balance(1, 'usdt').available;
    venue.do(withdrawal);
    expect(venue.balance(1, 'usdt').available).toBe(before - 10n * COIN);
    venue.do({ type: 'cancel_withdrawal', withdrawalId: 'w' });
    expect(venue.balance(1, 'usdt').available).toBe(before);
  });

  test('an adjustment needs a funded source', () => {
    const venue = new Venue();
    const adjust = {
      type: 'adjust',
      adjustmentId: 'a',
      from: 'adjustments',
      to: 1,
      coin: 'usdt',
      amount: COIN,
    } as const;
    expect(kindOf(venue.do(adjust).result)).toBe(5001);
    venue.do({ ...deposit, to: 'adjustments' });
    expect(venue.do(adjust).result.kind).toBe('moved');
    expect(venueBalance(venue, 'adjustments', 'usdt')).toBe(4n * COIN);
  });

  test('an account can spend only what it has, however many orders try', () => {
    const venue = new Venue();
    venue.do({ type: 'open_account', account: 9, parent: 9 });
    venue.do({ ...deposit, to: 9 });
    let made = 0;
    for (let i = 0; i < 1_000; i++) {
      const { result } = venue.do({
        type: 'transfer',
        transferId: `t${i}`,
        from: 9,
        to: 2,
        coin: 'usdt',
        amount: COIN,
      });
      if (result.kind === 'moved') made += 1;
    }
    expect(made).toBe(5);
  });
});
