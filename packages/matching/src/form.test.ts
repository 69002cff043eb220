import { expect, it } from 'vitest';
import { Workload } from '../sim/workload.ts';
import { isTapeOfForm, toForm, toNoteForm } from './form.ts';
import { apply, applyTo, createState, restore, snapshot, stateHash, Tape } from './index.ts';
import { CORE_VERSION, NewerCoreError } from './version.ts';

/** A tape of some thousand commands of every kind, at the rules of a version. */
function drawTape(rules: number): Tape {
  const workload = new Workload(12n);
  const { shard, memory } = workload.world.beginning;
  // Two of them, because outcomes as objects and outcomes on a tape come from different calls.
  const state = createState({ shard, memory, rules });
  const shown = createState({ shard, memory, rules });
  // A version refuses the upgrade to a later one.
  state.writtenBy = rules;
  shown.writtenBy = rules;
  const tape = new Tape();
  for (let i = 0; i < 4000; i++) {
    const command = workload.next();
    applyTo(state, command, tape);
    workload.observe(apply(shown, command));
  }
  return tape;
}

it('every record that the core writes has the declared form, word for word', () => {
  const tape = drawTape(CORE_VERSION);
  expect(tape.length).toBeGreaterThan(50_000);
  const words = toForm(CORE_VERSION, tape);
  expect(words.length).toBe(tape.length * 2);
  expect(words).toEqual(tape.u32.slice(0, tape.length * 2));
});

it('a tape that still has the form of its version is digested without a copy', () => {
  expect([1, 2].map(isTapeOfForm)).toEqual([true, true]);
});

it('a record that a version does not declare cannot have been written by it', () => {
  const tape = new Tape();
  tape.begin(63, 1);
  expect(() => toForm(1, tape)).toThrow('version 1 has no record of kind 63');
  expect(() => toForm(99, tape)).toThrow('no form of version 99');
});

it('a longer order record still has the form of the versions before it', () => {
  const tape = drawTape(1);
  const longer = new Tape();
  // A later release might do this: one more cell at the end of every order.
  for (let cell = 0; cell < tape.length;) {
    const kind = tape.u32[cell * 2]!;
    const count = tape.u32[cell * 2 + 1]!;
    const isOrder = kind === 2;
    const at = longer.begin(kind, isOrder ? count + 1 : count);
    longer.u32.set(tape.u32.subarray((cell + 1) * 2, (cell + 1 + count) * 2), at * 2);
    if (isOrder) longer.f64[at + count] = 42;
    cell += 1 + count;
  }
  expect(toForm(1, longer)).toEqual(toForm(1, tape));
});

it('only the named members of a note count; others, and the slot in memory, do not', () => {
  const refusal = { slot: 7, details: { b: 1, a: 2 }, code: 2003 };
  const account = {
    parent: 1,
    suspended: false,
    tier: 0,
    account: 1,
    nickname: 'new in version 9',
  };
  expect(JSON.stringify(toNoteForm(1, [refusal, 'text', [3, 4]]))).toBe(
    '[{"details":{"b":1,"a":2},"code":2003},"text",[3,4]]',
  );
  expect(JSON.stringify(toNoteForm(2, [refusal, account]))).toBe(
    '[{"code":2003,"details":{"a":2,"b":1}},{"account":1,"parent":1,"suspended":false,"tier":0}]',
  );
});

it('a snapshot keeps the rules and the key, and one of a newer core is refused by name', () => {
  const state = createState({ rules: 1 });
  const hashKey = '00112233445566778899aabbccddeeff';
  applyTo(state, { type: 'upgrade', time: 1, version: 2, hashKey }, state.ownTape);
  const bytes = snapshot(state);
  const copy = restore(bytes);
  expect(copy.rules).toBe(2);
  expect([...copy.hashKey]).toEqual([0x00112233, 0x44556677, 0x8899aabb, 0xccddeeff]);
  expect(stateHash(copy)).toBe(stateHash(state));
  const newer = bytes.slice();
  // The version follows the magic number, of four bytes, and the format.
  const at = 5;
  expect(newer[at]).toBe(CORE_VERSION);
  newer[at] = 99;
  expect(() => restore(newer)).toThrow(NewerCoreError);
  expect(() => restore(newer)).toThrow('written by version 99 of the matching core');
});
