// Where chat keys are kept sealed, for a new master key.
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
