import { audit, CORE_VERSION, NewerCoreError, restore, stateHash } from '@rialto/matching';
import { expect, test } from 'vitest';
import { DigestMismatch, Machine } from './machine.ts';
import { firstConfig, hashBytes } from './recover.ts';
import {
  goldenConfig,
  listGolden,
  readGoldenRows,
  readGoldenSnapshot,
  readGoldenSummary,
  summarize,
  type GoldenJournal,
  type GoldenRow,
} from '../../testing/trading/golden.ts';

const journals = listGolden();

/** Throws at the first row whose digest differs from the recorded one. */
function replay(machine: Machine, rows: readonly GoldenRow[]): Machine {
  for (const row of rows) machine.replay(row);
  return machine;
}

const replayAll = (journal: GoldenJournal): Machine =>
  replay(Machine.empty(goldenConfig(journal)), readGoldenRows(journal));

test('every version of the core before this one has left golden journals', () => {
  const recorded = new Set(journals.map(({ version }) => version));
  for (let version = 1; version < CORE_VERSION; version += 1) expect(recorded).toContain(version);
});

for (const journal of journals) {
  const { name, version, shard } = journal;

  test(`journal ${name} of core ${version} replays to the digest of every row and to the same state`, () => {
    const machine = replayAll(journal);
    expect(machine.seq).toBe(journal.rows);
    expect(machine.replayedCommands).toBe(journal.commands);
    expect(machine.digest.toString('hex')).toBe(journal.digest);
    expect(audit(machine.state)).toStrictEqual([]);
    expect(summarize(machine.state)).toMatchObject(readGoldenSummary(journal) as object);
  });

  test(`journal ${name} of core ${version} goes on from each of its snapshots to the same state`, () => {
    const rows = readGoldenRows(journal);
    const whole = stateHash(replayAll(journal).state);
    expect(journal.snapshots.length).toBeGreaterThan(1);
    for (const { seq, sha256 } of journal.snapshots) {
      const bytes = readGoldenSnapshot(journal, seq);
      expect(hashBytes(bytes).toString('hex')).toBe(sha256);
      const digest = rows[seq - 1]?.digest ?? Buffer.alloc(0);
      const machine = replay(Machine.restore(bytes, shard, seq, digest), rows.slice(seq));
      expect(machine.digest.toString('hex')).toBe(journal.digest);
      expect(summarize(machine.state)).toMatchObject(readGoldenSummary(journal) as object);
      expect(stateHash(machine.state)).toBe(whole);
    }
  });
}

function firstJournal(): GoldenJournal {
  const [journal] = journals;
  if (journal === undefined) throw new Error('there is a golden journal');
  return journal;
}

test('a row that was changed after it was written is refused, and so is one with another digest', () => {
  const journal = firstJournal();
  const rows = readGoldenRows(journal);
  const at = rows.findIndex(({ commands }) => /"amount":"\d{3}/.test(commands));
  const row = rows[at];
  if (row === undefined) throw new Error('there is a row with an amount');
  const before = (): Machine => replay(Machine.empty(goldenConfig(journal)), rows.slice(0, at));

  const commands = row.commands.replace(/"amount":"(\d)/, (_, digit: string) =>
    digit === '1' ? '"amount":"2' : '"amount":"1',
  );
  expect(() => before().replay({ ...row, commands })).toThrow(DigestMismatch);

  const digest = Buffer.from(row.digest);
  digest[7] = (digest[7] ?? 0) ^ 1;
  expect(() => before().replay({ ...row, digest })).toThrow(DigestMismatch);

  expect(() => before().replay(row)).not.toThrow();
});

test('a row of a newer core is refused by name before anything of it is carried out', () => {
  const journal = firstJournal();
  const [first] = readGoldenRows(journal);
  if (first === undefined) throw new Error('a golden journal has rows');
  const machine = Machine.empty(goldenConfig(journal));
  const before = stateHash(machine.state);
  const newer = { ...first, coreVersion: 99 };
  expect(() => machine.replay(newer)).toThrow(NewerCoreError);
  expect(() => machine.replay(newer)).toThrow(
    `Journal row 1 of shard ${journal.shard} was written by version 99 of the matching core`,
  );
  expect(stateHash(machine.state)).toBe(before);
  expect(machine.isWhole).toBe(true);
  machine.replay(first);
});

test('a truncated snapshot, a longer one and other bytes are refused', () => {
  const journal = firstJournal();
  const bytes = readGoldenSnapshot(journal, journal.snapshots[0]?.seq ?? 0);
  expect(() => restore(bytes.subarray(0, bytes.length / 2))).toThrow();
  expect(() => restore(Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow('after its end');
  expect(() => restore(Buffer.from('a journal is no snapshot'))).toThrow('no snapshot');
});

test('a row of this version has another digest than version 1 would give it, though its effects are the same', () => {
  const machine = Machine.empty(firstConfig(0));
  const draft = machine.begin();
  machine.apply(draft, { type: 'tick', time: 1 }, '{"type":"tick"}', { always: true });
  const row = { ...machine.seal(draft), epoch: 1 };
  // So a release that knows no versions stops here instead of continuing with rules that it does
  // not know.
  expect(() => Machine.empty(firstConfig(0)).replay({ ...row, coreVersion: 1 })).toThrow(
    DigestMismatch,
  );
  Machine.empty(firstConfig(0)).replay(row);
});
