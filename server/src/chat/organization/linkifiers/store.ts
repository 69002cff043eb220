// Reads and writes linkifiers and their order.
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Linkifiers } from '../../../platform/db/schema.generated.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { Linkifier } from './events.ts';

export type LinkifierValues = Omit<Selectable<Linkifiers>, 'id' | 'order'>;

/** Serializes changes: patterns and order are read before they are written. */
export async function lockLinkifiers(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.linkifiers'))`.execute(tx);
}

/** In their order. */
export async function listLinkifiers(db: Db): Promise<Linkifier[]> {
  const rows = await db
    .selectFrom('linkifiers')
    .selectAll()
    .orderBy('order')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    pattern: row.pattern,
    url_template: row.urlTemplate,
    example_input: row.exampleInput,
    reverse_template: row.reverseTemplate,
    alternative_url_templates: row.alternativeUrlTemplates,
  }));
}

/** A new linkifier comes last: its order is its id, which is larger than every position. */
export async function insertLinkifier(tx: Tx, values: LinkifierValues): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    WITH drawn AS (SELECT nextval(pg_get_serial_sequence('linkifiers', 'id'))::int AS id)
    INSERT INTO linkifiers (id, pattern, url_template, example_input, reverse_template,
                            alternative_url_templates, "order")
    OVERRIDING SYSTEM VALUE
    SELECT id, ${values.pattern}, ${values.urlTemplate}, ${values.exampleInput},
           ${values.reverseTemplate}, ${values.alternativeUrlTemplates}::text[], id FROM drawn
    RETURNING id`.execute(tx);
  return (rows[0] as { id: number }).id;
}

export async function updateLinkifier(
  tx: Tx,
  id: number,
  values: Partial<LinkifierValues>,
): Promise<void> {
  await tx.updateTable('linkifiers').set(values).where('id', '=', id).execute();
}

export async function deleteLinkifier(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('linkifiers').where('id', '=', id).execute();
}

/** Each linkifier gets its position in `order`. */
export async function orderLinkifiers(tx: Tx, order: readonly number[]): Promise<void> {
  await sql`
    UPDATE linkifiers l SET "order" = o.place
      FROM unnest(${[...order]}::int[]) WITH ORDINALITY AS o (id, place)
     WHERE l.id = o.id`.execute(tx);
}
