// Parameters as text: what is written here is what is sent and what is signed.

export type Params = Readonly<Record<string, unknown>>;

/** Escapes everything but `A-Z a-z 0-9 - _ . ~`. */
const escape = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** `name=value` for every parameter that is not undefined, in the order given. */
export function encodeParams(params: Params): string {
  return Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${escape(name)}=${escape(print(name, value))}`)
    .join('&');
}

function print(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || typeof value === 'bigint') return printInteger(name, value);
  if (typeof value === 'object' && value !== null) return JSON.stringify(toTexts(name, value));
  throw new TypeError(`${name} is ${String(value)}, which cannot be sent. Leave it out instead.`);
}

/** Amounts as numbers would be rounded before anybody sees them. */
function printInteger(name: string, value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value);
  throw new TypeError(`${name} is the number ${value}. Write decimals as text: '${value}'.`);
}

/** The venue takes numbers only as text, inside lists too. */
function toTexts(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => toTexts(name, item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [key, toTexts(`${name}.${key}`, member)]),
    );
  }
  return typeof value === 'boolean' ? value : print(name, value);
}
