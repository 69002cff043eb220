// The rows of custom profile fields and their values.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Field, FieldData, FieldType } from './field.ts';

const COLUMNS = [
  'id',
  'type',
  'name',
  'hint',
  'fieldData',
  'order',
  'displayInProfileSummary',
  'isRequired',
  'editableByUser',
  'useForUserMatching',
] as const;

/** All fields, in their order. */
export async function listFields(db: Db): Promise<Field[]> {
  const rows = await db
    .selectFrom('profileFields')
    .select(COLUMNS)
    .orderBy('order')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...row,
    type: row.type as FieldType,
    fieldData: row.fieldData as FieldData | null,
  }));
}

/** Lets one transaction at a time change fields. They are few and change rarely. */
export async function lockFields(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.profile_fields'))`.execute(tx);
}

export type FieldValues = Omit<Field, 'id' | 'order'>;

const toRow = ({ fieldData, ...plain }: Partial<FieldValues>) => ({
  ...plain,
  ...(fieldData !== undefined && {
    fieldData: fieldData === null ? null : sql<string>`${JSON.stringify(fieldData)}::jsonb`,
  }),
});

/** A new field comes last, because its order is its id. */
export async function insertField(tx: Db, values: FieldValues): Promise<number> {
  const { fieldData, ...plain } = values;
  const { rows } = await sql<{ id: number }>`
    WITH next AS (SELECT nextval(pg_get_serial_sequence('profile_fields', 'id'))::int AS id)
    INSERT INTO profile_fields (id, type, name, hint, field_data, "order", display_in_profile_summary,
                                is_required, editable_by_user, use_for_user_matching)
    OVERRIDING SYSTEM VALUE
    SELECT id, ${plain.type}, ${plain.name}, ${plain.hint},
           ${fieldData === null ? null : JSON.stringify(fieldData)}::jsonb, id,
           ${plain.displayInProfileSummary}, ${plain.isRequired}, ${plain.editableByUser},
           ${plain.useForUserMatching} FROM next
    RETURNING id`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('A profile field was not stored.');
  return row.id;
}

export async function updateField(
  tx: Db,
  id: number,
  changes: Partial<FieldValues>,
): Promise<void> {
  await tx.updateTable('profileFields').set(toRow(changes)).where('id', '=', id).execute();
}

/** The values of people go with it. */
export async function deleteField(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('profileFields').where('id', '=', id).execute();
}

export async function updateOrder(tx: Db, ids: readonly number[]): Promise<void> {
  await sql`UPDATE profile_fields f SET "order" = o.place
              FROM unnest(${ids}::int[]) WITH ORDINALITY AS o (id, place)
             WHERE f.id = o.id`.execute(tx);
}

export interface StoredValue {
  readonly userId: number;
  readonly fieldId: number;
  readonly value: string;
}

export async function listValues(db: Db, userIds?: readonly number[]): Promise<StoredValue[]> {
  return db
    .selectFrom('profileValues')
    .select(['userId', 'fieldId', 'value'])
    .$if(userIds !== undefined, (query) =>
      query.where('userId', '=', sql<number>`ANY (${userIds}::int[])`),
    )
    .execute();
}

export async function upsertValue(tx: Db, row: StoredValue): Promise<void> {
  await tx
    .insertInto('profileValues')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['userId', 'fieldId']).doUpdateSet({ value: row.value }),
    )
    .execute();
}

export async function deleteValue(tx: Db, userId: number, fieldId: number): Promise<void> {
  await tx
    .deleteFrom('profileValues')
    .where('userId', '=', userId)
    .where('fieldId', '=', fieldId)
    .execute();
}
