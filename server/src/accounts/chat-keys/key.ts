// A chat key: 32 letters and digits. It is found by a keyed hash and stored encrypted, because its
// owner may ask for it again.
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { randomAlphanumeric } from '../../platform/std/ids.ts';

export const CHAT_KEY = /^[A-Za-z0-9]{32}$/;

export interface StoredChatKey {
  chatKeyLookup: Buffer;
  chatKeySealed: Buffer;
}

export function createChatKey(secrets: Secrets): { key: string; stored: StoredChatKey } {
  const key = randomAlphanumeric(32);
  const lookup = lookupOf(secrets, key);
  return {
    key,
    stored: { chatKeyLookup: lookup, chatKeySealed: secrets.seal(chatKeyOwner(lookup), key) },
  };
}

export const lookupOf = (secrets: Secrets, key: string): Buffer => secrets.lookup('chat key', key);

export function openChatKey(secrets: Secrets, stored: StoredChatKey): string {
  return secrets.open(chatKeyOwner(stored.chatKeyLookup), stored.chatKeySealed);
}

/** The encryption is bound to the lookup hash beside it: swapped values do not decrypt. */
export const chatKeyOwner = (lookup: Buffer): string => `chat key ${lookup.toString('hex')}`;
