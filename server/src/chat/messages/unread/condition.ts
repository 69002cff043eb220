// "Is unread" as a condition on messages, in a form that is fast whether few or many are unread.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { boundUnread } from './access.ts';
import { IS_UNREAD } from '../message/rows.ts';

/** Undefined when nothing is unread in these conversations. */
export async function whereUnread(
  db: Db,
  readerId: number,
  conversationIds: readonly number[] | undefined,
): Promise<RawBuilder<boolean> | undefined> {
  const bound = await boundUnread(db, readerId, conversationIds);
  if (bound === undefined) return undefined;
  if ('ids' in bound) return sql<boolean>`m.id = ANY (${[...bound.ids]}::bigint[])`;
  return sql<boolean>`(m.id >= ${bound.from} AND ${IS_UNREAD})`;
}
