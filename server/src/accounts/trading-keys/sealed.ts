// Where secrets of trading keys are kept sealed, for a new master key.
import type { SealedColumn } from '../../platform/secrets/sealed-column.ts';
import { secretOwner } from './actions.ts';

export const SEALED_TRADING_KEYS: SealedColumn = {
  table: 'trading_keys',
  id: 'key_id',
  type: 'text',
  column: 'secret_sealed',
  from: `account_id::text || ' ' || key_id`,
  ownerOf: (from) => {
    const [account = '', keyId = ''] = from.split(' ');
    return secretOwner(BigInt(account), keyId);
  },
};
