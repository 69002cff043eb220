// A parser of JSON bodies that keeps them as they were written. JSON.parse would reorder members
// whose names are digits, drop repeated names and lose the spelling of numbers; all three are
// signed.
import type { Given } from './parameters.ts';
import { RequestProblem } from './problem.ts';

export interface JsonMember {
  readonly name: string;
  readonly value: Given;
  /** What the member contributes to the signed text, before URL encoding. */
  readonly signed: string;
}

const DEPTH_MAX = 32;
/** How much of a refused number is repeated in the message. */
const SHOWN_MAX = 40;

/** Parses a body that must be an object; its members in the order sent. */
export function parseMembers(body: Uint8Array): JsonMember[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw invalid('The body is not UTF-8.');
  }
  const scanner = scan(text);
  if (!scanner.startsWith('{')) throw invalid('The body must be a JSON object.');
  return scanner.object(1).members;
}

/** Parses one value, for a parameter of a form or query string that is itself JSON text. */
export function parseValue(text: string): Given {
  return scan(text).value(1).value;
}

interface Scanned {
  readonly value: Given;
  /** The text without white space, every escape as it was written. */
  readonly compact: string;
}

/** Walks a text that JSON.parse has accepted, so no step needs to look for malformed input. */
function scan(text: string) {
  try {
    JSON.parse(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  }
  let at = 0;

  function next(): string {
    // White space in JSON is exactly these four characters.
    while (' \t\r\n'.includes(text[at] ?? '.')) at += 1;
    return text.charAt(at);
  }

  function take(pattern: RegExp): string {
    pattern.lastIndex = at;
    const taken = pattern.exec(text)?.[0] ?? '';
    at += taken.length;
    return taken;
  }

  function string(): { characters: string; written: string } {
    const written = take(/"[^"\\]*(?:\\.[^"\\]*)*"/y);
    const characters = String(JSON.parse(written));
    if (!characters.isWellFormed() || characters.includes('\0')) {
      throw invalid('A text in the body holds half a character pair, or a zero character.');
    }
    return { characters, written };
  }

  function value(depth: number): Scanned {
    if (depth > DEPTH_MAX) throw invalid(`The body is nested deeper than ${DEPTH_MAX} levels.`);
    const first = next();
    if (first === '"') {
      const { characters, written } = string();
      return { value: characters, compact: written };
    }
    if (first === '{') {
      const { members, compact } = object(depth);
      return { value: new Map(members.map((member) => [member.name, member.value])), compact };
    }
    if (first === '[') return array(depth);
    const word = take(/[-+.\w]+/y);
    if (word === 'true' || word === 'false') return { value: word, compact: word };
    throw new RequestProblem(
      'NUMBER_NOT_STRING',
      word === 'null'
        ? 'null is not a value; leave the parameter out.'
        : `Write ${word.slice(0, SHOWN_MAX)} as "${word.slice(0, SHOWN_MAX)}": numbers are JSON strings here, because a JSON number loses how it was written.`,
    );
  }

  function object(depth: number): { members: JsonMember[]; compact: string } {
    const members: JsonMember[] = [];
    const compact: string[] = [];
    const names = new Set<string>();
    at += 1;
    while (next() !== '}') {
      if (text[at] === ',') at += 1;
      next();
      const { characters: name, written } = string();
      if (names.has(name)) {
        throw new RequestProblem('PARAMETER_DUPLICATE', `The name '${name}' occurs twice.`, {
          parameter: name,
        });
      }
      names.add(name);
      next();
      at += 1;
      const member = value(depth + 1);
      const signed = typeof member.value === 'string' ? member.value : member.compact;
      members.push({ name, value: member.value, signed });
      compact.push(`${written}:${member.compact}`);
    }
    at += 1;
    return { members, compact: `{${compact.join(',')}}` };
  }

  function array(depth: number): Scanned {
    const items: Scanned[] = [];
    at += 1;
    while (next() !== ']') {
      if (text[at] === ',') at += 1;
      items.push(value(depth + 1));
    }
    at += 1;
    return {
      value: items.map((item) => item.value),
      compact: `[${items.map((item) => item.compact).join(',')}]`,
    };
  }

  return { startsWith: (character: string) => next() === character, object, value };
}

const invalid = (message: string) => new RequestProblem('JSON_INVALID', message);
