// Every event that chat clients can get, with its shape. An event that is not declared here is not sent, and the
// tests check every sent event against its shape.
import type { TObject } from 'typebox';
import { PARTS } from './parts.ts';

const PUBLIC: readonly TObject[] = PARTS.flatMap(({ events }) => events);

/** Internal events: they change rights, or are the row from which each client's event is made. */
const INTERNAL: readonly TObject[] = PARTS.flatMap(({ internalEvents = [] }) => internalEvents);

/** `drafts/add`, or the type alone where a type has no op. */
export const eventName = ({ type, op }: { type: string; op?: unknown }): string =>
  typeof op === 'string' ? `${type}/${op}` : type;

function nameOf(schema: TObject): string {
  const { type, op } = schema.properties as Record<string, { const?: string }>;
  return eventName({ type: type?.const ?? '', op: op?.const });
}

export const EVENT_SHAPES: ReadonlyMap<string, TObject> = new Map(
  [...PUBLIC, ...INTERNAL].map((schema) => [nameOf(schema), schema]),
);

/** The types that a client gets which did not choose. */
export const PUBLIC_TYPES: ReadonlySet<string> = new Set(
  PUBLIC.map((schema) => nameOf(schema).split('/', 1)[0] ?? ''),
);

/** Whether a client that did not choose gets events of this type. */
export const isChatEvent = (type: string): boolean => PUBLIC_TYPES.has(type);
