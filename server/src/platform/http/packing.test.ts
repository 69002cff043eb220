import { buffer } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { streamOf } from './packing.ts';

it('a text is sent whole, with characters of two halves where it is cut', async () => {
  const pieces = ['x', '😀'.repeat(200_000), '', 'y'.repeat(300_000), 'z'];
  expect((await buffer(streamOf(pieces, undefined))).toString() === pieces.join('')).toBe(true);
});

it('other work has its turn before each part, even for a reader that takes everything at once', async () => {
  const pieces = Array.from({ length: 100 }, () => 'x'.repeat(100_000));
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  let parts = 0;
  const reader = new Writable({
    write: (_part, _encoding, taken) => {
      parts += 1;
      taken();
    },
  });
  await finished(streamOf(pieces, undefined).pipe(reader));
  isOver = true;
  expect(parts).toBeGreaterThan(70);
  expect(turns).toBeGreaterThanOrEqual(parts - 1);
});
