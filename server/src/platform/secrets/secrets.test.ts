import { expect, it } from 'vitest';
import { createSecrets } from './secrets.ts';

const secrets = createSecrets('11'.repeat(32));

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
