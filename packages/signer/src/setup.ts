// Makes a seed, or brings one back.
import { existsSync } from 'node:fs';
import { SignerFault } from './fault.ts';
import { makeFolder, seedPath, writeSecret } from './folder.ts';
import { openKeys } from './keys.ts';
import { memoryPlaces } from './memory/files.ts';
import { beginMemory } from './memory/memory.ts';
import { checkWords, createWords, sealWords, seedOfWords, type Cost } from './seal.ts';

export interface Made {
  readonly words: string;
  readonly fingerprint: string;
}

/** A new seed, which has signed nothing: so its memory begins here too. */
export function init(folder: string, passphrase: string, cost?: Cost): Made {
  const words = createWords();
  const fingerprint = keepSeed(folder, words, passphrase, cost);
  const { memoryKey } = openKeys(seedOfWords(words));
  beginMemory(folder, memoryKey, [{ body: { type: 'began', fingerprint }, at: Date.now() }]);
  return { words, fingerprint };
}

/** A seed from its words. What it has signed is not known, so it signs nothing before two operators recovered the memory. */
export function restore(folder: string, text: string, passphrase: string, cost?: Cost): Made {
  const words = checkWords(text);
  const { records, head } = memoryPlaces(folder);
  if (existsSync(records) || existsSync(head)) {
    throw new SignerFault(
      `${folder} has a memory, which may be an old copy. Restore into an empty folder, and keep this one for the recovery.`,
    );
  }
  return { words, fingerprint: keepSeed(folder, words, passphrase, cost) };
}

function keepSeed(folder: string, words: string, passphrase: string, cost?: Cost): string {
  makeFolder(folder);
  writeSecret(seedPath(folder), sealWords(words, passphrase, cost));
  return openKeys(seedOfWords(words)).fingerprint.toString(16).padStart(8, '0');
}
