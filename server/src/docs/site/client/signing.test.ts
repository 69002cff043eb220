import { createHash, createHmac, generateKeyPairSync, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sign } from './signing.js';

it('signs the vector of the specification', async () => {
  const secret = 'svc_secret_5d1f0c7e9a3b4d26';
  const text = 'symbol=btcusdt&limit=50&timestamp=1760000000000';
  expect(await sign(text, { keyId: 'svc_key_1', secret })).toBe(
    'b0804a4e3ed13de7eb04c47df2972146aa357475d40c317da1351baf48f0b70f',
  );
});

it('signs any text with any secret as Node does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      async (text, secret) => {
        const expected = createHmac('sha256', secret).update(text).digest('hex');
        expect(await sign(text, { keyId: 'svc_key_1', secret })).toBe(expected);
      },
    ),
    { numRuns: 100 },
  );
});

it.each([
  ['PKCS #8 in PEM', (pem: string) => pem],
  ['PEM in one line', (pem: string) => pem.replaceAll('\n', ' ')],
  ['the base64 alone', (pem: string) => pem.replaceAll(/-----[^-]+-----|\n/g, '')],
  [
    'the digits of the seed',
    (pem: string) =>
      Buffer.from(pem.replaceAll(/-----[^-]+-----|\n/g, ''), 'base64')
        .subarray(-32)
        .toString('hex'),
  ],
])('signs with an Ed25519 key given as %s', async (_form, write) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const text = 'orderId=1048577&timestamp=1760000000250';
  const signature = await sign(text, { keyId: 'svc_edk_1', secret: write(pem) });
  expect(signature).toMatch(/^[0-9a-f]{128}$/);
  expect(verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'hex'))).toBe(true);
});

it('gives every signature on the page of test vectors', async () => {
  const file = new URL('../../../../../docs/guide/trading/vectors.md', import.meta.url);
  const [, hmac = '', ...ed25519] = readFileSync(file, 'utf8').split('\n## ');
  const seed = createHash('sha256').update('rialto ed25519 test vector').digest('hex');
  let checked = 0;
  const check = async (part: string, keyId: string, secret: string) => {
    const vectors = part.matchAll(
      /"Text"\n([^]*?)\n```\n\n```text title="Signature"\n([0-9a-f]+)\n/g,
    );
    for (const [, text = '', signature] of vectors) {
      expect(await sign(text, { keyId, secret })).toBe(signature);
      checked += 1;
    }
  };
  await check(hmac, 'svc_key_1', 'svc_secret_5d1f0c7e9a3b4d26');
  await check(ed25519.join(''), 'svc_edk_1', seed);
  expect(checked).toBe(7);
});
