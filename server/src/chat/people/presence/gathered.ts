// Presences that come while a statement is under way are written by the next one. Every one of them takes the number of
// the newest change, so one after the other would wait for a commit each.
import type pg from 'pg';
import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { gather } from '../../../platform/std/gather.ts';
import type { Presence } from './rules.ts';
import { writePresences } from './store.ts';

/** Bounds one statement; the rest waits for the next. */
const PRESENCES_AT_ONCE = 500;

interface Ping {
  readonly userId: number;
  readonly presence: Presence;
}

const writers = new WeakMap<pg.Pool, (ping: Ping) => Promise<void>>();

export function writeGathered(
  ctx: Pick<Context, 'database' | 'inTransaction'>,
  userId: number,
  presence: Presence,
): Promise<void> {
  const { pool } = ctx.database;
  const write =
    writers.get(pool) ??
    gather(PRESENCES_AT_ONCE, (pings: readonly Ping[]) => writeAll(ctx, pings));
  writers.set(pool, write);
  return write({ userId, presence });
}

/** A crash of the database may lose the last of it: the clients tell it again within a minute. */
async function writeAll(
  { inTransaction }: Pick<Context, 'inTransaction'>,
  pings: readonly Ping[],
): Promise<void[]> {
  const newest = new Map(pings.map(({ userId, presence }) => [userId, presence]));
  await inTransaction(async (tx) => {
    await sql`SET LOCAL synchronous_commit = off`.execute(tx);
    await writePresences(tx, newest);
  });
  return pings.map(() => undefined);
}
