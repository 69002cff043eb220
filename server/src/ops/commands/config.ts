import type { TSchema } from 'typebox';
import { ConfigSchema } from '../../platform/config/schema.ts';

/** The README's table of settings. */
export function renderSettings(): string {
  const rows = Object.entries(ConfigSchema.properties).map(
    ([name, schema]) => `| \`${name}\` | ${defaultOf(schema)} | ${descriptionOf(schema)} |`,
  );
  return ['| Setting | Default | What it is for |', '| --- | --- | --- |', ...rows].join('\n');
}

function defaultOf(schema: TSchema): string {
  if (!('default' in schema)) return '(required)';
  return schema.default === '' ? '(empty)' : `\`${String(schema.default)}\``;
}

/** A bar would end the cell. */
function descriptionOf(schema: TSchema): string {
  const text = 'description' in schema ? String(schema.description) : '';
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  const bounds = minimum === undefined ? '' : ` (${minimum} to ${maximum})`;
  return `${text}${bounds}`.replaceAll('|', '\\|');
}
