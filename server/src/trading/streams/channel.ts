// A channel that a client can follow, declared once: subscribing and the published document go by the declaration.
import type { TSchema } from 'typebox';
import type { Connection } from './connection.ts';
import type { Streams } from './services.ts';
import type { Topic } from './connection.ts';

export interface Channel {
  /** Parts in braces are chosen by the client: `depth:{symbol}`. */
  readonly pattern: string;
  /** `private`: only after a login, and about the own account. */
  readonly access: 'public' | 'private';
  readonly summary: string;
  /** How often updates come. */
  readonly cadence: string;
  /** `data` of the first push; undefined if updates come without one. */
  readonly snapshot: TSchema | undefined;
  /** `data` of each update. */
  readonly update: TSchema;
  /** The values that a part other than `symbol` may have. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Finds the topic; throws a refusal. */
  open(
    streams: Streams,
    parts: Readonly<Record<string, string>>,
    connection: Connection,
  ): Topic | Promise<Topic>;
}

const PART = /^\{([a-z]+)\}$/;

/** The parts of a name that fits the channel's pattern; undefined if it does not. */
export function matchChannel(
  { pattern }: Pick<Channel, 'pattern'>,
  name: string,
): Record<string, string> | undefined {
  const wanted = pattern.split(':');
  const given = name.split(':');
  if (wanted.length !== given.length) return undefined;
  const parts: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    const variable = PART.exec(part)?.[1];
    if (variable === undefined ? part !== value : value === '') return undefined;
    if (variable !== undefined) parts[variable] = value;
  }
  return parts;
}
