// The parameters of a request as they were sent: names in the sender's order, values not yet typed.

/** Scalars are texts; nested values of a JSON body keep their shape. */
export type Given = string | readonly Given[] | ReadonlyMap<string, Given>;

export interface ParameterPair {
  readonly name: string;
  /** Undefined when the escapes are invalid, or the text cannot be stored. */
  readonly value: Given | undefined;
}

const NO_PAIRS: readonly ParameterPair[] = [];

/** Parses `name=value&…`, from a query string or a form. A plus sign is a space, as in any form. */
export function parsePairs(text: string): readonly ParameterPair[] {
  if (text === '') return NO_PAIRS;
  const pairs: ParameterPair[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const rawName = equals === -1 ? part : part.slice(0, equals);
    const rawValue = equals === -1 ? '' : part.slice(equals + 1);
    const name = decode(rawName);
    // Some servers split at a semicolon too, so such a text is ambiguous and refused.
    const isAmbiguous = name === undefined || part.includes(';');
    pairs.push({ name: name ?? rawName, value: isAmbiguous ? undefined : decode(rawValue) });
  }
  return pairs;
}

function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text.includes('\0') ? undefined : text;
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    // PostgreSQL texts cannot contain the zero character.
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** The URL's text has one character per byte; unescaped bytes are taken as UTF-8. */
export function queryToText(query: string): string {
  // oxlint-disable-next-line no-control-regex -- every byte below 128 is meant
  return /^[\x00-\x7f]*$/.test(query) ? query : Buffer.from(query, 'latin1').toString('utf8');
}
