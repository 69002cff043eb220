// The streams: types of what channels carry, and the map from the names of channels to them.
import { collectSchemas, type Json } from './schemas.ts';
import { BANNER, printTypes } from './types.ts';

interface Channel {
  readonly pattern: string;
  readonly access: 'public' | 'private';
  readonly snapshot?: Json;
  readonly update: Json;
}

const DEFINED = /^#\/\$defs\//;
const NAMED = /^export (?:interface|type) (\w+)/;

/** `tradingTypes` is the generated text, whose types are used where the names are the same. */
export async function streamTypes(document: Json, tradingTypes: string): Promise<string> {
  const shared = new Set(tradingTypes.split('\n').flatMap((line) => NAMED.exec(line)?.[1] ?? []));
  const schemas = collectSchemas(refer(document['$defs']) as Json);
  const own = (await printTypes(schemas))
    .split(/\n(?=export )/)
    .filter((text) => !shared.has(NAMED.exec(text)?.[1] ?? ''))
    .join('\n');
  const channels = Object.values(document['channels'] as Readonly<Record<string, Channel>>);
  const body = `${own}\n${mapOf('public', channels)}\n${mapOf('private', channels)}`;
  const used = [...shared]
    .filter((name) => new RegExp(`\\b${name}\\b(?: \\||[;\\[)])`).test(body))
    .sort();
  return `${BANNER}import type {
${used.map((name) => `  ${name},`).join('\n')}
} from '../trading/types.generated.ts';

${body}`;
}

/** Points the references at where the types are printed. */
function refer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refer);
  if (typeof value === 'string') return value.replace(DEFINED, '#/components/schemas/');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, refer(one)]));
}

function mapOf(access: Channel['access'], channels: readonly Channel[]): string {
  const title = access === 'public' ? 'Public' : 'Private';
  const lines = channels
    .filter((channel) => channel.access === access)
    .map(({ pattern, snapshot, update }) => {
      const name = pattern.includes('{')
        ? `[channel: \`${pattern.replaceAll(/\{\w+\}/g, '${string}')}\`]`
        : pattern;
      return `  ${name}: { readonly snapshot: ${typeOf(snapshot)}; readonly update: ${typeOf(update)} };`;
    });
  return `/** What the ${access} channels carry. */
export interface ${title}Channels {
${lines.join('\n')}
}
`;
}

function typeOf(schema: Json | undefined): string {
  if (schema === undefined) return 'never';
  if (schema['type'] === 'array') {
    const items = typeOf(schema['items'] as Json);
    return `readonly ${items.includes(' | ') ? `(${items})` : items}[]`;
  }
  if (Array.isArray(schema['anyOf'])) return (schema['anyOf'] as Json[]).map(typeOf).join(' | ');
  return (schema['$ref'] as string).replace(DEFINED, '');
}
