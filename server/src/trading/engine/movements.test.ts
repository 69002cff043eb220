import { audit, CORE_VERSION, listBalances, type Outcome, type Result } from '@rialto/matching';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fold } from '../projections/fold.ts';
import { decodeCommand, encodeCommand, type NewCommand } from './command.ts';
import { operatorResult } from './lead.ts';
import { Machine } from './machine.ts';
import { applyLookup, causeOf, isMovement, movementKey, withCheckpoint } from './movements.ts';
import type { Movement } from './movements.ts';
import { toOperatorResult } from './operator-result.ts';
import { firstConfig } from './recover.ts';
import { unpackOutcomes } from './outcomes.ts';
import type { JournalRow, OperatorResult } from './store.ts';

function parseMovement(text: string): Movement | undefined {
  const command = decodeCommand(text, 0);
  return isMovement(command) ? command : undefined;
}

interface Row {
  readonly id: number;
  readonly text: string;
  end?: OperatorResult;
}

const SETUP: readonly NewCommand[] = [
  { type: 'upgrade', version: CORE_VERSION, hashKey: '00112233445566778899aabbccddeeff' },
  { type: 'list_coin', coin: 'usdt', networks: ['ETH', 'TRX'] },
  { type: 'open_account', account: 1, parent: 1 },
  { type: 'open_account', account: 2, parent: 2 },
];

/** As every journal begins, with a small memory. */
const SMALL = { ...firstConfig(0), capacity: 64 };

/** An engine, its journal, operators' rows and delayed projections, in memory. */
class Desk {
  #machine: Machine;
  readonly #journal: JournalRow[] = [];
  readonly #outcomes: Array<{ engineSeq: number; outcomes: Outcome[] }> = [];
  readonly #fold = new Fold({ lastOrderId: 0, lastEntryId: 0 }, []);
  #projected = 0;
  readonly rows: Row[] = [];

  constructor(memory: number) {
    this.#machine = Machine.empty(SMALL);
    this.#write([...SETUP, { type: 'set_memory', memory } as const].map(encodeCommand));
  }

  get state() {
    return this.#machine.state;
  }

  ask(command: NewCommand): void {
    this.rows.push({ id: this.rows.length + 1, text: encodeCommand(command) });
  }

  #write(texts: readonly string[]): Result[] {
    const draft = this.#machine.begin();
    const outcomes = texts.flatMap((text) => {
      const command = decodeCommand(text, this.#machine.stamp(1));
      return unpackOutcomes(`{${this.#machine.apply(draft, command, text)}}`);
    });
    if (draft.lines.length > 0) {
      const sealed = this.#machine.seal(draft);
      this.#journal.push({ ...sealed, epoch: 1 });
      const made = outcomes.filter(({ result }) => result.kind !== 'lookup_again');
      this.#outcomes.push({ engineSeq: sealed.engineSeq, outcomes: made });
    }
    return outcomes.map(({ result }) => result);
  }

