// Who has muted a sender: what the muted write comes as read.
import type { Db } from '../../../platform/db/pool.ts';
import { remembered } from '../../../platform/facts/memory.ts';
import { listMuters as loadMuters } from './store.ts';

export const listMuters = (db: Db, mutedId: number): Promise<readonly number[]> =>
  remembered(db, `muters ${mutedId}`, [mutedId], () => loadMuters(db, mutedId));
