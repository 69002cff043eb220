import { expect, it } from 'vitest';
import { Random } from '../../../../../packages/matching/sim/random.ts';
import { planPrune, type PlanInput } from './plan.ts';

/** Row by row: a part goes if each of its rows may go, and all parts before it go. */
function slowly({ parts, belowSeq, headSeq, readers }: PlanInput): string[] {
  const names: string[] = [];
  for (const { name, firstSeq, pastSeq } of parts) {
    if (pastSeq === undefined) return names;
    for (let seq = firstSeq; seq < pastSeq; seq += 1) {
      const mayGo = seq < belowSeq && seq < headSeq && readers.every((reader) => reader.seq >= seq);
      if (!mayGo) return names;
    }
    names.push(name);
  }
  return names;
}

it('plans to remove those parts, from the first on, of which nobody needs a row', () => {
  const random = new Random(41n);
  let removed = 0;
  for (let run = 0; run < 2000; run += 1) {
    const parts: PlanInput['parts'][number][] = [];
    let next = random.logBetween(1, 30);
    for (let n = random.logBetween(1, 8); n > 0; n -= 1) {
      const past = n === 1 ? undefined : next + random.logBetween(1, 12);
      parts.push({ name: `from ${next}`, firstSeq: next, pastSeq: past, bytes: 1 });
      next = past ?? next;
    }
    const input: PlanInput = {
      parts,
      belowSeq: random.logBetween(1, 90),
      headSeq: random.logBetween(1, 90),
      readers: Array.from({ length: random.logBetween(1, 3) }, (_, n) => ({
        name: `reader ${n}`,
        seq: random.logBetween(1, 90),
      })),
    };
    const { parts: chosen, because } = planPrune(input);
    expect(chosen.map(({ name }) => name)).toEqual(slowly(input));
    expect(because).not.toBe('');
    removed += chosen.length;
  }
  expect(removed).toBeGreaterThan(200);
});
