import { describe, expect, it } from 'vitest';
import { craftClientIds } from './stall-crafted.ts';
import { gapsOf, type EngineNotes } from './stall-notes.ts';

/** As version 1 of the core hashed a client id. */
function oldHash(account: number, id: string): number {
  let hash = account | 0;
  for (let at = 0; at < id.length; at += 4) {
    let word = 0;
    for (let i = 0; i < 4; i += 1) word |= (id.charCodeAt(at + i) || 0) << (i * 8);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

describe('crafted client ids', () => {
  it('are different, permitted, and share one hash in a core without a key', () => {
    const ids = craftClientIds(17, 500);
    expect(new Set(ids).size).toBe(500);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9._:/-]{12}$/);
    expect(new Set(ids.map((id) => oldHash(17, id))).size).toBe(1);
  });

  it('are crafted for one account: for another they are ordinary ids', () => {
    const hashes = craftClientIds(17, 500).map((id) => oldHash(18, id));
    expect(new Set(hashes).size).toBeGreaterThan(490);
  });
});

describe('gaps between batches', () => {
  const notes: EngineNotes = {
    begun: [9, 19, 44, 199],
    committed: [10, 20, 50, 200],
    spent: [1, 2, 12, 13],
    away: [[25, 18]],
    collections: [[120, 7]],
  };

  it('belong to their phase, with its longest commit and its most work', () => {
    const gaps = gapsOf(notes, { name: '', fromMs: 5, untilMs: 60 });
    expect(gaps).toMatchObject({ batches: 3, longest: 30, work: 10, commit: 6, away: 18 });
    expect(gaps.collection).toBe(0);
  });

  it('count even if their phase ends in the middle of one', () => {
    expect(gapsOf(notes, { name: '', fromMs: 45, untilMs: 150 }).longest).toBe(100);
    expect(gapsOf(notes, { name: '', fromMs: 60, untilMs: 150 }).longest).toBe(90);
  });
});
