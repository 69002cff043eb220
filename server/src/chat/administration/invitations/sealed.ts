// Where keys of invitation links are kept sealed, for a new master key.
import type { SealedColumn } from '../../../platform/secrets/sealed-column.ts';
import { sealOwner } from './key.ts';

export const SEALED_INVITATION_LINKS: SealedColumn = {
  table: 'invitation_links',
  id: 'id',
  type: 'integer',
  column: 'key_sealed',
  from: `encode(key_lookup, 'hex')`,
  ownerOf: (from) => sealOwner(Buffer.from(from, 'hex')),
};
