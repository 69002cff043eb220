// Finds fields of an answer that its schema does not document.
import { IsArray, IsObject, IsRecord, IsUnion, type TSchema } from 'typebox';

/**
 * Paths in `value` that `schema` does not name. Where the schema leaves the shape open, everything counts as
 * documented.
 */
export function undocumented(value: unknown, schema: TSchema, at = ''): string[] {
  if (IsUnion(schema)) {
    const options = schema.anyOf.map((option) => undocumented(value, option, at));
    return options.sort((a, b) => a.length - b.length)[0] ?? [];
  }
  if (IsArray(schema) && Array.isArray(value)) {
    return value.flatMap((item: unknown) => undocumented(item, schema.items, `${at}[]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  if (IsRecord(schema)) {
    const [values] = Object.values<TSchema>(schema.patternProperties);
    return Object.values(value).flatMap((item: unknown) =>
      values === undefined ? [] : undocumented(item, values, `${at}.*`),
    );
  }
  if (!IsObject(schema)) return [];
  // A nested object without named fields is documented in words only.
  if (at !== '' && Object.keys(schema.properties).length === 0) return [];
  return Object.entries(value).flatMap(([name, item]: [string, unknown]) => {
    const property = schema.properties[name];
    return property === undefined
      ? [`${at}.${name}`]
      : undocumented(item, property, `${at}.${name}`);
  });
}
