// Parses JSON of form fields, with limits. JSON.parse would not do: it does not distinguish 5 from 5.0, silently keeps
// the last of two equal keys, and has no limit on depth.

/** A number, and whether it was written as an integer. */
export class JsonNumber {
  readonly value: number;
  readonly isWhole: boolean;
  constructor(text: string) {
    this.value = Number(text);
    this.isWhole = /^-?\d+$/.test(text);
  }
}

/** Objects are maps, so no key can reach a prototype. */
export type JsonNode =
  null | boolean | string | JsonNumber | readonly JsonNode[] | ReadonlyMap<string, JsonNode>;

const DEPTH_MAX = 32;
/** The most people that one list may name; the size of a body is the other bound. */
export const ITEMS_MAX = 100_000;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
/** A longer number is an attack on the conversion, whose time grows with the length. */
const NUMBER_CHARACTERS_MAX = 400;

/**
 * The value that `text` describes, or undefined when it is not JSON that we accept. `onTooLong` is called when the
 * only fault is a list that is too long, so that the caller can say so.
 */
export function parseJson(text: string, onTooLong: () => void = () => {}): JsonNode | undefined {
  const reader = new JsonParser(text);
  try {
    const value = reader.value(0);
    return reader.isAtEnd() ? value : undefined;
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    if (error instanceof TooManyItems) onTooLong();
    return undefined;
  }
}

class NotJson extends Error {}
class TooManyItems extends NotJson {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

function unescape(inner: string): string {
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    throw new NotJson();
  }
}

class JsonParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    this.#match(SPACE);
    return this.#at === this.#text.length;
  }

  value(depth: number): JsonNode {
    this.#match(SPACE);
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth + 1);
      case '[':
        return this.#array(depth + 1);
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): ReadonlyMap<string, JsonNode> {
    const fields = new Map<string, JsonNode>();
    this.#list(depth, '}', () => {
      this.#match(SPACE);
      const key = this.#string();
      if (!this.#take(':') || fields.has(key)) throw new NotJson();
      fields.set(key, this.value(depth));
    });
    return fields;
  }

  #array(depth: number): readonly JsonNode[] {
    const items: JsonNode[] = [];
    this.#list(depth, ']', () => items.push(this.value(depth)));
    return items;
  }

  #list(depth: number, close: string, item: () => void): void {
    if (depth > DEPTH_MAX) throw new NotJson();
    this.#at += 1;
    if (this.#take(close)) return;
    for (let count = 1; count <= ITEMS_MAX; count += 1) {
      item();
      if (this.#take(close)) return;
      if (!this.#take(',')) throw new NotJson();
    }
    throw new TooManyItems();
  }

  #string(): string {
    if (this.#text[this.#at] !== '"') throw new NotJson();
    const start = this.#at + 1;
    let end = start;
    let hasEscapes = false;
    for (let code = this.#text.charCodeAt(end); code !== QUOTE; code = this.#text.charCodeAt(end)) {
      // Not a number at the end of the text; control characters must be escaped.
      if (!(code >= FIRST_PRINTABLE)) throw new NotJson();
      if (code === BACKSLASH) hasEscapes = true;
      end += code === BACKSLASH ? 2 : 1;
    }
    this.#at = end + 1;
    const inner = this.#text.slice(start, end);
    return hasEscapes ? unescape(inner) : inner;
  }

  #number(): JsonNumber {
    const digits = this.#match(NUMBER);
    if (digits === '' || digits.length > NUMBER_CHARACTERS_MAX) throw new NotJson();
    return new JsonNumber(digits);
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw new NotJson();
    this.#at += word.length;
    return value;
  }

  #take(character: string): boolean {
    this.#match(SPACE);
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  /** What the sticky `pattern` matches here; empty when it does not match. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}
