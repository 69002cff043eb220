import { describe, expect, test } from 'vitest';
import {
  apply,
  audit,
  createState,
  listBalances,
  listVenueBalances,
  restore,
  snapshot,
} from '../index.ts';
import type { Command, Result, ReverseDeposit, State, Step } from '../index.ts';

type Untimed = Command extends infer C ? (C extends Command ? Omit<C, 'time'> : never) : never;

function run(s: State, command: Untimed): { result: Result; step: Step | undefined } {
  const { result, steps } = apply(s, { time: 1, ...command });
  return { result, step: steps.at(-1) };
}

const resultOf = (s: State, command: Untimed): Result | number => {
  const { result } = run(s, command);
  return result.kind === 'rejected' ? result.rejection.code : result;
};

function open({ rules = 5, memory = 10 } = {}): State {
  const s = createState({ memory, rules });
  run(s, { type: 'list_coin', coin: 'ltc', networks: ['LTC', 'SIMULATED'] });
  run(s, { type: 'open_account', account: 1, parent: 1 });
  return s;
}

const deposit = (to: number | 'suspense' | 'adjustments', amount: bigint, id = 'd'): Untimed => ({
  type: 'credit_deposit',
  depositId: id,
  network: 'LTC',
  coin: 'ltc',
  to,
  amount,
});
const reversal = (changes: Partial<Omit<ReverseDeposit, 'type' | 'time'>> = {}): Untimed => ({
  type: 'reverse_deposit',
  network: 'LTC',
  depositId: 'd',
  part: 0,
  coin: 'ltc',
  account: 1,
  amount: 10n,
  cover: false,
  ...changes,
});
const cost = (
  changes: { costId?: string; coin?: string; network?: string; amount?: bigint } = {},
) =>
  ({
    type: 'book_chain_cost',
    costId: 'x',
    network: 'LTC',
    coin: 'ltc',
    amount: 2n,
    ...changes,
  }) satisfies Untimed;

const owned = (s: State, owner: string): bigint =>
  listVenueBalances(s).find((one) => one.owner === owner)?.amount ?? 0n;
const available = (s: State): bigint => listBalances(s, 1)[0]?.available ?? 0n;
const moved = (taken: bigint, missing: bigint, replay = false): Result => ({
  kind: 'moved',
  replay,
  taken,
  missing,
});

