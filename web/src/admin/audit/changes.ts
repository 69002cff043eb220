// What an entry changed, as lines for a reader.

type Values = Readonly<Record<string, unknown>> | null;

export interface Change {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Nothing where that side has no value. `write` may put a value in the reader's words. */
export function changesOf(
  before: Values,
  after: Values,
  write: (name: string, value: unknown) => string | undefined,
): Change[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const text = (values: Values, name: string): string => {
    const value = values?.[name];
    if (value === undefined || value === null) return '';
    return write(name, value) ?? (typeof value === 'string' ? value : JSON.stringify(value));
  };
  return [...names].map((name) => ({
    name,
    before: text(before, name),
    after: text(after, name),
  }));
}

/** Permissions are told as the number of a group. */
export const isPermissionName = (name: string): boolean =>
  /_group$|^can_/.test(name) && name !== 'group';
