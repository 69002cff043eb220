// Where keys of devices are kept sealed, for a new master key.
import type { SealedColumn } from '../../../platform/secrets/sealed-column.ts';
import { keyOwner } from './device.ts';

export const SEALED_DEVICES: SealedColumn = {
  table: 'devices',
  id: 'id',
  type: 'integer',
  column: 'push_key_sealed',
  from: 'user_id::text',
  ownerOf: (from) => keyOwner(Number(from)),
};
