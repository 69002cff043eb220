import { describe, expect, it } from 'vitest';
import { Random } from '../../../../../packages/matching/sim/random.ts';
import {
  compressText,
  fileOf,
  openRows,
  readManifest,
  WrongArchive,
  writeLine,
  writeManifest,
  type ArchivedRow,
  type Manifest,
  type RowsFile,
} from './archive-file.ts';
import { findSeams } from './verify.ts';

const random = new Random(42n);

const rowAt = (seq: number): ArchivedRow => ({
  seq,
  epoch: random.logBetween(1, 9),
  coreVersion: random.logBetween(1, 9),
  commands: Array.from(
    { length: random.logBetween(1, 5) },
    (_, n) =>
      `${1e12 + n} {"type":"tick","because":"${'"\\\u2028é😀\t'.slice(0, random.logBetween(1, 7))}"}`,
  ).join('\n'),
  commandCount: random.logBetween(1, 5),
  digest: Buffer.from(Array.from({ length: 32 }, () => random.logBetween(1, 255))),
  engineSeq: random.logBetween(1, 1e15),
  at: '2026-11-18T20:00:00.123456Z',
});

async function fileWith(rows: readonly ArchivedRow[]): Promise<{ bytes: Buffer; file: RowsFile }> {
  const text = rows.map(writeLine).join('\n');
  const file = {
    key: '',
    sha256: '',
    bytes: 0,
    firstSeq: rows[0]?.seq ?? 0,
    lastSeq: rows.at(-1)?.seq ?? 0,
    textBytes: Buffer.byteLength(text),
  };
  return { bytes: await compressText(text), file };
}

describe('a file of rows', () => {
  it('gives back every row as it was, whatever stands in it', async () => {
    for (let run = 0; run < 50; run += 1) {
      const first = random.logBetween(1, 1e12);
      const rows = Array.from({ length: random.logBetween(1, 40) }, (_, n) => rowAt(first + n));
      const { bytes, file } = await fileWith(rows);
      const opened = await openRows(bytes, file);
      expect(rows.map(({ seq }) => opened.at(seq))).toEqual(rows);
    }
  });

  it('is refused if it is longer, shorter or about other rows than it says', async () => {
    const { bytes, file } = await fileWith([rowAt(5), rowAt(6), rowAt(7)]);
    await expect(openRows(bytes, { ...file, textBytes: file.textBytes - 1 })).rejects.toThrow();
    await expect(openRows(bytes, { ...file, textBytes: file.textBytes + 1 })).rejects.toThrow(
      WrongArchive,
    );
    await expect(openRows(bytes, { ...file, lastSeq: 8 })).rejects.toThrow('has 3 rows');
    const other = await openRows(bytes, { ...file, firstSeq: 6, lastSeq: 8 });
    expect(() => other.at(6)).toThrow('row 5 stands in the place of row 6');
  });
});

const manifestOf = (lengths: readonly number[]): Manifest => {
  let next = 11;
  const files = lengths.map((length) => {
    next += length;
    return {
      key: `k${next}`,
      sha256: '',
      bytes: 1,
      textBytes: 1,
      firstSeq: next - length,
      lastSeq: next - 1,
    };
  });
  return {
    format: 'rialto journal 1',
    shard: 0,
    firstSeq: 11,
    lastSeq: next - 1,
    digestBefore: '',
    digestAfter: '',
    files,
  };
};

describe('a manifest', () => {
  it('finds the file of each row, as a look at every file does', () => {
    for (let run = 0; run < 200; run += 1) {
      const manifest = manifestOf(
        Array.from({ length: random.logBetween(1, 12) }, () => random.logBetween(1, 9)),
      );
      const read = readManifest(writeManifest(manifest));
      expect(read).toEqual(manifest);
      for (let seq = read.firstSeq; seq <= read.lastSeq; seq += 1) {
        const wanted = read.files.find((file) => file.firstSeq <= seq && seq <= file.lastSeq);
        expect(fileOf(read, seq)).toBe(wanted);
      }
    }
  });

  it('is refused if a file is missing, stands twice or is out of order', () => {
    const whole = manifestOf([3, 4, 5]);
    const [one, two, three] = whole.files;
    if (one === undefined || two === undefined || three === undefined) throw new Error('three');
    for (const files of [
      [one, three],
      [one, two],
      [two, three],
      [one, two, two, three],
      [two, one, three],
      [],
    ]) {
      expect(() => writeManifest({ ...whole, files })).toThrow(WrongArchive);
      expect(() => readManifest(Buffer.from(JSON.stringify({ ...whole, files })))).toThrow(
        WrongArchive,
      );
    }
    expect(() =>
      readManifest(Buffer.from(JSON.stringify({ ...whole, format: 'rialto journal 2' }))),
    ).toThrow('of the form "rialto journal 2"');
  });
});

it('archives join if each begins where the one before it ended', () => {
  const digest = (n: number) => Buffer.alloc(32, n);
  const part = (n: number, isRemoved = true) => ({
    firstSeq: n * 10 + 1,
    lastSeq: n * 10 + 10,
    digestBefore: digest(n),
    digestAfter: digest(n + 1),
    isRemoved,
  });
  expect(findSeams([part(0), part(1), part(2, false)])).toEqual([]);
  expect(findSeams([part(0), part(2)])).toEqual(['An archive begins with row 21 after row 10.']);
  expect(findSeams([part(1)])).toEqual(['An archive begins with row 11 after row 0.']);
  expect(findSeams([part(0), { ...part(1), digestBefore: digest(9) }])).toEqual([
    'The archive from row 11 on follows another row 10.',
  ]);
  expect(findSeams([part(0, false), part(1)])).toEqual([
    'Row 11 has left the table before row 10.',
  ]);
});
