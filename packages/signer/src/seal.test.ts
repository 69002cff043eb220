import { deriveXpub, utxoAccount } from '@rialto/chains';
import { expect, it } from 'vitest';
import { checkWords, createWords, openSeed, sealWords, seedOfWords } from './seal.ts';
import { COST, PASSPHRASE, WORDS, keys, policy, seed } from './test-signer.ts';
import { listPublicKeys } from './keys.ts';

it('a sealed seed opens with its passphrase, and only with it', () => {
  const file = sealWords(WORDS, PASSPHRASE, COST);
  expect(openSeed(file, PASSPHRASE)).toEqual(seed);
  expect(() => openSeed(file, `${PASSPHRASE}!`)).toThrow(/passphrase is wrong/);
  expect(file).not.toContain('abandon');
  // Two seals of one seed have nothing in common.
  expect(sealWords(WORDS, PASSPHRASE, COST)).not.toBe(file);
});

it('a file of which any part was altered does not open', () => {
  const file = JSON.parse(sealWords(WORDS, PASSPHRASE, COST)) as Record<string, unknown> & {
    kdf: Record<string, unknown>;
  };
  const other = Buffer.alloc(32, 7).toString('base64');
  const changes = [
    { sealed: other },
    { tag: Buffer.alloc(16).toString('base64') },
    { tag: Buffer.alloc(4).toString('base64') },
    { iv: Buffer.alloc(12).toString('base64') },
    { kdf: { ...file.kdf, passes: 2 } },
    { kdf: { ...file.kdf, memoryKib: 32 } },
    { kdf: { ...file.kdf, memoryKib: 2 ** 40 } },
    { version: 2 },
    { more: 1 },
  ];
  for (const change of changes) {
    expect(() => openSeed(JSON.stringify({ ...file, ...change }), PASSPHRASE)).toThrow(
      /altered|rialto signer init/,
    );
  }
  expect(() => openSeed('', PASSPHRASE)).toThrow(/rialto signer init/);
});

it('a short passphrase is refused', () => {
  expect(() => sealWords(WORDS, 'short', COST)).toThrow(/at least 12 characters/);
});

it('new words are 24 and differ each time; wrong ones are refused with the reason', () => {
  const words = createWords();
  expect(checkWords(`  ${words.toUpperCase()} \n`)).toBe(words);
  expect(createWords()).not.toBe(words);
  expect(() => checkWords('abandon about')).toThrow(/24 words/);
  expect(() => checkWords('abandon '.repeat(24))).toThrow(/no seed/);
  expect(seedOfWords(WORDS)).toEqual(seed);
});

it('public keys are of accounts, and nothing private is among them', () => {
  const { networks, fingerprint } = listPublicKeys(keys, policy);
  expect(networks['LTC']).toEqual({
    account: { path: "m/84'/1'/0'", xpub: deriveXpub(seed, utxoAccount(1)) },
  });
  expect(Object.keys(networks['ETH'] ?? {})).toEqual(['deposit', 'hot']);
  expect(fingerprint).toMatch(/^[0-9a-f]{8}$/);
  expect(JSON.stringify(networks)).not.toMatch(/xprv/);
});
