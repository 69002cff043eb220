// A call of an operation: its parameters by name, and how they are sent.
import type { Endpoint } from '../endpoints.ts';

export interface Call {
  readonly endpoint: Endpoint;
  /** Those in the path among them; numbers, lists and objects as they are. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The name of a file that the call sends. */
  readonly file?: string;
}

export interface Sent {
  readonly method: string;
  /** With its prefix, and with the values of its parts. */
  readonly path: string;
  /** The other parameters, as text, in the order given. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

export function toSent({ endpoint, params }: Call): Sent {
  const inPath = new Set(
    endpoint.parameters.filter((one) => one.in === 'path').map(({ name }) => name),
  );
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_part, name: string) =>
    // A name of a file may have slashes, which stay.
    encodeURIComponent(asText(params[name])).replaceAll('%2F', '/'),
  );
  const pairs = Object.entries(params)
    .filter(([name]) => !inPath.has(name))
    .map(([name, value]) => [name, asText(value)] as const);
  return { method: endpoint.method, path, pairs };
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** As `URLSearchParams` writes it, which every language can do. */
export const encodePairs = (pairs: Sent['pairs']): string =>
  new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
