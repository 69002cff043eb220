// Prevented matches as the projector wrote them.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { PageQuery } from '../../pages.ts';
import type { PreventedRow } from './match.ts';

export interface PreventedFilter {
  readonly symbol?: string | undefined;
  readonly orderId?: bigint | undefined;
}

/**
 * The account's, in the order of the engine, one more than the page holds. Each side is read by its own
 * index and limited before both are merged; a match of two of its own orders is found twice and kept once.
 * A cursor holds the engine event and the count within it.
 */
export async function listPrevented(
  db: Db,
  accountId: bigint,
  filter: PreventedFilter,
  page: PageQuery,
): Promise<PreventedRow[]> {
  const direction = page.sort === 'asc' ? sql`ASC` : sql`DESC`;
  const half = (side: 'taker' | 'maker') => {
    const all = [sql`p.${sql.ref(`${side}AccountId`)} = ${accountId}`];
    if (filter.symbol !== undefined) all.push(sql`p.symbol = ${filter.symbol}`);
    // Only an order of this account: the other order of a match may be a sibling's.
    if (filter.orderId !== undefined) {
      all.push(sql`p.${sql.ref(`${side}OrderId`)} = ${filter.orderId}`);
    }
    if (page.from !== undefined) all.push(sql`p.time_ms >= ${page.from}`);
    if (page.to !== undefined) all.push(sql`p.time_ms < ${page.to}`);
    if (page.after !== undefined) {
      const { ms: engineSeq, id: number } = page.after;
      const than = page.sort === 'asc' ? sql`>` : sql`<`;
      all.push(sql`(p.engine_seq, p.number) ${than} (${engineSeq}::bigint, ${number}::bigint)`);
    }
    return sql`
    (SELECT p.* FROM prevented_matches p WHERE ${sql.join(all, sql` AND `)}
      ORDER BY p.engine_seq ${direction}, p.number ${direction} LIMIT ${page.limit + 1})`;
  };
  const { rows } = await sql<PreventedRow>`
    SELECT * FROM (${half('taker')} UNION ${half('maker')}) p
     ORDER BY p.engine_seq ${direction}, p.number ${direction} LIMIT ${page.limit + 1}`.execute(db);
  return rows;
}
