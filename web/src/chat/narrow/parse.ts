// Reads `#narrow/…`: addresses of this client, of Zulip's clients, of bots, and those of years ago.
import { decodeComponent } from './encoding.ts';
import {
  findOperator,
  wordTerm,
  type Asked,
  type Narrow,
  type Operator,
  type Term,
} from './terms.ts';

/** As many terms as the server takes. */
const TERMS_MAX = 100;
/** Longer than any address that a person could have made; a longer one is not read at all. */
const ADDRESS_MAX = 65_536;

/** What the reader's organisation has, for links that name a channel. */
export interface KnownChannels {
  hasChannel(id: number): boolean;
  findChannel(name: string): number | undefined;
}

/**
 * The narrow of an address; undefined if it is none. An id comes before a name: `311-help` is the channel 311, and only
 * if nobody knows that id the channel of that name.
 */
export function parseNarrow(hash: string, known?: KnownChannels): Narrow | undefined {
  if (hash.length > ADDRESS_MAX) return undefined;
  if (/^#(?:feed|all_messages)\/?$/.test(hash)) return parseNarrow('#narrow/in/home');
  const [start, ...components] = hash.split('/');
  if (start !== '#narrow') return undefined;
  const terms: Term[] = [];
  let near: number | undefined;
  for (let at = 0; at < components.length; at += 2) {
    const word = decodeComponent(components[at] ?? '');
    // A slash at the end.
    if (word === '') break;
    const operand = components[at + 1];
    if (word === undefined || operand === undefined) return undefined;
    if (word === 'near') {
      near = parseId(operand);
      if (near === undefined) return undefined;
      continue;
    }
    const negated = word.startsWith('-');
    const operator = findOperator(negated ? word.slice(1) : word);
    const asked = operator && parseAsked(operator, operand, known);
    if (asked === undefined || terms.length === TERMS_MAX) return undefined;
    terms.push({ ...asked, negated });
  }
  return near === undefined ? { terms } : { terms, near };
}

/** The narrow that a link opens, if it is a link to this client at `origin`. */
export function parseLink(href: string, origin: string, known?: KnownChannels): Narrow | undefined {
  const url = URL.parse(href, `${origin}/`);
  if (url === null || url.origin !== origin || url.pathname !== '/' || url.search !== '') {
    return undefined;
  }
  return parseNarrow(url.hash, known);
}

function parseAsked(operator: Operator, raw: string, known?: KnownChannels): Asked | undefined {
  const text = decodeComponent(raw);
  // Only a topic may have an empty name.
  if (text === undefined || (text === '' && operator !== 'topic')) return undefined;
  switch (operator) {
    case 'channel':
      return { operator, operand: findChannel(raw, text, known) };
    case 'topic':
    case 'search':
      return { operator, operand: text };
    case 'dm': {
      const ids = /^(\d+(?:,\d+)*)(?:-.*)?$/.exec(raw.replaceAll(/[.%]2C/gi, ','))?.[1];
      return { operator, operand: (ids && parseIds(ids)) ?? text };
    }
    case 'sender':
    case 'dm-including':
    case 'group-pm-with':
    case 'mentions':
      return { operator, operand: slugId(raw) ?? text };
    case 'id':
    case 'with': {
      const operand = parseId(raw);
      return operand === undefined ? undefined : { operator, operand };
    }
    case 'is':
    case 'has':
    case 'in':
    case 'channels':
      return wordTerm(operator, text);
  }
}

function findChannel(raw: string, text: string, known?: KnownChannels): number | string {
  const id = slugId(raw);
  if (id !== undefined && (known === undefined || known.hasChannel(id))) return id;
  // Links of old put hyphens for the spaces of a name.
  const named = known?.findChannel(text) ?? known?.findChannel(text.replaceAll('-', ' '));
  return named ?? id ?? text;
}

/** The id of `12`, `12-` and `12-name`. Read before decoding, so that an encoded digit begins a name. */
function slugId(raw: string): number | undefined {
  const id = /^(\d+)(?:-.*)?$/.exec(raw)?.[1];
  return id === undefined ? undefined : parseId(id);
}

function parseId(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function parseIds(text: string): readonly number[] | undefined {
  const ids = text.split(',').map(parseId);
  return ids.every((id) => id !== undefined) ? sortIds(ids) : undefined;
}

/** The people of a conversation, in the one order that its address has. */
export const sortIds = (ids: readonly number[]): readonly number[] =>
  [...new Set(ids)].sort((left, right) => left - right);
