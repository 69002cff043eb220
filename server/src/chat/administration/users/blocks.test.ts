// Random histories: transactions begin, change rows and commit; readers take snapshots, and use them at once or much
// later, as a long register does. What a reader is given must be what its snapshot shows.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isVisibleIn,
  parseDatabaseSnapshot,
  seesAllOf,
  type DatabaseSnapshot,
} from '../../../platform/db/snapshot.ts';
import { blockOf, Blocks, firstIdOf, type Change } from './blocks.ts';

type Step =
  | { readonly kind: 'begin' }
  | { readonly kind: 'change'; readonly which: number; readonly id: number }
  | { readonly kind: 'commit'; readonly which: number }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'read'; readonly which: number; readonly loads: boolean }
  | { readonly kind: 'forget' };

const which = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ kind: 'begin' }),
  fc.record({ kind: fc.constant('change' as const), which, id: fc.nat({ max: 600 }) }),
  fc.record({ kind: fc.constant('commit' as const), which }),
  fc.constant<Step>({ kind: 'snapshot' }),
  fc.record({ kind: fc.constant('read' as const), which, loads: fc.boolean() }),
  fc.constant<Step>({ kind: 'forget' }),
);

interface Open {
  readonly xid: bigint;
  readonly changes: Change[];
}

/** A database that keeps all versions, as slow and obvious as can be. */
class Twin {
  next = 10n;
  floor = 0n;
  readonly open: Open[] = [];
  readonly committed: Change[] = [];
  noted: Change[] = [];

  snapshot(): DatabaseSnapshot {
    const running = new Set(this.open.map(({ xid }) => xid));
    const xmin = [...running].reduce((least, xid) => (xid < least ? xid : least), this.next);
    return { xmin, xmax: this.next, running };
  }

  /** What a snapshot shows of a block: every change that it sees. */
  show(snapshot: DatabaseSnapshot, block: number): string {
    return this.committed
      .filter(({ id, xid }) => blockOf(id) === block && isVisibleIn(snapshot, xid))
      .map(({ id, xid }) => `${id}:${xid}`)
      .sort()
      .join(' ');
  }
}

describe('blocks', () => {
  it('give every snapshot what it shows', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const twin = new Twin();
        const blocks = new Blocks<string>();
        const snapshots = [twin.snapshot()];
        for (const one of steps) {
          if (one.kind === 'begin') {
            twin.open.push({ xid: twin.next, changes: [] });
            twin.next += 1n;
          } else if (one.kind === 'change') {
            const open = twin.open[one.which % Math.max(1, twin.open.length)];
            open?.changes.push({ id: one.id, xid: open.xid });
          } else if (one.kind === 'commit') {
            const [open] = twin.open.splice(one.which % Math.max(1, twin.open.length), 1);
            twin.committed.push(...(open?.changes ?? []));
            twin.noted.push(...(open?.changes ?? []));
          } else if (one.kind === 'snapshot') {
            snapshots.push(twin.snapshot());
          } else if (one.kind === 'forget') {
            // As the upkeep does: the oldest notes go, and the floor says so.
            const [gone] = twin.noted.splice(0, 1);
            if (gone !== undefined && gone.xid >= twin.floor) twin.floor = gone.xid + 1n;
          } else {
            const now = snapshots[one.which % snapshots.length] as DatabaseSnapshot;
            const from = blocks.oldest() ?? 0n;
            const changes = twin.noted.filter(({ xid }) => xid >= from && isVisibleIn(now, xid));
            const good = blocks.take(now, changes, twin.floor);
            for (const block of [0, 1, 2]) {
              const text = twin.show(now, block);
              if (good.has(block)) expect(good.get(block)).toBe(text);
              else if (one.loads) blocks.put(block, text, text.length, now);
            }
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('are remembered for a later reader, and dropped by a change', () => {
    const blocks = new Blocks<string>();
    const first = parseDatabaseSnapshot('10:10:');
    blocks.put(0, 'a', 1, first);
    blocks.put(1, 'b', 1, first);
    const later = parseDatabaseSnapshot('12:12:');
    expect([...blocks.take(later, [{ id: 300, xid: 11n }], 0n)]).toEqual([[0, 'a']]);
    expect(blocks.size).toBe(1);
    expect(blocks.oldest()).toBe(12n);
    expect([...blocks.take(parseDatabaseSnapshot('11:11:'), [], 0n)]).toEqual([[0, 'a']]);
    expect([...blocks.take(parseDatabaseSnapshot('9:9:'), [], 0n)]).toEqual([]);
    expect(blocks.take(later, [], 13n).size).toBe(0);
  });

  it('have ids side by side', () => {
    for (const id of [1, 255, 256, 1000]) {
      expect(firstIdOf(blockOf(id)) <= id && id < firstIdOf(blockOf(id) + 1)).toBe(true);
    }
  });
});

it('a snapshot sees all of an earlier one, and not of one beside it', () => {
  const of = parseDatabaseSnapshot;
  expect(seesAllOf(of('10:12:11'), of('10:11:'))).toBe(true);
  expect(seesAllOf(of('10:12:10'), of('11:11:'))).toBe(false);
  expect(seesAllOf(of('10:11:'), of('10:12:11'))).toBe(false);
});
