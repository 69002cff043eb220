import fc from 'fast-check';
import sodium from 'libsodium-wrappers';
import { beforeAll, expect, it } from 'vitest';
import { parseStoredPushKey, parseGivenPushKey, sealFor, writePushKey } from './seal.ts';

beforeAll(() => sodium.ready);

const secretText = (secret: Uint8Array) =>
  Buffer.concat([Buffer.of(0x31), secret]).toString('base64');

it('a text encrypted with a secret opens with it, and with no other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const secret = sodium.crypto_secretbox_keygen();
      const key = parseGivenPushKey('secret', secretText(secret));
      if (key === undefined) throw new Error('The key was not read.');
      const sealed = Buffer.from(
        await sealFor(parseStoredPushKey(writePushKey(key)), text),
        'base64',
      );
      const open = (by: Uint8Array) =>
        sodium.crypto_secretbox_open_easy(sealed.subarray(24), sealed.subarray(0, 24), by, 'text');
      expect(open(secret)).toBe(text);
      expect(() => open(sodium.crypto_secretbox_keygen())).toThrow();
    }),
    { numRuns: 20 },
  );
});

it('a text encrypted for a public key opens with its private one', async () => {
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  const key = parseGivenPushKey('public', Buffer.from(publicKey).toString('base64'));
  if (key === undefined) throw new Error('The key was not read.');
  const sealed = Buffer.from(
    await sealFor(parseStoredPushKey(writePushKey(key)), 'سلام'),
    'base64',
  );
  expect(sodium.crypto_box_seal_open(sealed, publicKey, privateKey, 'text')).toBe('سلام');
});

it('the same text is never encrypted to the same bytes', async () => {
  const key = { kind: 'secret', bytes: sodium.crypto_secretbox_keygen() } as const;
  expect(await sealFor(key, 'x')).not.toBe(await sealFor(key, 'x'));
});

it.each([
  '',
  'x',
  '!!!!',
  Buffer.alloc(32, 0x31).toString('base64'),
  Buffer.alloc(33).toString('base64'),
])('%j is not a secret', (text) => {
  expect(parseGivenPushKey('secret', text)).toBeUndefined();
});
