// Where chat keys and phrases are kept sealed, for a new master key.
import { phraseOwner } from '../../platform/mail/phrase.ts';
import type { SealedColumn } from '../../platform/secrets/sealed-column.ts';
import { chatKeyOwner } from '../chat-keys/key.ts';

export const SEALED_CHAT_KEYS: SealedColumn = {
  table: 'users',
  id: 'id',
  type: 'integer',
  column: 'chat_key_sealed',
  from: `encode(chat_key_lookup, 'hex')`,
  ownerOf: (from) => chatKeyOwner(Buffer.from(from, 'hex')),
};

export const SEALED_PHRASES: SealedColumn = {
  table: 'users',
  id: 'id',
  type: 'integer',
  column: 'phrase_sealed',
  from: 'id::text',
  ownerOf: phraseOwner,
};
