// The rules that look back, against a twin that knows nothing but the list of what was signed and reads it whole each time.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Ledger, type Signed } from './ledger.ts';
import { weigh } from './weigh.ts';
import { Refusal } from '../refusal.ts';

const HOUR = 3_600_000;
const CEILINGS = { transactionMax: 6n, hourMax: 10n, dayMax: 25n };

interface Move {
  readonly payment: number;
  readonly purpose: 'pay' | 'void';
  /** Which set of withdrawals it pays, if it pays. */
  readonly pays: readonly number[];
  readonly spends: readonly number[];
  readonly units: number;
  readonly fee: number;
  readonly claim: number;
  readonly isProven: boolean;
  readonly waitMs: number;
}

const move: fc.Arbitrary<Move> = fc.record({
  payment: fc.nat(3),
  purpose: fc.constantFrom('pay' as const, 'pay' as const, 'pay' as const, 'void' as const),
  pays: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 2 }),
  spends: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 }),
  units: fc.integer({ min: 1, max: 7 }),
  fee: fc.nat(7),
  claim: fc.constantFrom(1, 1, 1, 2),
  isProven: fc.boolean(),
  waitMs: fc.constantFrom(0, 1, HOUR / 2, HOUR - 1, HOUR, 8 * HOUR, 24 * HOUR),
});

const ceilings = new Map([
  ['coin', CEILINGS],
  ['fee', CEILINGS],
]);

function toSigned({ payment, purpose, pays, spends, units, fee, claim }: Move, n: number): Signed {
  const isPaying = purpose === 'pay';
  return {
    paymentId: `P${payment}`,
    network: 'N',
    kind: 'payout',
    purpose,
    outputs: isPaying
      ? pays.map((w) => ({ withdrawId: `W${w}`, address: 'a', amount: String(units) }))
      : [],
    spends: spends.map((spend) => `o${spend}`),
    amounts: Object.fromEntries(spends.map((spend) => [`o${spend}`, String(claim)])),
    charges: { ...(isPaying ? { coin: String(units) } : {}), fee: String(fee) },
    txid: `t${n}`,
  };
}

interface Past {
  readonly signed: Signed;
  readonly at: number;
}

/** What the rules say, word for word. */
function slowly(past: readonly Past[], one: Signed, isProven: boolean, now: number): boolean {
  const versions = past.filter(({ signed }) => signed.paymentId === one.paymentId);
  const shares = (other: Signed) => one.spends.some((spend) => other.spends.includes(spend));
  const belongsElsewhere = one.outputs.some(({ withdrawId }) =>
    past.some(
      ({ signed }) =>
        signed.paymentId !== one.paymentId &&
        signed.outputs.some((output) => output.withdrawId === withdrawId),
    ),
  );
  if (belongsElsewhere) return false;
  if (!versions.every(({ signed }) => shares(signed))) return false;
  const paying = versions.find(({ signed }) => signed.purpose === 'pay');
  const paysOther =
    one.purpose === 'pay' &&
    paying !== undefined &&
    JSON.stringify(paying.signed.outputs) !== JSON.stringify(one.outputs);
  if (paysOther) return false;
  const lies = Object.entries(one.amounts).some(([outpoint, units]) => {
    const last = past.findLast(({ signed }) => outpoint in signed.amounts);
    return last !== undefined && last.signed.amounts[outpoint] !== units && !isProven;
  });
  if (lies) return false;
  const limits = { transactionMax: Infinity, hourMax: HOUR, dayMax: 24 * HOUR } as const;
  return Object.keys(one.charges).every((name) => {
    if (Number(one.charges[name]) > Number(CEILINGS.transactionMax)) return false;
    return (['hourMax', 'dayMax'] as const).every((limit) => {
      const used = increases([...past, { signed: one, at: now }], name).filter(
        ({ at }) => at > now - limits[limit],
      );
      const sum = used.reduce((total, { units }) => total + units, 0);
      return used.at(-1)?.isLast !== true || sum <= Number(CEILINGS[limit]);
    });
  });
}

/** By how much each signature raised the dearest version of its payment. */
function increases(past: readonly Past[], name: string) {
  return past
    .map(({ signed, at }, place) => {
      const before = past
        .slice(0, place)
        .filter((other) => other.signed.paymentId === signed.paymentId)
        .map((other) => Number(other.signed.charges[name] ?? 0));
      const units = Number(signed.charges[name] ?? 0) - Math.max(0, ...before);
      return { at, units, isLast: place === past.length - 1 };
    })
    .filter(({ units }) => units > 0);
}

function quickly(ledger: Ledger, one: Signed, isProven: boolean, now: number): boolean {
  const proven = new Set(isProven ? one.spends : []);
  try {
    weigh(ledger, one, { ceilings, proven, now });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

it('the ledger and its twin agree about every request of every history', () => {
  const seen = { yes: 0, no: 0 };
  fc.assert(
    fc.property(fc.array(move, { maxLength: 25 }), (moves) => {
      const ledger = new Ledger();
      const past: Past[] = [];
      let now = 1_000_000;
      for (const [n, one] of moves.entries()) {
        now += one.waitMs;
        const signed = toSigned(one, n);
        const verdict = quickly(ledger, signed, one.isProven, now);
        expect(verdict).toBe(slowly(past, signed, one.isProven, now));
        seen[verdict ? 'yes' : 'no'] += 1;
        if (!verdict) continue;
        ledger.record(signed, now);
        past.push({ signed, at: now });
      }
    }),
    { numRuns: 3000 },
  );
  // Both answers were common, or the agreement says little.
  expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(5000);
});

it('whichever versions are mined, no hour gave out more than its ceiling, and no withdrawal is paid twice', () => {
  fc.assert(
    fc.property(
      fc.array(move, { maxLength: 25 }),
      fc.infiniteStream(fc.nat()),
      (moves, choices) => {
        const ledger = new Ledger();
        const past: Past[] = [];
        let now = 0;
        for (const [n, one] of moves.entries()) {
          now += one.waitMs;
          const signed = toSigned(one, n);
          if (!quickly(ledger, signed, one.isProven, now)) continue;
          ledger.record(signed, now);
          past.push({ signed, at: now });
        }
        // A chain takes transactions in any order, as long as their inputs are not spent.
        const mined: Past[] = [];
        const left = [...past];
        while (left.length > 0) {
          const [next] = left.splice((choices.next().value ?? 0) % left.length, 1);
          if (next === undefined) break;
          const isFree = mined.every(
            ({ signed }) => !signed.spends.some((spend) => next.signed.spends.includes(spend)),
          );
          if (isFree) mined.push(next);
        }
        const paid = mined.flatMap(({ signed }) =>
          signed.outputs.map((output) => output.withdrawId),
        );
        expect(new Set(paid).size).toBe(paid.length);
        for (const { at } of mined) {
          const hour = mined.filter((other) => other.at > at - HOUR && other.at <= at);
          // A further version of an older payment is no new loss: that money was given out when the first was signed.
          const charged = hour.filter(({ signed }) => isFirst(past, signed));
          const fresh = charged.reduce(
            (sum, { signed }) => sum + Number(signed.charges['coin'] ?? 0),
            0,
          );
          expect(fresh).toBeLessThanOrEqual(Number(CEILINGS.hourMax));
        }
      },
    ),
    { numRuns: 1000 },
  );
});

const isFirst = (past: readonly Past[], one: Signed): boolean =>
  past.find(({ signed }) => signed.paymentId === one.paymentId)?.signed === one;