describe('a reversed deposit', () => {
  test('is taken back in full, once, and custody has it no more', () => {
    const s = open();
    run(s, deposit(1, 10n));
    const { result, step } = run(s, reversal());
    expect(result).toEqual(moved(10n, 0n));
    expect(step?.journals).toEqual([
      {
        kind: 'reversal',
        reference: 'LTC:d:0',
        postings: [
          { owner: 1, coin: 'ltc', bucket: 'available', amount: -10n, after: 0n },
          { owner: 'custody:LTC', coin: 'ltc', bucket: 'available', amount: 10n, after: 0n },
        ],
      },
    ]);
    run(s, deposit(1, 10n, 'other'));
    expect(resultOf(s, reversal())).toEqual(moved(10n, 0n, true));
    expect([available(s), audit(s)]).toEqual([10n, []]);
  });

  test('takes what is there, and says in its part what is missing; the next part is covered', () => {
    const s = open();
    run(s, deposit(1, 10n));
    run(s, deposit('adjustments', 3n, 'a'));
    run(s, {
      type: 'request_withdrawal',
      withdrawalId: 'w',
      account: 1,
      coin: 'ltc',
      network: 'LTC',
      amount: 6n,
      fee: 0n,
    });
    const first = run(s, reversal());
    expect(first.result).toEqual(moved(4n, 6n));
    expect(first.step?.reversals).toEqual([
      {
        reversalId: 'LTC:d:0',
        account: 1,
        coin: 'ltc',
        network: 'LTC',
        amount: 10n,
        missing: 6n,
        cover: false,
      },
    ]);
    expect(resultOf(s, reversal({ part: 1, amount: 6n, cover: true }))).toEqual(moved(3n, 3n));
    expect([owned(s, 'adjustments'), owned(s, 'custody:LTC'), audit(s)]).toEqual([0n, -6n, []]);
    // What is on its way out is not touched.
    expect(listBalances(s, 1)[0]?.pendingWithdraw).toBe(6n);
  });

  test('that finds nothing moves nothing, and is remembered with that answer', () => {
    const s = open();
    const { result, step } = run(s, reversal());
    expect(result).toEqual(moved(0n, 10n));
    expect([step?.journals, step?.reversals.length]).toEqual([[], 1]);
    run(s, deposit(1, 10n));
    expect(resultOf(s, reversal())).toEqual(moved(0n, 10n, true));
    expect(resultOf(s, reversal({ part: 1 }))).toEqual(moved(10n, 0n));
  });

  test('with other terms is refused, and the memory of it survives a snapshot', () => {
    const s = open();
    run(s, deposit(1, 4n));
    run(s, reversal());
    const copy = restore(snapshot(s));
    for (const state of [s, copy]) {
      expect(resultOf(state, reversal({ amount: 11n }))).toBe(5011);
      expect(resultOf(state, reversal({ cover: true }))).toBe(5011);
      expect(resultOf(state, reversal({ account: 'suspense' }))).toBe(5011);
      expect(resultOf(state, reversal())).toEqual(moved(4n, 6n, true));
    }
  });

  test('is asked of those whom a deposit can credit, and adjustments never cover themselves', () => {
    const s = open();
    run(s, deposit('suspense', 10n));
    run(s, deposit('adjustments', 4n, 'a'));
    expect(resultOf(s, reversal({ account: 'suspense' }))).toEqual(moved(10n, 0n));
    const own = reversal({ account: 'adjustments', depositId: 'a', cover: true });
    expect(resultOf(s, own)).toEqual(moved(4n, 6n));
    for (const account of ['fees', 'capital', 7]) {
      expect(resultOf(s, reversal({ part: 1, account: account as never }))).toBe(7001);
    }
  });

  test('needs a coin, one of its networks, a part and an amount', () => {
    const s = open();
    run(s, { type: 'set_money', money: 'real' });
    const wrong: Array<[Parameters<typeof reversal>[0], number]> = [
      [{ coin: 'no' }, 4002],
      [{ network: 'BTC' }, 4003],
      [{ network: 'SIMULATED' }, 5004],
      [{ part: -1 }, 2003],
      [{ part: 0.5 }, 2003],
      [{ part: 1000 }, 2003],
      [{ amount: 0n }, 2003],
      [{ amount: 10n ** 36n + 1n }, 2003],
    ];
    for (const [changes, code] of wrong) expect(resultOf(s, reversal(changes))).toBe(code);
    expect(resultOf(s, reversal({ part: 999 }))).toEqual(moved(0n, 10n));
  });

  test('that the core has forgotten must be looked up again', () => {
    const s = open({ memory: 1 });
    run(s, deposit(1, 10n));
    run(s, reversal());
    run(s, { ...deposit(1, 10n, 'next'), checkpoint: s.engineSeq } as Untimed);
    expect(resultOf(s, reversal())).toMatchObject({ kind: 'lookup_again' });
    expect(available(s)).toBe(10n);
  });
});

describe('a chain cost', () => {
  test('is paid by adjustments once, or refused while they cannot pay', () => {
    const s = open();
    expect(resultOf(s, cost())).toBe(5001);
    run(s, deposit('adjustments', 5n));
    expect(resultOf(s, cost())).toEqual({ kind: 'moved', replay: false });
    expect(resultOf(s, cost())).toEqual({ kind: 'moved', replay: true });
    expect(resultOf(s, cost({ amount: 1n }))).toBe(5011);
    expect([owned(s, 'adjustments'), owned(s, 'custody:LTC')]).toEqual([3n, -3n]);
    expect(resultOf(s, cost({ costId: 'y', amount: 4n }))).toBe(5001);
    expect(resultOf(s, cost({ costId: 'y', amount: 3n }))).toEqual({
      kind: 'moved',
      replay: false,
    });
    expect([owned(s, 'custody:LTC'), audit(restore(snapshot(s)))]).toEqual([0n, []]);
  });

  test('needs a coin, one of its networks and an amount', () => {
    const s = open();
    run(s, { type: 'set_money', money: 'real' });
    expect(resultOf(s, cost({ coin: 'no' }))).toBe(4002);
    expect(resultOf(s, cost({ network: 'BTC' }))).toBe(4003);
    expect(resultOf(s, cost({ network: 'SIMULATED' }))).toBe(5005);
    expect(resultOf(s, cost({ amount: -1n }))).toBe(2003);
  });
});

test('older rules know neither command, each in its own way', () => {
  const [first, fourth] = [open({ rules: 1 }), open({ rules: 4 })];
  for (const command of [reversal(), cost()]) {
    expect(resultOf(first, command)).toEqual({ kind: 'done' });
    expect(resultOf(fourth, command)).toBe(2002);
  }
});
