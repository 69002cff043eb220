// Reads and writes code playgrounds.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { Playground } from './events.ts';
import type { PlaygroundInput } from './rules.ts';

export async function lockPlaygrounds(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.playgrounds'))`.execute(tx);
}

export async function listPlaygrounds(db: Db): Promise<Playground[]> {
  const rows = await db.selectFrom('playgrounds').selectAll().orderBy('id').execute();
  return rows.map(({ id, name, pygmentsLanguage, urlTemplate }) => ({
    id,
    name,
    pygments_language: pygmentsLanguage,
    url_template: urlTemplate,
  }));
}

export async function insertPlayground(tx: Tx, given: PlaygroundInput): Promise<number> {
  const { id } = await tx
    .insertInto('playgrounds')
    .values({
      name: given.name,
      pygmentsLanguage: given.pygments_language,
      urlTemplate: given.url_template,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function deletePlayground(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('playgrounds').where('id', '=', id).execute();
}
