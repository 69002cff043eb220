// Finds which of the given messages are in a narrow.
import { sql } from 'kysely';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { isMessageId } from '../message/access.ts';
import { NAME } from '../../conversations/topics/names.ts';
import { fromMessagesById } from '../message/joins.ts';
import { markMatches, type Match } from '../search/matches.ts';
import { resolveNarrow } from './resolve.ts';
import type { Term } from './terms.ts';

/** Those of `ids` that the reader may read and that match, by message id. */
export async function matchNarrow(
  db: Db,
  reader: Pick<User, 'id' | 'role' | 'botType'>,
  ids: readonly number[],
  terms: readonly Term[],
): Promise<Record<string, Match>> {
  const { condition, searched } = await resolveNarrow(db, reader, terms, { withHistory: true });
  const wanted = ids.filter(isMessageId);
  const { rows } = await sql<{ id: bigint; rendered: string; topic: string }>`
    SELECT m.id, m.rendered, ${NAME} AS topic FROM ${fromMessagesById(reader.id, wanted)}
     WHERE ${condition} ORDER BY m.id`.execute(db);
  const found = rows.map((row) => ({ ...row, id: Number(row.id) }));
  const matches = await markMatches(db, found, searched);
  return Object.fromEntries([...matches].map(([id, match]) => [String(id), match]));
}
