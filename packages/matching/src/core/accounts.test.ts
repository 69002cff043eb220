import { describe, expect, test } from 'vitest';
import { Venue, describe as kindOf } from '../../sim/example.ts';
import { LIMITS, restore, snapshot } from '../index.ts';
import type { Result, SetFeeTiers } from '../index.ts';

/** Account 1 has two sub-accounts, and the venue a second tier. */
function family(): Venue {
  const venue = new Venue({ takerPpm: 2_000 });
  venue.do({ type: 'define_fee_tier', tier: 1, makerPpm: 0, takerPpm: 1_000 });
  venue.do({ type: 'open_account', account: 11, parent: 1 });
  // The parent of a sub-account is the head of the family.
  venue.do({ type: 'open_account', account: 12, parent: 11 });
  return venue;
}

const set = (venue: Venue, tiers: SetFeeTiers['tiers'], day = 20_000): Result =>
  venue.do({ type: 'set_fee_tiers', day, tiers }).result;
const changed = (venue: Venue): number[][] =>
  venue.steps.flatMap(({ accounts }) => accounts.map(({ account, tier }) => [account, tier]));

describe('the tiers of families', () => {
  test('reach every member, and only changes are written down', () => {
    const venue = family();
    venue.do({ type: 'set_fee_tier', account: 11, tier: 1 });
    set(venue, [
      { account: 1, tier: 1 },
      { account: 2, tier: 0 },
    ]);
    expect(changed(venue)).toEqual([
      [1, 1],
      [12, 1],
    ]);
    set(venue, [{ account: 1, tier: 1 }]);
    expect(changed(venue)).toEqual([]);
  });

  test('are those of the trade, not of the placement', () => {
    const venue = family();
    const amount = 10n ** 22n;
    venue.do({ type: 'transfer', transferId: 't', from: 1, to: 12, coin: 'usdt', amount });
    venue.do({ type: 'define_fee_tier', tier: 2, makerPpm: 500, takerPpm: 1_000 });
    venue.buy(12, 1000, 2);
    venue.sell(2, 1000, 1);
    expect(venue.steps[0]?.trades[0]?.buyer.feePpm).toBe(0);
    set(venue, [{ account: 1, tier: 2 }]);
    venue.sell(2, 1000, 1);
    expect(venue.steps[0]?.trades[0]?.buyer.feePpm).toBe(500);
  });

  test('are all refused if one entry is wrong', () => {
    const venue = family();
    const good = { account: 1, tier: 1 };
    const many = Array.from({ length: LIMITS.feeTiersMax + 1 }, () => good);
    const attacks: Array<[SetFeeTiers['tiers'], number, number?]> = [
      [[good, { account: 99, tier: 1 }], 7001],
      [[good, { account: 2, tier: 7 }], 2003],
      [[good, { account: 11, tier: 1 }], 2009],
      [[good, good], 2009],
      [[], 2003],
      [many, 2003],
      [[good], 2003, -1],
      [[good], 2003, 1.5],
    ];
    for (const [tiers, code, day] of attacks) {
      expect(kindOf(set(venue, tiers, day))).toBe(code);
      expect(changed(venue)).toEqual([]);
    }
    set(venue, [good]);
    expect(changed(venue)).toHaveLength(3);
  });

  test('reach the members after a snapshot too', () => {
    const venue = family();
    const copy = restore(snapshot(venue.state));
    expect(copy.accounts.map(({ others }) => others)).toEqual([
      [3, 4],
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(copy.accounts[0]?.others).toEqual(venue.state.accounts[0]?.others);
  });

  test('are an unknown command to older rules', () => {
    const venue = new Venue({ core: { rules: 3 } });
    expect(kindOf(set(venue, [{ account: 1, tier: 0 }]))).toBe(2002);
    expect(venue.steps).toEqual([]);
  });
});
