// Extended public keys of accounts, as a signer would print them, from words that everybody knows.
import { pbkdf2Sync } from 'node:crypto';
import { deriveXpub } from '@rialto/chains';

/** The words of the vectors of BIP 84. */
export const ABANDON = `${'abandon '.repeat(11)}about`;
/** The words of every development chain of the EVM family. */
export const JUNK = `${'test '.repeat(11)}junk`;

/** The account's key of these words (BIP 39), as m/84'/2'/0'. */
export function extendedPublicKey(words: string, path: string): string {
  const seed = pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512');
  return deriveXpub(seed, path);
}
