import { describe, expect, it } from 'vitest';
import { Random } from '../../../../packages/matching/sim/random.ts';
import { Admission } from './admission.ts';
import { Backlog } from './backlog.ts';

const LOOK_MS = 250;
const LIMIT_MS = 30_000;

interface Load {
  /** Commands a millisecond that are asked for. */
  offered(ms: number): number;
  /** What the tables do in a millisecond. */
  pace(ms: number): number;
  /** Milliseconds between two writes of the tables. */
  readonly stretchMs?: number;
  /** How old a row is before they can know of it. */
  readonly lateMs?: number;
  readonly forMs: number;
  readonly limitMs?: number;
}

interface Moment {
  readonly ms: number;
  /** Truly missing, in commands. */
  readonly missing: number;
  readonly share: number;
  readonly waitMs: number;
}

/** The slow twin knows every command: rows of ten milliseconds, tables that write at their pace now and then. */
function simulate(load: Load): Moment[] {
  const { offered, pace, stretchMs = 700, lateMs = 0, forMs, limitMs = LIMIT_MS } = load;
  const backlog = new Backlog({ seq: 0, perRow: 1, nowMs: 0 });
  const admission = new Admission(limitMs);
  /** Commands through each row. */
  const rows = [0];
  let asked = 0;
  let capacity = 0;
  let projected = 0;
  /** Commands that were there each ten milliseconds. */
  const past: number[] = [];
  let seq = 0;
  const moments: Moment[] = [];
  for (let ms = 10; ms <= forMs; ms += 10) {
    asked += offered(ms) * 10;
    let taken = 0;
    for (; asked >= 1; asked -= 1) if (admission.admits({ type: 'place' })) taken += 1;
    if (taken > 0) {
      rows.push((rows.at(-1) ?? 0) + taken);
      backlog.committed(taken);
    }
    const total = rows.at(-1) ?? 0;
    past.push(total);
    capacity += pace(ms) * 10;
    if (ms % stretchMs < 10) {
      const known = lateMs === 0 ? total : (past.at(-Math.ceil(lateMs / 10)) ?? 0);
      projected = Math.max(projected, Math.min(known, projected + capacity));
      // What they could have done while nothing was there is gone.
      capacity = 0;
      while ((rows[seq + 1] ?? Infinity) <= projected) seq += 1;
    }
    if (ms % LOOK_MS !== 0) continue;
    backlog.look(seq, ms);
    admission.learn(backlog.waitMs);
    moments.push({
      ms,
      missing: total - projected,
      share: admission.share,
      waitMs: backlog.waitMs,
    });
  }
  return moments;
}

const always = (value: number) => () => value;

describe('the admission of new orders', () => {
  it.each([1.2, 1.5, 2, 4, 10])(
    'follows the tables when %d times as much is asked for as they can do',
    (times) => {
      const moments = simulate({ offered: always(2 * times), pace: always(2), forMs: 300_000 });
      // What is missing is never more than the tables can do within the limit, and a little.
      const most = Math.max(...moments.map(({ missing }) => missing));
      expect(most).toBeLessThan(2 * LIMIT_MS * 1.2);
      const late = moments.filter(({ ms }) => ms > 150_000);
      const shares = late.map(({ share }) => share);
      // It settles: some are taken at any time, and about as many as the tables can do.
      if (times <= 4) expect(Math.min(...shares)).toBeGreaterThan(0);
      const average = shares.reduce((sum, share) => sum + share, 0) / shares.length;
      expect(average * times).toBeGreaterThan(0.85);
      expect(average * times).toBeLessThan(1.15);
    },
  );

  it('takes everything while the tables keep up, also in a rush after a quiet time', () => {
    const moments = simulate({
      offered: (ms) => (ms > 60_000 && ms < 65_000 ? 10 : 0.01),
      pace: always(3),
      forMs: 120_000,
    });
    expect(moments.every(({ share }) => share === 1)).toBe(true);
  });

  it.each([100, 400, 900])(
    'learns no pace from tables that wait for the next order, and write it %d ms later',
    (lateMs) => {
      const moments = simulate({
        offered: (ms) => (ms > 60_000 && ms < 61_000 ? 1 : 0.003),
        pace: always(3),
        stretchMs: 300,
        lateMs,
        forMs: 120_000,
      });
      expect(Math.max(...moments.map(({ waitMs }) => waitMs))).toBeLessThan(LIMIT_MS / 4);
    },
  );

  it('takes what slow tables can do within the limit, however slow they seem', () => {
    const moments = simulate({ offered: always(0.1), pace: always(0.02), forMs: 20_000 });
    expect(moments.every(({ share }) => share === 1)).toBe(true);
  });

  it('does not notice that a worker is restarted', () => {
    const moments = simulate({
      offered: always(1),
      pace: (ms) => (ms > 60_000 && ms < 70_000 ? 0 : 3),
      forMs: 120_000,
    });
    expect(moments.every(({ share }) => share === 1)).toBe(true);
  });

  it('takes no more when no worker comes back, and everything soon after one did', () => {
    const moments = simulate({
      offered: always(1),
      pace: (ms) => (ms > 60_000 && ms < 180_000 ? 0 : 3),
      forMs: 300_000,
    });
    const shareAt = (ms: number) => moments.find((moment) => moment.ms === ms)?.share;
    expect(shareAt(60_000)).toBe(1);
    expect(shareAt(100_000)).toBe(0);
    expect(shareAt(180_000)).toBe(0);
    // Less than half a minute of orders was taken, for which they need some ten seconds.
    expect(shareAt(200_000)).toBe(1);
    expect(Math.max(...moments.map(({ missing }) => missing))).toBeLessThan(LIMIT_MS);
  });

  it('has no limit if none is set', () => {
    const moments = simulate({ offered: always(2), pace: always(0), forMs: 120_000, limitMs: 0 });
    expect(moments.every(({ share }) => share === 1)).toBe(true);
  });

  it('does not bound what an engine may remember of the past', () => {
    const backlog = new Backlog({ seq: 100, perRow: 5, nowMs: 0 });
    const random = new Random(5n);
    /** The twin: every row. */
    const rows = Array.from({ length: 101 }, () => 5);
    const most = 20_000;
    for (let n = 0; n < most; n += 1) {
      const commands = random.logBetween(1, 3);
      rows.push(commands);
      backlog.committed(commands);
      if (n % 3 === 0) backlog.look(50, n);
    }
    // A known pace: one command a millisecond.
    backlog.look(51, most);
    backlog.look(52, most + 5);
    const missing = rows.slice(53).reduce((sum, count) => sum + count, 0);
    expect(backlog.waitMs).toBeGreaterThan(missing * 0.9);
  });
});

it('a share is taken evenly, and what ends orders always', () => {
  const admission = new Admission(1000);
  const taken = (type: string, count: number) =>
    Array.from({ length: count }, () => admission.admits({ type })).filter(Boolean).length;
  for (const [waitMs, share] of [
    [0, 1],
    [500, 1],
    [625, 0.75],
    [750, 0.5],
    [875, 0.25],
    [1000, 0],
    [1e9, 0],
    [Infinity, 0],
  ] as const) {
    admission.learn(waitMs);
    expect(admission.share).toBe(share);
    for (const type of ['place', 'place_batch', 'place_list', 'replace', 'amend']) {
      expect(taken(type, 100)).toBe(share * 100);
    }
    for (const type of ['cancel', 'cancel_batch', 'cancel_all', 'cancel_all_after', 'test']) {
      expect(taken(type, 100)).toBe(100);
    }
  }
});
