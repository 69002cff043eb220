// Where the secrets of codes by time are kept sealed, for a new master key.
import type { SealedColumn } from '../../platform/secrets/sealed-column.ts';

export const totpOwner = (userId: number): string => `totp ${userId}`;

const sealedIn = (table: string): SealedColumn => ({
  table,
  id: 'user_id',
  type: 'integer',
  column: 'sealed',
  from: 'user_id::text',
  ownerOf: (from) => totpOwner(Number(from)),
});

export const SEALED_TOTP = [sealedIn('totp_secrets'), sealedIn('totp_enrolments')];
