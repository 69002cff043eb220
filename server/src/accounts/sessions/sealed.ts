// Where the tokens of providers are kept sealed, for a new master key.
import type { SealedColumn } from '../../platform/secrets/sealed-column.ts';
import { idTokenOwner } from './provider.ts';

export const SEALED_ID_TOKENS: SealedColumn = {
  table: 'sessions',
  id: 'id',
  type: 'bigint',
  column: 'id_token_sealed',
  from: `encode(token_lookup, 'hex')`,
  ownerOf: (from) => idTokenOwner(Buffer.from(from, 'hex')),
};
