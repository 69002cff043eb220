import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rank, RESULTS_MAX, type Entry } from './rank.ts';

const entries: readonly Entry[] = [
  { id: 'p1', kind: 'person', name: 'Sara Karimi', detail: 'sara@venue.example' },
  { id: 'p2', kind: 'person', name: 'علی کریمی' },
  { id: 'c1', kind: 'channel', name: 'btcusdt' },
  { id: 'c2', kind: 'channel', name: 'otc-desk' },
  { id: 't1', kind: 'topic', name: 'funding question', detail: 'btcusdt' },
  { id: 't2', kind: 'topic', name: 'RFQ 4821 btcusdt', detail: 'otc-desk', usedAt: 5 },
  { id: 'v1', kind: 'view', name: 'Inbox', words: ['صندوق ورودی'] },
  { id: 'x1', kind: 'command', name: 'Use the dark theme', words: ['پوستهٔ تیره'] },
];
const ids = (typed: string) => rank(entries, typed).map(({ id }) => id);

test('an exact name is first, then beginnings, then words, then the inside', () => {
  expect(ids('btcusdt')).toEqual(['c1', 't2', 't1']);
  expect(ids('desk')).toEqual(['c2', 't2']);
  expect(ids('inb')).toEqual(['v1']);
});

test('Arabic letters, half-spaces and Persian digits find what is meant', () => {
  expect(ids('كريمي')).toEqual(['p2']);
  expect(ids('۴۸۲۱')).toEqual(['t2']);
  expect(ids('صندوق')).toEqual(['v1']);
});

test('words may stand in any order, and all have to be there', () => {
  expect(ids('karimi sara')).toEqual(['p1']);
  expect(ids('funding btc')).toEqual(['t1']);
  expect(ids('sara btc')).toEqual([]);
});

test('a sign leaves one kind', () => {
  expect(ids('@sara')).toEqual(['p1']);
  expect(ids('#')).toEqual(['t2', 'c1', 'c2', 't1']);
  expect(ids('> dark')).toEqual(['x1']);
});

test('no more than the limit, each once, and a longer text finds no others', () => {
  const entry = fc.record({
    id: fc.uuid(),
    kind: fc.constantFrom('person', 'channel', 'topic', 'view', 'command'),
    name: fc.stringMatching(/^[ab ]{1,8}$/),
  }) as fc.Arbitrary<Entry>;
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 40 }),
      fc.stringMatching(/^[ab]{1,3}$/),
      (all, typed) => {
        const found = rank(all, typed);
        expect(found.length).toBeLessThanOrEqual(RESULTS_MAX);
        expect(new Set(found).size).toBe(found.length);
        const wider = new Set(rank(all, typed.slice(0, 1)));
        expect(found.every((one) => wider.has(one))).toBe(true);
      },
    ),
  );
});
