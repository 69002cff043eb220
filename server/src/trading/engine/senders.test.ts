import { describe, expect, it } from 'vitest';
import { Senders } from './senders.ts';

const TOLERANCE_MS = 1000;
const NOW = 1_800_000_000_000;
const stamp = (number: number, sender = 'a', sentMs = NOW) => ({
  shard: 0,
  epoch: 1,
  sender,
  number,
  sentMs,
});

const at = (ms: number) => ({ now: () => ms, distanceTo: (other: number) => Math.abs(ms - other) });

describe('the messages that an engine has accepted', () => {
  it('are accepted once, in whatever order they come', () => {
    const senders = new Senders(TOLERANCE_MS);
    const numbers = [1, 2, 5, 3, 4, 900, 500, 1500, 1499];
    for (const number of numbers) expect(senders.take(stamp(number), at(NOW))).toBe('taken');
    for (const number of numbers) expect(senders.take(stamp(number), at(NOW))).toBe('replayed');
    // A message too far behind to be checked is refused as well.
    expect(senders.take(stamp(400), at(NOW))).toBe('replayed');
    expect(senders.take(stamp(0), at(NOW))).toBe('replayed');
    expect(senders.take(stamp(1, 'b'), at(NOW))).toBe('taken');
  });

  it('are not too old and not from the future', () => {
    const senders = new Senders(TOLERANCE_MS);
    expect(senders.take(stamp(1, 'a', NOW - TOLERANCE_MS), at(NOW))).toBe('taken');
    expect(senders.take(stamp(2, 'a', NOW + TOLERANCE_MS), at(NOW))).toBe('taken');
    expect(senders.take(stamp(3, 'a', NOW - TOLERANCE_MS - 1), at(NOW))).toBe('stale');
    expect(senders.take(stamp(4, 'a', NOW + TOLERANCE_MS + 1), at(NOW))).toBe('stale');
  });

  it('are remembered for a bounded number of senders, and never forgotten while they could come again', () => {
    const senders = new Senders(TOLERANCE_MS);
    for (let n = 0; n < 1024; n += 1) {
      expect(senders.take(stamp(1, `s${n}`, NOW + n / 2), at(NOW + n / 2))).toBe('taken');
    }
    expect(senders.take(stamp(1, 'one more', NOW + 600), at(NOW + 600))).toBe('too_many_senders');
    expect(senders.take(stamp(1, 's0'), at(NOW + 1000))).toBe('replayed');
    // Silent senders make room; their messages are too old by then.
    const later = NOW + 1300;
    expect(senders.take(stamp(1, 'one more', later), at(later))).toBe('taken');
    expect(senders.size).toBeLessThan(1024);
    for (let n = 0; n < 1024; n += 1) {
      expect(senders.take(stamp(1, `s${n}`, NOW + n / 2), at(later))).not.toBe('taken');
      // Not even when the clock is set back to where they were new.
      expect(senders.take(stamp(1, `s${n}`, NOW + n / 2), at(NOW))).not.toBe('taken');
    }
  });
});
