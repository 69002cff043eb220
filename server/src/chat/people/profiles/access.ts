// Reads custom profile fields and their values for other features.
import type { ProfileData } from '../../../accounts/users/events.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { FIELD_TYPE, type FieldType } from './field.ts';
import { plainTextToHtml } from '../../organization/org/render.ts';
import { listFields, listValues } from './store.ts';

export { listFields };

/** The values of custom profile fields, by person and field id. */
export async function readProfiles(
  db: Db,
  userIds?: readonly number[],
): Promise<ReadonlyMap<number, ProfileData>> {
  const types = new Map((await listFields(db)).map(({ id, type }) => [id, type]));
  const profiles = new Map<number, Record<string, ProfileData[string]>>();
  for (const { userId, fieldId, value } of await listValues(db, userIds)) {
    const profile = profiles.get(userId) ?? {};
    profile[fieldId] = present(types.get(fieldId), value);
    profiles.set(userId, profile);
  }
  return profiles;
}

/** Texts are rendered here; clients render the other types. */
export function present(
  type: FieldType | undefined,
  value: string,
): { value: string; rendered_value?: string } {
  const isText = type === FIELD_TYPE.shortText || type === FIELD_TYPE.longText;
  return isText ? { value, rendered_value: plainTextToHtml(value) } : { value };
}
