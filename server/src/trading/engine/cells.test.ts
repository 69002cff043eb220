import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PackedCells, unpackCells } from './cells.ts';

/** Whole numbers, small words, amounts and long runs of zeros, as tapes hold them. */
const cell = fc.oneof(
  { weight: 4, arbitrary: fc.constant([0, 0] as const) },
  { weight: 2, arbitrary: fc.double().map(wordsOf) },
  { weight: 4, arbitrary: fc.maxSafeInteger().map(wordsOf) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(1000), fc.nat(1000)) },
  { weight: 1, arbitrary: fc.tuple(fc.integer(), fc.integer()) },
);

function wordsOf(value: number): readonly [number, number] {
  const words = new Uint32Array(Float64Array.of(value).buffer);
  return [words[0] ?? 0, words[1] ?? 0];
}

const pack = (words: Uint32Array): Buffer => {
  const packed = new PackedCells(16);
  packed.pack(words, 0, words.length / 2);
  return Buffer.from(packed.bytes());
};

it('packed cells unpack to the same bits', () => {
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 200 }), (cells) => {
      const words = Uint32Array.from(cells.flat());
      expect(unpackCells(pack(words))).toEqual(words);
    }),
  );
});

it('a run of zeros may have any length', () => {
  for (const length of [1, 255, 256, 257, 1000]) {
    const words = new Uint32Array(length * 2 + 2);
    words[length * 2] = 7;
    expect(unpackCells(pack(words))).toEqual(words);
    expect(pack(words).length).toBe(Math.ceil(length / 256) * 2 + 2);
  }
});

it('stretches that begin with a non-zero cell may be joined', () => {
  const record = fc
    .tuple(fc.integer({ min: 1, max: 14 }), fc.array(cell, { maxLength: 50 }))
    .map(([kind, cells]) => Uint32Array.from([[kind, cells.length] as const, ...cells].flat()));
  fc.assert(
    fc.property(fc.array(record, { maxLength: 10 }), (records) => {
      const whole = Uint32Array.from(records.flatMap((words) => [...words]));
      expect(Buffer.concat(records.map(pack))).toEqual(pack(whole));
    }),
  );
});
