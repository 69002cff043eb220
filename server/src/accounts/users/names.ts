// Finds similar names. A name has keys that are stored beside it and found by an index; names
// written by an older release have none, and are compared directly.
import type { Db } from '../../platform/db/pool.ts';
import { areNamesAlike, nameKeys } from '../../platform/names/fold.ts';
import { listByNameKeys, listUnkeyed, updateNameKeys, type NameHolder } from './store.ts';

/** Active people and bots other than `userId` with a similar name. */
export async function listAlike(db: Db, fullName: string, userId: number): Promise<NameHolder[]> {
  const keyed = await listByNameKeys(db, nameKeys(fullName), userId);
  const unkeyed = await listUnkeyed(db, null);
  return [
    ...keyed,
    ...unkeyed.filter(
      (one) => one.isActive && one.id !== userId && areNamesAlike(one.fullName, fullName),
    ),
  ];
}

/** Adds keys to names that have none; returns how many. */
export async function keyNames(db: Db, atMost: number): Promise<number> {
  const unkeyed = await listUnkeyed(db, atMost);
  for (const one of unkeyed) await updateNameKeys(db, one, nameKeys(one.fullName));
  return unkeyed.length;
}
