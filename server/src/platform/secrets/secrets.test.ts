import { describe, expect, it } from 'vitest';
import { createSecrets, SealError } from './secrets.ts';

const secrets = createSecrets('11'.repeat(32));
const SEALED_BEFORE =
  'AVwJwUf5bIPLADHXLc4GVqsA6sCZXmmRE4KJ4LXOtiILmDK0qAaULmavBepTFdkIW/d1RghL1zhwvuGbTqou+L6mWi8qp+opJv2MVtYPa1BdNO7XVGJE/73m5ySAia4=';

it('a sealed secret opens for its owner', () => {
  expect(secrets.open('key:7', secrets.seal('key:7', 's3cret'))).toBe('s3cret');
});

it('a sealed secret copied to another owner does not open', () => {
  expect(() => secrets.open('key:8', secrets.seal('key:7', 's3cret'))).toThrow();
});

it('nothing opens under another master key', () => {
  expect(() => createSecrets('22'.repeat(32)).open('key:7', secrets.seal('key:7', 'x'))).toThrow();
});

it('each flipped byte is noticed', () => {
  const sealed = secrets.seal('a', 'secret');
  for (let index = 0; index < sealed.length; index += 1) {
    const broken = Buffer.from(sealed);
    broken[index] = (broken[index] as number) ^ 1;
    expect(() => secrets.open('a', broken)).toThrow();
  }
});

it('lookups differ by purpose and do not contain the secret', () => {
  expect(secrets.lookup('chat', 'abc')).toEqual(secrets.lookup('chat', 'abc'));
  expect(secrets.lookup('chat', 'abc')).not.toEqual(secrets.lookup('trade', 'abc'));
});

it('a key for a purpose is the same under one master key, and another for another purpose', () => {
  const { key } = createSecrets('11'.repeat(32));
  expect(key('a').equals(secrets.key('a'))).toBe(true);
  expect(key('a').equals(key('b'))).toBe(false);
  expect(key('a').equals(createSecrets('22'.repeat(32)).key('a'))).toBe(false);
});

describe('while one master key replaces another', () => {
  const [oldKey, newKey] = ['11'.repeat(32), '22'.repeat(32)];
  const [old, both, fresh] = [
    createSecrets(oldKey),
    createSecrets(newKey, oldKey),
    createSecrets(newKey),
  ];

  it('what the old one encrypted opens, and is encrypted again with the new one', () => {
    const before = old.seal('key:7', 's3cret');
    expect(both.open('key:7', before)).toBe('s3cret');
    expect(both.isCurrent(before)).toBe(false);
    const after = both.seal('key:7', both.open('key:7', before));
    expect(both.isCurrent(after)).toBe(true);
    expect(fresh.open('key:7', after)).toBe('s3cret');
    expect(() => old.open('key:7', after)).toThrow(SealError);
    expect(() => fresh.open('key:7', before)).toThrow(SealError);
  });

  it('a process that has both, in either order, is accepted by every other', () => {
    const first = createSecrets(oldKey, newKey);
    const keysOf = (one: typeof old) => one.keys('bus').map((key) => key.export().toString('hex'));
    for (const speaker of [old, first, both]) {
      for (const listener of [first, both]) {
        expect(keysOf(listener)).toContain(keysOf(speaker)[0]);
      }
    }
    expect(keysOf(fresh)).not.toContain(keysOf(old)[0]);
  });

  it('secrets of an earlier release, without a key id, open too', () => {
    // Made by that release with the old key, for the owner key:7.
    const kept = Buffer.from(SEALED_BEFORE, 'base64');
    expect(old.open('key:7', kept)).toBe('s3cret');
    expect(both.open('key:7', kept)).toBe('s3cret');
    expect(both.isCurrent(kept)).toBe(false);
    expect(() => fresh.open('key:7', kept)).toThrow(SealError);
    expect(() => old.open('key:8', kept)).toThrow(SealError);
  });
});
