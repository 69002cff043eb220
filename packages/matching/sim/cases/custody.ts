// Counts the cases of reversed deposits and of what networks charge.

import type { Command, ReverseDeposit } from '../../src/command.ts';
import type { Outcome, Result, Step } from '../../src/outcome.ts';

const REVERSAL_REFUSALS = [2002, 2003, 4002, 4003, 5004, 5011, 7001];
const COST_REFUSALS = [2002, 2003, 4002, 4003, 5001, 5005, 5011];

export const CUSTODY_CASES: readonly string[] = [
  ...[
    'in full',
    'in full, covered in part',
    'in full, covered alone',
    'in part',
    'in part, with cover',
    'in part, from cover alone',
    'of nothing',
    'of nothing, with cover',
    'of a suspended account',
    'of suspense',
    'of adjustments',
    'again, in full',
    'again, in part',
    'again, of nothing',
    'lookup_again',
    ...REVERSAL_REFUSALS.map((code) => `rejection ${code}`),
  ].map((name) => `reversal ${name}`),
  ...[
    'booked',
    'booked with all there was',
    'booked again',
    'lookup_again',
    ...COST_REFUSALS.map((code) => `rejection ${code}`),
  ].map((name) => `chain cost ${name}`),
];

export class CustodyCases {
  readonly #count: (name: string) => void;
  readonly #suspended = new Set<number>();

  constructor(count: (name: string) => void) {
    this.#count = count;
  }

  clear(): void {
    this.#suspended.clear();
  }

  add(command: Command, { result, steps }: Outcome): void {
    for (const { accounts } of steps) {
      for (const { account, suspended } of accounts) {
        if (suspended) this.#suspended.add(account);
        else this.#suspended.delete(account);
      }
    }
    if (command.type === 'reverse_deposit') {
      for (const name of this.#namesOf(command, result, steps)) this.#count(`reversal ${name}`);
    } else if (command.type === 'book_chain_cost') {
      for (const name of costNames(result, steps)) this.#count(`chain cost ${name}`);
    }
  }

  #namesOf(command: ReverseDeposit, result: Result, steps: readonly Step[]): string[] {
    if (result.kind !== 'moved') return refusalNames(result, REVERSAL_REFUSALS);
    const { taken = 0n, missing = 0n, replay } = result;
    const how = missing === 0n ? 'in full' : taken > 0n ? 'in part' : 'of nothing';
    if (replay) return [`again, ${how}`];
    const { account, cover } = command;
    const names = typeof account === 'string' ? [`of ${account}`] : [];
    if (typeof account === 'number' && this.#suspended.has(account) && taken > 0n)
      names.push('of a suspended account');
    if (account === 'adjustments') return names;
    const postings = steps.flatMap(({ journals }) => journals.flatMap((one) => one.postings));
    const isCovered = postings.some(({ owner }) => owner === 'adjustments');
    const isOwn = postings.some(({ owner }) => owner === account);
    if (!cover || (!isCovered && missing === 0n)) return [...names, how];
    if (missing === 0n)
      return [...names, isOwn ? `${how}, covered in part` : `${how}, covered alone`];
    if (taken > 0n && !isOwn) return [...names, 'in part, from cover alone'];
    return [...names, `${how}, with cover`];
  }
}

function costNames(result: Result, steps: readonly Step[]): string[] {
  if (result.kind !== 'moved') return refusalNames(result, COST_REFUSALS);
  if (result.replay) return ['booked again'];
  const postings = steps.flatMap(({ journals }) => journals.flatMap((one) => one.postings));
  const isAll = postings.some(({ owner, after }) => owner === 'adjustments' && after === 0n);
  return isAll ? ['booked', 'booked with all there was'] : ['booked'];
}

function refusalNames(result: Result, codes: readonly number[]): string[] {
  if (result.kind === 'lookup_again') return ['lookup_again'];
  if (result.kind !== 'rejected' || !codes.includes(result.rejection.code)) return [];
  return [`rejection ${result.rejection.code}`];
}
