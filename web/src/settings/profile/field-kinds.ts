// The kinds of profile fields of the API, and how each is edited. Pure.
import type { ProfileField } from '../../state/entities.ts';

export type Editor = 'line' | 'text' | 'choice' | 'date' | 'address' | 'people';

const EDITORS: Readonly<Record<number, Editor>> = {
  1: 'line',
  2: 'text',
  3: 'choice',
  4: 'date',
  5: 'address',
  6: 'people',
  7: 'line',
  8: 'line',
};

export const editorOf = ({ type }: Pick<ProfileField, 'type'>): Editor => EDITORS[type] ?? 'line';

export interface FieldChoice {
  readonly value: string;
  readonly label: string;
}

/** The choices of a field, in their order. `fieldData` is JSON: `{ "0": { "text": "Vim", "order": "1" } }`. */
export function choicesOf({ fieldData }: Pick<ProfileField, 'fieldData'>): readonly FieldChoice[] {
  let data: unknown;
  try {
    data = JSON.parse(fieldData === '' ? '{}' : fieldData);
  } catch {
    return [];
  }
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data as Record<string, { text?: unknown; order?: unknown } | null>)
    .flatMap(([value, one]) =>
      typeof one?.text === 'string' ? [{ value, label: one.text, order: Number(one.order) }] : [],
    )
    .sort((a, b) => a.order - b.order)
    .map(({ value, label }) => ({ value, label }));
}
