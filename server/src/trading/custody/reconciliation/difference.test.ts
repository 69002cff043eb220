import fc from 'fast-check';
import { expect, it } from 'vitest';
import { differenceOf, FINE_DECIMALS, outcomeOf, toFine, type Terms } from './difference.ts';

interface Books {
  onChain: bigint;
  custody: bigint;
  uncredited: bigint;
  unsettled: bigint;
  costs: bigint;
}

const Amount = fc.bigInt(1n, 10n ** 40n);

/** What can happen to coins, each step by itself, in any order that a venue allows or a reorganisation brings about. */
const Step = fc.tuple(fc.constantFrom('arrive', 'credit', 'pay', 'settle', 'cost', 'book'), Amount);

function apply(books: Books, step: string, amount: bigint): void {
  switch (step) {
    case 'arrive':
      books.onChain += amount;
      books.uncredited += amount;
      break;
    case 'credit':
      books.custody -= amount;
      books.uncredited -= amount;
      break;
    case 'pay':
      books.onChain -= amount;
      books.unsettled += amount;
      break;
    case 'settle':
      books.custody += amount;
      books.unsettled -= amount;
      break;
    case 'cost':
      books.onChain -= amount;
      books.costs += amount;
      break;
    default:
      books.custody += amount;
      books.costs -= amount;
  }
}

const EMPTY: Terms = { onChain: 0n, custody: 0n, uncredited: 0n, unsettled: 0n, costs: 0n };

it('is zero whatever happens in whatever order, as long as each step is counted', () => {
  fc.assert(
    fc.property(fc.array(Step, { maxLength: 60 }), (steps) => {
      const books = { ...EMPTY };
      for (const [step, amount] of steps) apply(books, step, amount);
      expect(differenceOf(books)).toBe(0n);
    }),
  );
});

it('is exactly what was stolen, or credited without coins, to the last unit', () => {
  fc.assert(
    fc.property(
      fc.array(Step, { maxLength: 60 }),
      Amount,
      fc.boolean(),
      (steps, amount, isTheft) => {
        const books = { ...EMPTY };
        for (const [step, moved] of steps) apply(books, step, moved);
        if (isTheft) books.onChain -= amount;
        else books.custody -= amount;
        expect(differenceOf(books)).toBe(-amount);
        expect(outcomeOf(differenceOf(books))).toBe('shortfall');
      },
    ),
  );
});

it('has a sign', () => {
  expect([-1n, 0n, 1n].map(outcomeOf)).toEqual(['shortfall', 'equal', 'surplus']);
});

it('counts chains of any fineness alike', () => {
  expect(toFine(1n, FINE_DECIMALS)).toBe(1n);
  expect(toFine(1n, 0)).toBe(10n ** 24n);
  expect(toFine(150_000_000n, 8)).toBe(toFine(15n * 10n ** 17n, 18));
});
