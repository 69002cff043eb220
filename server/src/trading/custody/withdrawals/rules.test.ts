import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  approvalsFor,
  availableAt,
  check,
  DAY_MS,
  leftOf,
  termsOf,
  whyNotAmount,
  whyWaits,
  type Recent,
  type WithdrawTerms,
} from './rules.ts';
import { nextStatus } from './status.ts';

const LIMITS = { automaticMax: '1', oneOperatorMax: '5', familyDayMax: '20', batchMax: '10' };
const NETWORK = {
  withdrawFee: '0.001',
  minimumWithdraw: '0.01',
  withdrawPrecision: '8',
  tokenDecimal: '6',
};
const terms = (most: bigint): WithdrawTerms => ({
  fee: 1n,
  minimum: 2n,
  step: 1n,
  automaticMax: 10n,
  oneOperatorMax: 50n,
  familyDayMax: most,
});
const NOW = 1_760_000_000_000;

describe('terms', () => {
  it('are as coarse as the coarser of the coin and its chain', () => {
    expect(termsOf(NETWORK, LIMITS)).toMatchObject({ step: 10n ** 12n, fee: 10n ** 15n });
    expect(termsOf({ ...NETWORK, withdrawPrecision: '3' }, LIMITS)?.step).toBe(10n ** 15n);
  });

  it('do not exist where the deployment says nothing, or where a payment would have to be rounded', () => {
    expect(termsOf(NETWORK, undefined)).toBeUndefined();
    expect(termsOf({ ...NETWORK, withdrawFee: '0.0000001' }, LIMITS)).toBeUndefined();
  });

  it('say what is wrong with an amount by itself', () => {
    const coarse = { ...terms(100n), step: 10n };
    expect(whyNotAmount(undefined, coarse)).toBe('form');
    expect(whyNotAmount(0n, coarse)).toBe('range');
    expect(whyNotAmount(10n ** 40n, coarse)).toBe('range');
    expect(whyNotAmount(15n, coarse)).toBe('precision');
    expect(whyNotAmount(20n, coarse)).toBeUndefined();
  });
});

describe('who has to agree', () => {
  it('is nobody, one or two, and never fewer for more', () => {
    const amount = fc.bigInt(1n, 200n);
    fc.assert(
      fc.property(amount, amount, fc.boolean(), (a, b, isTrusted) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        const of = (one: bigint) => approvalsFor(one, terms(100n), { isTrusted });
        expect(of(less)).toBeLessThanOrEqual(of(more));
        expect(approvalsFor(a, terms(100n), { isTrusted: false })).toBeGreaterThan(0);
      }),
    );
    const trusted = (one: bigint) => approvalsFor(one, terms(100n), { isTrusted: true });
    expect([10n, 11n, 50n, 51n].map(trusted)).toEqual([0, 1, 1, 2]);
  });

  it('comes after the owner, and one after the other', () => {
    const asked = { needsConfirmation: true, approvalsNeeded: 2 };
    const of = (isConfirmed: boolean, approvals: number) =>
      nextStatus({ ...asked, isConfirmed, approvals });
    expect(of(false, 2)).toBe('awaiting_confirmation');
    expect([of(true, 0), of(true, 1), of(true, 2)]).toEqual([
      'awaiting_approval',
      'awaiting_approval',
      'queued',
    ]);
  });
});

describe('the limit of a day', () => {
  const recents = fc
    .array(
      fc.record({
        atMs: fc.integer({ min: NOW - DAY_MS + 1, max: NOW }),
        amount: fc.bigInt(1n, 30n),
      }),
      {
        maxLength: 8,
      },
    )
    .map((list) => list.toSorted((a, b) => a.atMs - b.atMs));
  const usedAt = (recent: readonly Recent[], atMs: number) =>
    recent.filter((one) => one.atMs > atMs - DAY_MS).reduce((sum, one) => sum + one.amount, 0n);

  it('opens at the first moment at which so much fits', () => {
    fc.assert(
      fc.property(recents, fc.bigInt(1n, 60n), fc.bigInt(1n, 60n), (recent, amount, most) => {
        const at = availableAt(amount, recent, terms(most), NOW);
        // The twin tries every moment at which something becomes a day old.
        const moments = [NOW, ...recent.map(({ atMs }) => atMs + DAY_MS)];
        const first = moments.find((moment) => usedAt(recent, moment) + amount <= most);
        expect(at).toBe(amount > most ? undefined : first);
      }),
    );
  });

  it('is never below zero', () => {
    expect(leftOf([{ atMs: NOW, amount: 30n }], terms(20n))).toBe(0n);
    expect(leftOf([{ atMs: NOW, amount: 5n }], terms(20n))).toBe(15n);
  });
});

it('every check is there, each fails by itself, and times are told', () => {
  const fine = {
    amount: 5n,
    fee: 1n,
    terms: terms(20n),
    isActive: true,
    available: 9n,
    frozenUntilMs: undefined,
    usableAtMs: undefined,
    recent: [],
    nowMs: NOW,
  };
  const failing = (change: Partial<typeof fine> | Record<string, unknown>) =>
    check({ ...fine, ...change })
      .filter(({ ok }) => !ok)
      .map(({ name, availableAtMs }) => [name, availableAtMs]);
  expect(failing({})).toEqual([]);
  expect(failing({ isActive: false })).toEqual([['network_active', undefined]]);
  expect(failing({ amount: 1n })).toEqual([['minimum', undefined]]);
  expect(failing({ available: 4n })).toEqual([['funds', undefined]]);
  expect(failing({ frozenUntilMs: NOW + 1 })).toEqual([['not_frozen', NOW + 1]]);
  expect(failing({ usableAtMs: NOW + 1 })).toEqual([['address_age', NOW + 1]]);
  expect(failing({ frozenUntilMs: NOW, usableAtMs: NOW })).toEqual([]);
  const recent = [{ atMs: NOW - 5, amount: 18n }];
  expect(failing({ recent })).toEqual([['daily_limit', NOW - 5 + DAY_MS]]);
  expect(failing({ amount: 21n, available: 99n })).toEqual([['daily_limit', undefined]]);
});

it('operators are told why a withdrawal waits: as many reasons as approvals explain', () => {
  const why = (
    row: Partial<Parameters<typeof whyWaits>[0]>,
    isInBook: boolean,
    known: WithdrawTerms | undefined = terms(100n),
  ) => whyWaits({ amount: 5n, approvalsNeeded: 1, statusReason: '', ...row }, known, { isInBook });
  expect(why({}, false)).toEqual(['not_in_book']);
  expect(why({ amount: 11n }, true)).toEqual(['amount']);
  expect(why({ amount: 11n }, false)).toEqual(['not_in_book', 'amount']);
  expect(why({ amount: 51n, approvalsNeeded: 2 }, true)).toEqual(['large_amount']);
  expect(why({ approvalsNeeded: 0, statusReason: 'screening' }, false)).toEqual(['screening']);
  // The limits have left the file since.
  expect(
    whyWaits({ amount: 11n, approvalsNeeded: 1, statusReason: '' }, undefined, { isInBook: true }),
  ).toEqual([]);
});
