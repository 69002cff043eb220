// A change that is decided by what is remembered, and written by one statement that checks that it still holds. It happens
// as a whole or not at all; in the second case the caller does it the long way, which reads everything and refuses.
import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { SUBJECTS } from '../bus/subjects.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import { FactsChanged, holds, type FactReader } from './memory.ts';

/**
 * What `act` returns, after telling the relay of its events. Undefined if nothing was written: memory no longer held or
 * would refuse, PostgreSQL refused the statement, or `act` left it. The caller is then still who they were.
 */
export async function writeByMemory<T extends object>(
  ctx: Pick<Context, 'facts' | 'db' | 'bus'>,
  act: (facts: FactReader) => Promise<T | undefined>,
): Promise<T | undefined> {
  const facts = ctx.facts.reader(ctx.db);
  try {
    const done = await act(facts);
    if (done !== undefined) {
      ctx.bus.publish(SUBJECTS.outboxBell, '');
      return done;
    }
  } catch (error) {
    if (error instanceof FactsChanged) facts.forget();
    else if (!(error instanceof Refusal || error instanceof pg.DatabaseError)) throw error;
  }
  await ctx.facts.confirm();
  return undefined;
}

/**
 * A table `checked` for such a statement: one row, with `holds`. What the statement writes comes from a table that joins it
 * and has no row if nothing holds.
 */
export const checkedTable = (facts: FactReader): RawBuilder<unknown> =>
  sql`checked AS MATERIALIZED (SELECT ${holds(facts.basis())} AS holds)`;

/** The row of such a statement, which begins with `holds`. */
export function heldRow<R extends { readonly holds: boolean }>(rows: readonly R[]): R {
  const [row] = rows;
  if (row?.holds !== true) throw new FactsChanged();
  return row;
}
