// A person's passkeys, as they are shown to their owner.
import type { Db } from '../../platform/db/pool.ts';
import { listPasskeysOf } from './store.ts';

export interface ShownPasskey {
  readonly id: number;
  readonly label: string;
  /** Whether it opens the account without a password. */
  readonly alone: boolean;
  /** Whether it is backed up, and may be in several devices. */
  readonly synced: boolean;
  /** In seconds since 1970; null if it was never used. */
  readonly last_used_at: number | null;
  readonly created_at: number;
  /** Whether it may have been copied. It opens nothing until its owner decides. */
  readonly suspected: boolean;
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

export async function listPasskeys(db: Db, userId: number): Promise<ShownPasskey[]> {
  const passkeys = await listPasskeysOf(db, userId);
  return passkeys.map(({ id, label, alone, backedUp, lastUsedAt, createdAt, suspectedAt }) => ({
    id: Number(id),
    label,
    alone,
    synced: backedUp,
    last_used_at: lastUsedAt === null ? null : seconds(lastUsedAt),
    created_at: seconds(createdAt),
    suspected: suspectedAt !== null,
  }));
}
