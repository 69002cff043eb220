// The seed at rest: sealed by AES-256-GCM under a key that Argon2id makes from a passphrase. The parameters are bound
// to the text by the seal, so that nobody can weaken them unseen.
import { argon2Sync, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  entropyToMnemonic,
  mnemonicToEntropy,
  mnemonicToSeedSync,
  validateMnemonic,
} from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { canonicalJson } from './canonical.ts';
import { SignerFault } from './fault.ts';

const ENTROPY_BYTES = 32;
export const PASSPHRASE_CHARACTERS_MIN = 12;
export const PASSPHRASE_CHARACTERS_MAX = 1024;

export interface Cost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** About three seconds on a small machine: it happens once, when the signer starts. */
const COST: Cost = { memoryKib: 256 * 1024, passes: 3, parallelism: 4 };

const strict = { additionalProperties: false } as const;
const Base64 = Type.String({ pattern: '^[A-Za-z0-9+/]+={0,2}$', maxLength: 200 });
const SealedSeed = Type.Object(
  {
    version: Type.Literal(1),
    kdf: Type.Object(
      {
        name: Type.Literal('argon2id'),
        // A file that asks for more memory than a machine has would only stop the signer; still it is bounded.
        memoryKib: Type.Integer({ minimum: 8, maximum: 4 * 1024 * 1024 }),
        passes: Type.Integer({ minimum: 1, maximum: 100 }),
        parallelism: Type.Integer({ minimum: 1, maximum: 64 }),
        salt: Base64,
      },
      strict,
    ),
    iv: Base64,
    tag: Base64,
    sealed: Base64,
  },
  strict,
);
type SealedSeed = Static<typeof SealedSeed>;

/** 24 new words. They are the only copy that can be written on paper. */
export const createWords = (): string => entropyToMnemonic(randomBytes(ENTROPY_BYTES), wordlist);

/** Throws a `SignerFault` if these are not 24 words of a seed. */
export function checkWords(text: string): string {
  const words = text.trim().toLowerCase().split(/\s+/u).join(' ');
  const count = words.split(' ').length;
  if (count !== 24) throw new SignerFault(`24 words were expected, ${count} came.`);
  if (!validateMnemonic(words, wordlist)) {
    throw new SignerFault(
      'These 24 words are no seed: one of them is not in the list, or two are swapped. Compare them with the paper.',
    );
  }
  return words;
}

export function sealWords(words: string, passphrase: string, cost = COST): string {
  if (passphrase.length < PASSPHRASE_CHARACTERS_MIN) {
    throw new SignerFault(
      `A passphrase of at least ${PASSPHRASE_CHARACTERS_MIN} characters was expected, ${passphrase.length} came.`,
    );
  }
  const kdf = { name: 'argon2id' as const, ...cost, salt: randomBytes(16).toString('base64') };
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, kdf), iv);
  cipher.setAAD(Buffer.from(canonicalJson({ version: 1, kdf })));
  const sealed = Buffer.concat([cipher.update(mnemonicToEntropy(words, wordlist)), cipher.final()]);
  const file: SealedSeed = {
    version: 1,
    kdf,
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    sealed: sealed.toString('base64'),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** The seed of the sealed words (BIP39, without a second passphrase). */
export function openSeed(text: string, passphrase: string): Uint8Array {
  const { version, kdf, iv, tag, sealed } = parse(text);
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyOf(passphrase, kdf),
      Buffer.from(iv, 'base64'),
      { authTagLength: 16 },
    );
    decipher.setAAD(Buffer.from(canonicalJson({ version, kdf })));
    decipher.setAuthTag(Buffer.from(tag, 'base64'));
    const entropy = Buffer.concat([
      decipher.update(Buffer.from(sealed, 'base64')),
      decipher.final(),
    ]);
    return seedOfWords(entropyToMnemonic(entropy, wordlist));
  } catch (error) {
    throw new SignerFault(
      'The seed could not be opened: the passphrase is wrong, or the file was altered.',
      { cause: error },
    );
  }
}

export const seedOfWords = (words: string): Uint8Array => mnemonicToSeedSync(words);

function keyOf(
  passphrase: string,
  { memoryKib, passes, parallelism, salt }: SealedSeed['kdf'],
): Buffer {
  return argon2Sync('argon2id', {
    message: passphrase.normalize('NFKC'),
    nonce: Buffer.from(salt, 'base64'),
    memory: memoryKib,
    passes,
    parallelism,
    tagLength: 32,
  });
}

function parse(text: string): SealedSeed {
  try {
    const value: unknown = JSON.parse(text);
    if (Value.Check(SealedSeed, value)) return value;
  } catch {
    // What follows says it.
  }
  throw new SignerFault('The file of the seed is not one that `rialto signer init` wrote.');
}
