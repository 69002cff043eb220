import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryPlaces } from './files.ts';
import { BrokenMemoryError, Memory, salvage } from './memory.ts';
import { completeRecovery, prepareRecovery } from './recovery.ts';
import { answer } from '../service.ts';
import {
  START,
  approvedBy,
  keys,
  makePsbt,
  openDesk,
  ourAddress,
  payout,
  policy,
  strangersAddress,
  utxoRequest,
  LTC,
  type TestDesk,
} from '../test-signer.ts';

const nth = (n: number, id = n) =>
  utxoRequest({
    paymentId: `P${n}`,
    unsigned: makePsbt(
      [{ vout: n }],
      [
        { address: strangersAddress(1), units: LTC },
        { address: ourAddress(1, 0), units: LTC - 10_000n, change: { index: 0 } },
      ],
    ),
    outputs: [payout(`W${id}`)],
  });

/** A folder with three signed payments. */
function used(): TestDesk {
  const desk = openDesk();
  for (const n of [1, 2, 3]) expect(desk.ask(nth(n))).toBe('signed');
  return desk;
}
const open = (folder: string) => Memory.open(folder, keys.memoryKey);

/** What a signer says that starts in this folder. */
function afterRestart(desk: TestDesk, request: unknown): string {
  let memory: Memory | BrokenMemoryError;
  try {
    memory = open(desk.folder);
  } catch (error) {
    if (!(error instanceof BrokenMemoryError)) throw error;
    memory = error;
  }
  const result = answer({ ...desk, memory, clock: () => desk.now }, JSON.stringify(request));
  if (memory instanceof Memory) memory.close();
  return result.ok ? 'signed' : result.reason;
}

describe('a memory', () => {
  it('is the same after a restart', () => {
    const desk = used();
    const memory = open(desk.folder);
    expect(memory.seq).toBe(4);
    expect(memory.ledger).toEqual(desk.memory.ledger);
    memory.close();
    expect(afterRestart(desk, nth(9, 1))).toBe('withdrawal_has_payment');
    expect(statSync(memoryPlaces(desk.folder).records).mode & 0o777).toBe(0o600);
    expect(statSync(memoryPlaces(desk.folder).head).mode & 0o777).toBe(0o600);
  });

  it('that is missing, or lacks its head, signs nothing', () => {
    for (const name of ['records', 'head'] as const) {
      const desk = used();
      rmSync(memoryPlaces(desk.folder)[name]);
      expect(afterRestart(desk, nth(4))).toBe('memory_broken');
    }
  });

  it('that was cut anywhere signs nothing', () => {
    const desk = used();
    const { records } = memoryPlaces(desk.folder);
    const whole = readFileSync(records);
    const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1);
    const cuts = [
      0,
      1,
      ...ends.slice(0, -1),
      ...ends.map((end) => end - 1),
      ...ends.map((end) => end - 40),
    ];
    for (const length of cuts) {
      writeFileSync(records, whole);
      truncateSync(records, length);
      expect(() => open(desk.folder), `cut to ${length}`).toThrow(BrokenMemoryError);
    }
    expect(afterRestart(desk, nth(4))).toBe('memory_broken');
  });

  it('of which any byte was altered, or lines were swapped, repeated or left out, signs nothing', () => {
    const desk = used();
    const { records } = memoryPlaces(desk.folder);
    const whole = readFileSync(records);
    for (let at = 0; at < whole.length; at += 37) {
      const altered = Buffer.from(whole);
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
      writeFileSync(records, altered);
      expect(() => open(desk.folder), `byte ${at}`).toThrow(BrokenMemoryError);
    }
    const [a = '', b = '', c = '', d = ''] = whole.toString().split('\n');
    for (const lines of [
      [a, c, b, d],
      [a, b, b, c, d],
      [a, b, d],
      [a, b, c, d, d],
      [b, c, d],
    ]) {
      writeFileSync(records, `${lines.join('\n')}\n`);
      expect(() => open(desk.folder)).toThrow(BrokenMemoryError);
    }
    writeFileSync(records, whole);
    open(desk.folder).close();
  });

  it('of which an old copy came back, without its head, signs nothing', () => {
    const desk = used();
    const { records } = memoryPlaces(desk.folder);
    const copy = join(desk.folder, 'copy');
    copyFileSync(records, copy);
    expect(desk.ask(nth(4))).toBe('signed');
    expect(desk.ask(nth(5))).toBe('signed');
    copyFileSync(copy, records);
    expect(afterRestart(desk, nth(6))).toBe('memory_broken');
  });

  it('of which an old copy came back with its head is seen by what the client remembers', () => {
    const desk = used();
    const after = (afterSeq: number) => desk.ask({ ...nth(4), afterSeq });
    expect(after(5)).toBe('memory_broken');
    expect(after(4)).toBe('signed');
    expect(desk.send({ ...nth(4), afterSeq: 5 })).toMatchObject({ ok: true, seq: 5 });
  });

  it('of another seed is none', () => {
    const desk = used();
    expect(() => Memory.open(desk.folder, new Uint8Array(32))).toThrow(BrokenMemoryError);
  });

  it('whose last record was being written when the power failed goes on: those bytes never left', () => {
    const desk = used();
    const { records } = memoryPlaces(desk.folder);
    const whole = readFileSync(records);
    writeFileSync(records, Buffer.concat([whole, Buffer.from('{"at":17600000')]));
    expect(afterRestart(desk, nth(9, 1))).toBe('withdrawal_has_payment');
    expect(readFileSync(records)).toEqual(whole);
  });

  it('that another program writes to stops at once', () => {
    const desk = used();
    const { records } = memoryPlaces(desk.folder);
    writeFileSync(records, `${readFileSync(records, 'utf8')}x`);
    expect(desk.ask(nth(4))).toBe('internal');
    expect(desk.ask(nth(5))).toBe('memory_broken');
    expect(desk.send({ op: 'health' })).toMatchObject({ ready: false });
  });
});

