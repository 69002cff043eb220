import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHANGE_MIN, choose, INPUTS_MAX, vsizeOf, type OwnCoin } from './compose.ts';

const coin = (units: bigint, vout: number): OwnCoin => ({
  txid: 'aa'.repeat(32),
  vout,
  branch: 0,
  index: vout,
  units,
});
const coins = fc
  .array(fc.bigInt(1n, 1_000_000_000n), { maxLength: 40 })
  .map((list) => list.map((units, vout) => coin(units, vout)));
const payouts = fc.array(
  fc.record({ units: fc.bigInt(1n, 1_000_000_000n), scriptBytes: fc.constantFrom(22, 23, 25, 34) }),
  { minLength: 1, maxLength: 10 },
);
const rate = fc.bigInt(1n, 200n);
const sum = (list: readonly { readonly units: bigint }[]) =>
  list.reduce((total, { units }) => total + units, 0n);

describe('a plan', () => {
  it('spends what it pays, what it keeps and what it costs, and costs what the network asks for', () => {
    fc.assert(
      fc.property(coins, payouts, rate, (own, asked, perByte) => {
        const plan = choose(own, asked, perByte);
        if (plan === undefined) return;
        const paid = asked.slice(0, plan.count);
        expect(sum(plan.coins)).toBe(sum(paid) + plan.change + plan.fee);
        expect(new Set(plan.coins.map(({ vout }) => vout)).size).toBe(plan.coins.length);
        const scripts = paid.map(({ scriptBytes }) => scriptBytes);
        const outputs = plan.change > 0n ? [...scripts, 22] : scripts;
        const least = perByte * BigInt(vsizeOf(plan.coins.length, outputs));
        expect(plan.fee).toBeGreaterThanOrEqual(least);
        // At most the change that is not worth keeping, and the output that would keep it, go to the miner.
        expect(plan.fee - least).toBeLessThan(CHANGE_MIN + perByte * 31n);
        expect(plan.change === 0n || plan.change >= CHANGE_MIN).toBe(true);
      }),
    );
  });

  it('pays the first ones, and is missing only where not even the first can be paid', () => {
    fc.assert(
      fc.property(coins, payouts, rate, (own, asked, perByte) => {
        const [first] = asked;
        const plan = choose(own, asked, perByte);
        const all = perByte * BigInt(vsizeOf(own.length, [first?.scriptBytes ?? 0]));
        if (plan === undefined && first !== undefined) {
          // All coins together: whatever a plan would have taken.
          expect(sum(own)).toBeLessThan(first.units + all);
        }
      }),
    );
  });

  it('takes large coins where small ones would be too many', () => {
    const small = Array.from({ length: INPUTS_MAX + 50 }, (_, vout) => coin(20_000n, vout));
    const plan = choose(
      [...small, coin(10_000_000_000n, 999)],
      [{ units: 9_000_000_000n, scriptBytes: 22 }],
      10n,
    );
    expect(plan?.coins.map(({ vout }) => vout)).toEqual([999]);
  });
});
