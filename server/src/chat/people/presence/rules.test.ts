import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comesOnline,
  nextPresence,
  hide,
  statusAt,
  statusOf,
  timesOf,
  type Presence,
} from './rules.ts';

const NOW_MS = 1_800_000_000_000;
const ago = (seconds: number): Date => new Date(NOW_MS - seconds * 1000);
const at = (active: number | null, connected: number): Presence => ({
  lastActive: active === null ? null : ago(active),
  lastConnected: ago(connected),
});

describe('the status', () => {
  it.each([
    [at(0, 0), 'active', 0],
    [at(70, 0), 'active', 70],
    [at(71, 0), 'idle', 0],
    [at(null, 5), 'idle', 5],
  ])('of %j is %s', (presence, status, seconds) => {
    expect(statusOf(presence)).toEqual({ status, timestamp: NOW_MS / 1000 - seconds });
  });

  it.each([
    [at(200, 200), 'active'],
    [at(201, 201), 'offline'],
    [at(400, 200), 'idle'],
    [at(400, 201), 'offline'],
  ])('of %j is %s now', (presence, status) => {
    expect(statusAt(presence, NOW_MS).status).toBe(status);
  });

  it('of somebody who was never active has the day of joining as the last activity', () => {
    expect(timesOf(at(null, 5), new Date(1000))).toEqual({
      active_timestamp: 1,
      idle_timestamp: NOW_MS / 1000 - 5,
    });
  });
});

describe('a ping', () => {
  it('is written if it is the first, and then at most every 55 seconds', () => {
    expect(nextPresence(undefined, 'idle', NOW_MS)).toEqual(at(null, 0));
    expect(nextPresence(undefined, 'active', NOW_MS)).toEqual(at(0, 0));
    expect(nextPresence(at(10, 10), 'active', NOW_MS)).toBeUndefined();
    expect(nextPresence(at(55, 55), 'idle', NOW_MS)).toBeUndefined();
    expect(nextPresence(at(56, 56), 'idle', NOW_MS)).toEqual(at(56, 0));
    expect(nextPresence(at(56, 10), 'active', NOW_MS)).toEqual(at(0, 0));
    expect(nextPresence(at(null, 10), 'active', NOW_MS)).toEqual(at(0, 0));
  });

  it('never sets a time back, and no series of pings writes more than twice in 55 seconds', () => {
    const pings = fc.array(
      fc.record({ gap: fc.nat(30_000), status: fc.constantFrom('active', 'idle') }),
    );
    fc.assert(
      fc.property(pings, (list) => {
        let nowMs = NOW_MS;
        let presence: Presence | undefined;
        const writes: number[] = [];
        for (const { gap, status } of list) {
          nowMs += gap;
          const next = nextPresence(presence, status, nowMs);
          if (next === undefined) continue;
          writes.push(nowMs);
          expect(Number(next.lastConnected)).toBe(nowMs);
          expect(Number(next.lastActive)).toBeGreaterThanOrEqual(Number(presence?.lastActive ?? 0));
          presence = next;
        }
        for (const [index, time] of writes.entries()) {
          const third = writes[index + 2];
          if (third !== undefined) expect(third - time).toBeGreaterThan(55_000);
        }
      }),
    );
  });

  it('is announced when the last activity is long ago', () => {
    expect(comesOnline(undefined, 'active', NOW_MS)).toBe(true);
    expect(comesOnline(undefined, 'idle', NOW_MS)).toBe(false);
    expect(comesOnline(at(130, 0), 'active', NOW_MS)).toBe(false);
    expect(comesOnline(at(131, 0), 'active', NOW_MS)).toBe(true);
  });
});

it('makes a person who hides offline at once', () => {
  for (const before of [undefined, at(0, 0), at(500, 10), at(null, 0)]) {
    const hidden = hide(before, NOW_MS);
    expect(statusAt(hidden, NOW_MS).status).toBe('offline');
    expect(statusOf(hidden).status).toBe('idle');
    expect(comesOnline(hidden, 'active', NOW_MS)).toBe(true);
  }
  expect(hide(at(500, 10), NOW_MS).lastActive).toEqual(ago(500));
});