describe('a recovery', () => {
  function broken(): TestDesk {
    const desk = used();
    const { records } = memoryPlaces(desk.folder);
    const lines = readFileSync(records, 'utf8').split('\n');
    // The second payment is altered: the records before and after it prove themselves.
    lines[2] = (lines[2] ?? '').replace('W2', 'W7');
    writeFileSync(records, lines.join('\n'));
    return desk;
  }

  it('takes two operators, and keeps every record that is sound', () => {
    const desk = broken();
    const { folder } = desk;
    const statement = prepareRecovery(folder, keys, START);
    expect(statement.recover.kept).toBe(3);
    expect(prepareRecovery(folder, keys, START + 1000)).toEqual(statement);
    const recover = (count: number, about: unknown = statement, now = START + 2000) =>
      completeRecovery(folder, keys, policy, approvedBy(count, about), now);
    expect(() => recover(1)).toThrow(/2 operators/);
    const other = { recover: { ...statement.recover, kept: 9 } };
    expect(() => recover(2, other)).toThrow(/0 good signatures/);
    expect(() => recover(2, statement, START + 86_400_000)).toThrow(/last 24 hours/);
    expect(afterRestart(desk, nth(4))).toBe('memory_broken');
    const done = recover(2);
    expect(done).toMatchObject({ by: ['ana', 'ben'], kept: 3 });
    expect(readFileSync(done.broken ?? '', 'utf8')).toContain('W7');
    desk.now = START + 3000;
    expect(afterRestart(desk, nth(9, 1))).toBe('withdrawal_has_payment');
    expect(afterRestart(desk, nth(9, 3))).toBe('withdrawal_has_payment');
    expect(afterRestart(desk, nth(4))).toBe('signed');
    expect(() => recover(2)).toThrow(/nothing to recover/);
  });

  it('of nothing at all begins with an empty memory', () => {
    const desk = used();
    const places = memoryPlaces(desk.folder);
    rmSync(places.records);
    rmSync(places.head);
    const statement = prepareRecovery(desk.folder, keys, START);
    expect(statement.recover).toMatchObject({ memory: 'missing', kept: 0 });
    completeRecovery(desk.folder, keys, policy, approvedBy(2, statement), START);
    expect(salvage(desk.folder, keys.memoryKey)).toHaveLength(2);
    expect(afterRestart(desk, nth(4))).toBe('signed');
  });

  it('cannot be had with the signatures of an earlier one', () => {
    const desk = broken();
    const first = prepareRecovery(desk.folder, keys, START);
    const approvals = approvedBy(2, first);
    completeRecovery(desk.folder, keys, policy, approvals, START);
    const { records } = memoryPlaces(desk.folder);
    truncateSync(records, 10);
    prepareRecovery(desk.folder, keys, START);
    expect(() => completeRecovery(desk.folder, keys, policy, approvals, START)).toThrow(/0 good/);
  });
});