  /** One look of the engine at the waiting rows: at most `limit` of them go to the core. */
  work(limit: number): void {
    const checkpoint = this.#outcomes[this.#projected - 1]?.engineSeq ?? 0;
    for (const row of this.rows.filter(({ end }) => end === undefined).slice(0, limit)) {
      const movement = parseMovement(row.text);
      if (movement === undefined) throw new Error('only movements are asked for here');
      let { text } = row;
      if (this.state.causesForgottenThrough > 0) {
        if (checkpoint < this.state.causesForgottenThrough) return;
        const looked = applyLookup(text, movement, { checkpoint, known: this.#fold.movements });
        ({ text } = looked);
        if (looked.answer !== undefined) {
          row.end = toOperatorResult(row.id, looked.answer)!;
          continue;
        }
      }
      const [result] = this.#write([text]);
      const end = toOperatorResult(row.id, result!);
      if (end === undefined) return;
      row.end = end;
    }
  }

  project(count: number): void {
    for (const { outcomes } of this.#outcomes.slice(this.#projected, this.#projected + count)) {
      this.#fold.add({ outcomes, asked: new Map() });
    }
    this.#projected = Math.min(this.#outcomes.length, this.#projected + count);
  }

  restart(from: 'snapshot' | 'journal'): void {
    const { seq, digest } = this.#machine;
    if (from === 'snapshot') {
      this.#machine = Machine.restore(this.#machine.snapshot(), 0, seq, digest);
      return;
    }
    const replayed = Machine.empty(SMALL);
    for (const row of this.#journal) replayed.replay(row);
    expect(replayed.digest).toEqual(digest);
    this.#machine = replayed;
  }

  /** Decides everything that waits, in a bounded number of looks. */
  finish(): void {
    for (let looks = 0; this.rows.some(({ end }) => end === undefined); looks += 1) {
      if (looks > 2 * this.rows.length + 2) throw new Error('a row waits for ever');
      this.project(this.#outcomes.length);
      this.work(this.rows.length);
    }
  }
}

const id = fc.constantFrom('a', 'b', 'c');
const amount = fc.constantFrom(5n, 5n, 5n, 6n);
const coin = 'usdt';
const command: fc.Arbitrary<NewCommand> = fc.oneof(
  fc.record({
    type: fc.constant('credit_deposit' as const),
    depositId: id,
    network: fc.constantFrom('ETH', 'ETH', 'TRX'),
    coin: fc.constant(coin),
    to: fc.constantFrom(1, 1, 2),
    amount: fc.constantFrom(50n, 50n, 51n),
  }),
  fc.record({
    type: fc.constant('transfer' as const),
    transferId: id,
    from: fc.constant(1),
    to: fc.constant(2),
    coin: fc.constant(coin),
    amount,
  }),
  fc.record({
    type: fc.constant('adjust' as const),
    adjustmentId: id,
    from: fc.constant(1),
    to: fc.constantFrom('fees' as const, 'adjustments' as const, 2),
    coin: fc.constant(coin),
    amount,
  }),
  fc.record({
    type: fc.constantFrom('contribute_capital' as const, 'withdraw_capital' as const),
    contributionId: id,
    coin: fc.constant(coin),
    network: fc.constantFrom('ETH', 'ETH', 'TRX'),
    amount,
  }),
  fc.record({
    type: fc.constant('reverse_deposit' as const),
    network: fc.constantFrom('ETH', 'ETH', 'TRX'),
    depositId: id,
    part: fc.constantFrom(0, 0, 1),
    coin: fc.constant(coin),
    account: fc.constantFrom(1, 1, 'suspense' as const),
    amount: fc.constantFrom(50n, 50n, 51n),
    cover: fc.constant(false),
  }),
  fc.record({
    type: fc.constant('book_chain_cost' as const),
    costId: id,
    network: fc.constant('ETH'),
    coin: fc.constant(coin),
    amount,
  }),
  fc.record({
    type: fc.constant('request_withdrawal' as const),
    withdrawalId: id,
    account: fc.constant(1),
    coin: fc.constant(coin),
    network: fc.constantFrom('ETH', 'ETH', 'TRX'),
    amount,
    fee: fc.constantFrom(1n, 1n, 2n),
  }),
  fc.record({
    type: fc.constantFrom('settle_withdrawal' as const, 'cancel_withdrawal' as const),
    withdrawalId: id,
  }),
);
const event = fc.oneof(
  { weight: 6, arbitrary: command },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('work' as const), count: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('project' as const), count: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('restart' as const),
      from: fc.constantFrom('snapshot' as const, 'journal' as const),
    }),
  },
);

/** What a row moved now, as changes of the two accounts; nothing for a repetition. */
function changes(row: Row, taken: bigint | undefined): Array<[account: number, change: bigint]> {
  const movement = parseMovement(row.text)!;
  switch (movement.type) {
    case 'credit_deposit':
      return [[Number(movement.to), movement.amount]];
    case 'transfer':
    case 'adjust':
      return [
        [Number(movement.from), -movement.amount],
        [Number(movement.to), movement.amount],
      ];
    case 'reverse_deposit':
      // The row has it as a text.
      return [[Number(movement.account), -BigInt(taken ?? 0)]];
    default:
      return [];
  }
}

describe('movements of money', () => {
  it('any sequence of movements, repetitions and restarts moves each cause once, however little is remembered', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(event, { minLength: 20, maxLength: 60 }),
        (memory, events) => {
          const desk = new Desk(memory);
          for (const one of events) {
            if (!('do' in one)) desk.ask(one);
            else if (one.do === 'work') desk.work(one.count);
            else if (one.do === 'project') desk.project(one.count);
            else desk.restart(one.from);
          }
          desk.finish();
          desk.restart('journal');
          const moved = new Map<string, Row[]>();
          const sums = new Map<number, bigint>();
          const ended = new Map<string, Row[]>();
          for (const row of desk.rows) {
            const { type, ...movement } = parseMovement(row.text)!;
            const result = JSON.parse(row.end!.result) as Result;
            const isEnd = type === 'settle_withdrawal' || type === 'cancel_withdrawal';
            const key = movementKey(causeOf({ type, ...movement } as never));
            expect(row.end!.status).toBe(result.kind === 'moved' ? 'done' : 'refused');
            const rows = isEnd ? ended : moved;
            if (result.kind === 'moved' && !result.replay) {
              expect(rows.get(key) ?? [], `${key} moved twice`).toEqual([]);
              rows.set(key, [row]);
              for (const [account, change] of changes(row, result.taken)) {
                sums.set(account, (sums.get(account) ?? 0n) + change);
              }
            } else if (result.kind === 'moved') {
              // If it is called a repetition, the first one moved, with the same terms.
              const [first] = rows.get(key) ?? [];
              expect(first?.text).toBe(row.text);
              // A reversal answers as it did then.
              const { replay: _, ...said } = JSON.parse(first!.end!.result) as typeof result;
              expect(result).toEqual({ ...said, replay: true });
            } else if (result.kind === 'rejected' && result.rejection.code === 5011) {
              expect(rows.get(key)?.[0]?.text).not.toBe(row.text);
            } else if (result.kind === 'rejected' && result.rejection.code === 5010) {
              const before = isEnd ? ended.get(key)?.[0] : undefined;
              const status = String(result.rejection.details['status']);
              expect(status === 'unknown' ? undefined : status).toBe(
                before && (before.text.includes('settle') ? 'settled' : 'canceled'),
              );
            }
          }
          // Withdrawals leave as the projection records them.
          for (const [key, [row]] of moved) {
            const movement = parseMovement(row!.text)!;
            if (movement.type !== 'request_withdrawal') continue;
            const isCanceled = ended.get(key)?.[0]?.text.includes('cancel') ?? false;
            if (!isCanceled) sums.set(1, (sums.get(1) ?? 0n) - movement.amount);
          }
          for (const account of [1, 2]) {
            const [balance] = listBalances(desk.state, account);
            expect(balance?.available).toBe(sums.get(account) ?? 0n);
          }
          expect(audit(desk.state)).toEqual([]);
          // Every deposit is possible, so none may be left undone.
          for (const { text } of desk.rows) {
            const movement = parseMovement(text)!;
            if (movement.type === 'credit_deposit') {
              expect(moved.has(movementKey(causeOf(movement)))).toBe(true);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('the checkpoint of the search goes into the journal, whatever the row says', () => {
    const text =
      '{"type":"transfer","transferId":"x","from":1,"to":2,"coin":"usdt","amount":"5","checkpoint":99}';
    expect(JSON.parse(withCheckpoint(text, 7))).toMatchObject({ checkpoint: 7, amount: '5' });
    const movement = parseMovement(text)!;
    const looked = applyLookup(text, movement, { checkpoint: 3, known: new Map() });
    expect(looked.answer).toBeUndefined();
    expect(JSON.parse(looked.text)).toMatchObject({ checkpoint: 3 });
  });

  it('a command that must be looked up again is not done, and ends no row', () => {
    expect(toOperatorResult(1, { kind: 'lookup_again', forgottenThrough: 5 })).toBeUndefined();
    const machine = Machine.empty(SMALL);
    const draft = machine.begin();
    const deposit = (n: number): string =>
      `{"type":"credit_deposit","depositId":"d${n}","network":"ETH","coin":"usdt","to":1,"amount":"5"}`;
    const run = (text: string) =>
      operatorResult(1, machine.apply(draft, decodeCommand(text, 1), text));
    for (const one of [...SETUP, { type: 'set_memory', memory: 1 } as const])
      run(encodeCommand(one));
    expect([1, 2, 3].map((n) => run(deposit(n))?.status)).toEqual(['done', 'done', undefined]);
  });
});
