import { expect, it } from 'vitest';
import { createKeyMemory } from './key-memory.ts';
import type { ReadKey } from './store.ts';

const exampleKey = (keyId: string, version = '1 2 3'): ReadKey => ({
  keyId,
  version,
  type: 'hmac',
  secretSealed: Buffer.alloc(1),
  publicKey: null,
  permissions: ['read'],
  ipAllowlist: [],
  markets: [],
  requireBoundSignature: false,
  isEnabled: true,
  isOwnerActive: true,
  expiresAt: null,
  account: {
    id: 1n,
    userId: 1,
    parentAccountId: null,
    feeTier: 0,
    isSuspended: false,
    withdrawFreezeUntil: null,
    createdAt: new Date(0),
  },
});

it('finds a key as it was read last, until it is forgotten', () => {
  const keys = createKeyMemory();
  expect(keys.find('a')).toBeUndefined();
  keys.remember(exampleKey('a'));
  keys.remember(exampleKey('a', '1 2 4'));
  expect(keys.find('a')?.version).toBe('1 2 4');
  keys.forget('a');
  expect(keys.find('a')).toBeUndefined();
  expect(keys.size).toBe(0);
});

it('forgets a key after its time, however often it is used', () => {
  let nowMs = 0;
  const keys = createKeyMemory({ ageMaxMs: 1000, nowMs: () => nowMs });
  keys.remember(exampleKey('a'));
  for (nowMs = 0; nowMs <= 1000; nowMs += 100) expect(keys.find('a')).toBeDefined();
  nowMs = 1001;
  expect(keys.find('a')).toBeUndefined();
  expect(keys.size).toBe(0);
});

it('keeps so many and no more; the first go first', () => {
  const keys = createKeyMemory({ keysMax: 3 });
  for (const keyId of ['a', 'b', 'c']) keys.remember(exampleKey(keyId));
  keys.remember(exampleKey('a'));
  keys.remember(exampleKey('d'));
  expect(keys.size).toBe(3);
  expect(['a', 'b', 'c', 'd'].map((keyId) => keys.find(keyId) !== undefined)).toEqual([
    true,
    false,
    true,
    true,
  ]);
});
