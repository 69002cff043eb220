// Where keys of browsers are kept sealed, for a new master key.
import type { SealedColumn } from '../../../platform/secrets/sealed-column.ts';
import { keysOwner } from './actions.ts';

export const SEALED_WEB_PUSH: SealedColumn = {
  table: 'web_push_subscriptions',
  id: 'id',
  type: 'integer',
  column: 'keys_sealed',
  from: 'user_id::text',
  ownerOf: (from) => keysOwner(Number(from)),
};
