import { expect, it } from 'vitest';
import { lookupOf } from '../../accounts/chat-keys/key.ts';
import { createSecrets } from '../../platform/secrets/secrets.ts';
import { createCredentialsReader, credentialsReaderOf } from './credentials.ts';

const secrets = createSecrets('11'.repeat(32));
const KEY = 'abcdefghijklmnopqrstuvwxyz012345';
const headerOf = (email: string, key = KEY): string =>
  `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;

it('a remembered header says the same as one that is read for the first time', () => {
  const reader = createCredentialsReader(secrets);
  const first = reader.read(headerOf('a@example.com'));
  reader.remember(first);
  expect(first).toMatchObject({ email: 'a@example.com', lookup: lookupOf(secrets, KEY) });
  expect(reader.read(headerOf('a@example.com'))).toBe(first);
  const other = reader.read(headerOf('b@example.com'));
  expect(other).toMatchObject({ email: 'b@example.com', lookup: first.lookup });
  const otherKey = reader.read(headerOf('a@example.com', KEY.toUpperCase()));
  expect(otherKey.lookup).not.toEqual(first.lookup);
});

it('a header that was only read is not remembered, so strangers take no room', () => {
  const reader = createCredentialsReader(secrets);
  for (let n = 0; n < 100; n += 1) reader.read(headerOf(`${n}@example.com`));
  expect(reader.size).toBe(0);
});

it('somebody who writes one header in many ways takes no more room than there is', () => {
  const reader = createCredentialsReader(secrets, 3);
  for (let spaces = 1; spaces < 20; spaces += 1) {
    reader.remember(reader.read(headerOf('a@example.com').replace(' ', ' '.repeat(spaces))));
  }
  expect(reader.size).toBe(3);
});

it('nothing that is remembered has the header or the key in it', () => {
  const reader = createCredentialsReader(secrets);
  const read = reader.read(headerOf('a@example.com'));
  const texts = [read.name, read.lookup.toString('latin1')];
  expect(texts.some((text) => text.includes(KEY) || headerOf('').includes(text))).toBe(false);
});

it('with other secrets the same header is looked up under another hash', () => {
  const [one, two] = [secrets, createSecrets('22'.repeat(32))].map(credentialsReaderOf);
  one?.remember(one.read(headerOf('a@example.com')));
  expect(two?.read(headerOf('a@example.com')).lookup).toEqual(
    lookupOf(createSecrets('22'.repeat(32)), KEY),
  );
});
