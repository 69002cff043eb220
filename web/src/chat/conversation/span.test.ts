import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addMessage,
  beginFetch,
  coverOf,
  endFetch,
  IDS_MAX,
  newestSpan,
  NO_SPANS,
  removeMessage,
  replaceAll,
  spanAt,
  trimAround,
  type Page,
  type Spans,
} from './span.ts';

type Change = { id: number; isIn: boolean };

/** The obvious twin: a server that knows everything, a wire with events under way, and answers that arrive late. */
class World {
  readonly server = new Set<number>();
  readonly wire: Change[] = [];
  readonly answers: Page[] = [];
  /** What the server would show to somebody who has seen exactly the delivered events. */
  readonly seen = new Set<number>();
  client: Spans = NO_SPANS;
  nextId = 10;

  change(id: number, isIn: boolean): void {
    if (this.server.has(id) === isIn) return;
    if (isIn) this.server.add(id);
    else this.server.delete(id);
    this.wire.push({ id, isIn });
  }

  deliver(): void {
    const change = this.wire.shift();
    if (change === undefined) return;
    if (change.isIn) this.seen.add(change.id);
    else this.seen.delete(change.id);
    this.client = (change.isIn ? addMessage : removeMessage)(this.client, change.id);
  }

  ask(anchor: number, before: number, after: number): void {
    this.client = beginFetch(this.client);
    const all = [...this.server].sort((a, b) => a - b);
    const older = all.filter((id) => id < anchor);
    const newer = all.filter((id) => id > anchor);
    this.answers.push(
      coverOf({
        ids: [
          ...(before === 0 ? [] : older.slice(-before)),
          ...all.filter((id) => id === anchor),
          ...newer.slice(0, after),
        ],
        anchor,
        foundOldest: before > 0 && older.length <= before,
        foundNewest: after > 0 && newer.length <= after,
      }),
    );
  }

  answer(): void {
    const page = this.answers.shift();
    if (page !== undefined) this.client = endFetch(this.client, page);
  }

  finish(): void {
    while (this.wire.length > 0) this.deliver();
    while (this.answers.length > 0) this.answer();
  }
}

const small = fc.nat({ max: 60 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'send' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move in' as const), id: small }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), id: small }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'deliver' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      anchor: small,
      before: fc.nat({ max: 4 }),
      after: fc.nat({ max: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'answer' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('trim' as const), id: small }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function take(world: World, one: Step): void {
  switch (one.kind) {
    case 'send':
      world.change(world.nextId++, true);
      break;
    case 'move in':
      if (one.id < world.nextId) world.change(one.id, true);
      break;
    case 'remove':
      world.change(one.id, false);
      break;
    case 'deliver':
      world.deliver();
      break;
    case 'ask':
      world.ask(one.anchor, one.before, one.after);
      break;
    case 'answer':
      world.answer();
      break;
    case 'fail':
      if (world.answers.shift() !== undefined) world.client = endFetch(world.client);
      break;
    case 'trim':
      world.client = trimAround(world.client, one.id, 5);
      break;
  }
}

function expectShape({ list }: Spans): void {
  expect(list.length).toBeLessThanOrEqual(4);
  for (const [index, span] of list.entries()) {
    expect(span.from).toBeLessThanOrEqual(span.to);
    expect(span.ids).toEqual([...new Set(span.ids)].sort((a, b) => a - b));
    for (const id of span.ids) expect(spanAt({ ...NO_SPANS, list }, id)).toBe(span);
    const next = list[index + 1];
    if (next !== undefined) expect(span.to).toBeLessThan(next.from);
  }
}

describe('spans of a narrow', () => {
  it('never hold a gap, whatever the order of events and answers (row 3)', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const world = new World();
        for (const one of steps) {
          take(world, one);
          expectShape(world.client);
          for (const span of world.client.list) {
            const stable = [...world.server].filter(
              (id) => world.seen.has(id) && span.from <= id && id <= span.to,
            );
            expect(span.ids).toEqual(expect.arrayContaining(stable));
          }
        }
        world.finish();
        expect(world.client.meanwhile.size).toBe(0);
        for (const span of world.client.list) {
          const truth = [...world.server].filter((id) => span.from <= id && id <= span.to);
          expect(span.ids).toEqual(truth.sort((a, b) => a - b));
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('take live messages only at the newest end', () => {
    const history = endFetch(beginFetch(NO_SPANS), { from: 0, to: 30, ids: [10, 20, 30] });
    expect(addMessage(history, 40)).toBe(history);
    const both = endFetch(beginFetch(history), { from: 100, to: Infinity, ids: [100] });
    expect(addMessage(both, 140).list.map(({ ids }) => ids)).toEqual([
      [10, 20, 30],
      [100, 140],
    ]);
  });

  it('hold what arrives while the end is being fetched', () => {
    let spans = beginFetch(NO_SPANS);
    spans = addMessage(spans, 12);
    expect(spans.list).toEqual([]);
    spans = endFetch(spans, { from: 0, to: Infinity, ids: [10, 11] });
    expect(newestSpan(spans)?.ids).toEqual([10, 11, 12]);
  });

  it('cover the place of an anchor that no longer exists', () => {
    expect(coverOf({ ids: [30, 20], anchor: 10, foundOldest: false, foundNewest: false })).toEqual({
      from: 10,
      to: 30,
      ids: [20, 30],
    });
  });

  it('keep 2,000 ids around the anchor, and know that the ends were cut', () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => index + 1);
    const whole = endFetch(beginFetch(NO_SPANS), { from: 0, to: Infinity, ids });
    const [middle] = trimAround(whole, 2_500).list;
    expect(middle).toMatchObject({ from: 1_500, to: 3_499 });
    expect(middle?.ids).toHaveLength(IDS_MAX);
    expect(trimAround(whole, 4_990).list[0]).toMatchObject({ from: 3_001, to: Infinity });
    expect(trimAround(whole, 3).list[0]).toMatchObject({ from: 0, to: 2_000 });
  });

  it('forget all that was held when the events of a cut are lost', () => {
    const held = endFetch(beginFetch(NO_SPANS), { from: 0, to: Infinity, ids: [1, 2, 3] });
    const fresh = replaceAll(beginFetch(held), { from: 2, to: Infinity, ids: [2, 9] });
    expect(fresh.list.map(({ ids }) => ids)).toEqual([[2, 9]]);
  });
});
