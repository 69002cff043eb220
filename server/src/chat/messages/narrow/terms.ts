// Parses a narrow from a client into terms with one meaning each. Nothing is looked up here.
import { parsePlaceholder } from '../../../accounts/users/sight.ts';
import { badRequest } from '../../http/errors.ts';
import { countLiteral } from '../search/query.ts';
import { normalizeTopic } from '../../conversations/topics/rules.ts';
import { badNarrow } from './errors.ts';

export type IsOperand =
  'dm' | 'starred' | 'unread' | 'mentioned' | 'alerted' | 'resolved' | 'followed' | 'muted';

export type HasOperand = 'attachment' | 'image' | 'link' | 'reaction';

/** What a term asks for. A text is a name or an address, a number is an id. */
export type Ask =
  | { readonly operator: 'channel'; readonly channel: string | number }
  | { readonly operator: 'channels'; readonly which: 'public' | 'web-public' | 'archived' }
  | { readonly operator: 'topic'; readonly topic: string }
  | {
      readonly operator: 'sender' | 'dm-including' | 'group-dm-including' | 'mentions';
      readonly user: string | number;
    }
  | {
      readonly operator: 'dm';
      readonly users: readonly (string | number)[];
      readonly written: string;
    }
  | { readonly operator: 'is'; readonly what: IsOperand }
  | { readonly operator: 'has'; readonly what: HasOperand }
  | { readonly operator: 'in'; readonly where: 'home' | 'all' }
  | { readonly operator: 'id'; readonly id: number }
  | { readonly operator: 'with'; readonly id: number }
  | { readonly operator: 'near' }
  | { readonly operator: 'search'; readonly text: string };

export type Term = Ask & { readonly negated: boolean };

/** More terms than anybody types. The limit bounds the query. */
export const TERMS_MAX = 100;
/** Each search needs its own index scan, negated or not. */
export const SEARCH_TERMS_MAX = 3;
/** For all searches together. Each phrase is compared with the whole text of every message that has the words. */
export const SEARCH_PHRASES_MAX = 5;
const SEARCH_CHARACTERS_MAX = 1000;

export const NARROW_SAID =
  'Terms {operator, operand, negated}, or pairs. ' +
  `At most ${TERMS_MAX}, of which ${SEARCH_TERMS_MAX} may be a search, with ${SEARCH_PHRASES_MAX} phrases in quotes in all; ` +
  `a search has at most ${SEARCH_CHARACTERS_MAX} characters.`;

interface Written {
  readonly operator: string;
  readonly operand: unknown;
  readonly negated: boolean;
}

/**
 * The terms of a narrow given as JSON: objects, or pairs as older clients send them. Addresses at `host` that stand for
 * hidden ones become the ids that they name.
 */
export function parseNarrow(narrow: readonly unknown[], host: string): Term[] {
  const terms = narrow.map((item, index): Term => {
    const { operator, operand, negated } = parseTerm(item, index);
    return { ...nameById(parseAsk(operator, operand), host), negated };
  });
  checkTogether(terms);
  return terms;
}

function nameById(ask: Ask, host: string): Ask {
  const byId = (one: string | number) =>
    typeof one === 'string' ? (parsePlaceholder(one, host) ?? one) : one;
  if ('users' in ask) return { ...ask, users: ask.users.map(byId) };
  return 'user' in ask ? { ...ask, user: byId(ask.user) } : ask;
}

function parseTerm(item: unknown, index: number): Written {
  const invalid = (reason: string) =>
    badRequest(`Invalid narrow[${index}]: Value error, ${reason}`);
  if (Array.isArray(item)) {
    const [operator, operand] = item as unknown[];
    if (item.length !== 2 || typeof operator !== 'string' || typeof operand !== 'string') {
      throw invalid('element is not a string pair');
    }
    return { operator, operand, negated: false };
  }
  if (typeof item !== 'object' || item === null) throw invalid('dict or list required');
  const { operator, operand, negated = false } = item as Record<string, unknown>;
  if (operator === undefined) throw invalid('operator is missing');
  if (operand === undefined) throw invalid('operand is missing');
  if (typeof operator !== 'string') throw invalid('operator is not a string');
  if (typeof negated !== 'boolean') throw invalid('negated is not a boolean');
  return { operator, operand, negated };
}

function parseAsk(operator: string, operand: unknown): Ask {
  switch (operator) {
    case 'channel':
    case 'stream':
      return { operator: 'channel', channel: textOrId(operand) };
    case 'channels':
    case 'streams':
      return { operator: 'channels', which: oneOf(WHICH, operand, 'channels') };
    case 'topic':
    case 'subject':
      return { operator: 'topic', topic: normalizeTopic(text(operand)) };
    case 'sender':
    case 'from':
      return { operator: 'sender', user: textOrId(operand) };
    case 'dm':
    case 'pm-with':
      return { operator: 'dm', ...people(operand) };
    case 'dm-including':
    case 'mentions':
      return { operator, user: textOrId(operand) };
    case 'group-pm-with':
      return { operator: 'group-dm-including', user: textOrId(operand) };
    case 'is':
      return { operator, what: isOperand(operand) };
    case 'has':
      return { operator, what: oneOf(HAS, plural(operand), 'has') };
    case 'in':
      return { operator, where: oneOf(WHERE, operand, 'in') };
    case 'id':
      return { operator, id: messageId(operand, () => badNarrow('Invalid message ID')) };
    case 'with':
      return { operator, id: messageId(operand, () => badNarrow("Invalid 'with' operator")) };
    case 'near':
      return { operator };
    case 'search':
      return { operator, text: searchText(operand) };
    default:
      throw badNarrow(`unknown operator ${operator}`);
  }
}

const WHICH = ['public', 'web-public', 'archived'] as const;
const HAS = ['attachment', 'image', 'link', 'reaction'] as const;
const WHERE = ['home', 'all'] as const;
const IS = [
  'dm',
  'starred',
  'unread',
  'mentioned',
  'alerted',
  'resolved',
  'followed',
  'muted',
] as const;

function isOperand(operand: unknown): IsOperand {
  return oneOf(IS, operand === 'private' ? 'dm' : operand, 'is');
}

/** Older clients send `has:images` for `has:image`. */
const plural = (operand: unknown): unknown =>
  typeof operand === 'string' && operand.endsWith('s') ? operand.slice(0, -1) : operand;

function oneOf<T extends string>(known: readonly T[], operand: unknown, operator: string): T {
  const given = text(operand);
  const found = known.find((one) => one === given);
  if (found === undefined) throw badNarrow(`unknown '${operator}' operand ${given}`);
  return found;
}

function text(operand: unknown): string {
  if (typeof operand !== 'string') throw badRequest('operand is not a string');
  return operand;
}

function textOrId(operand: unknown): string | number {
  if (typeof operand === 'string' || isInteger(operand)) return operand;
  throw badRequest('operand is not a string or integer');
}

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

function searchText(operand: unknown): string {
  const given = text(operand).trim();
  if (given === '') throw badRequest('operand cannot be blank.');
  if (given.length > SEARCH_CHARACTERS_MAX) {
    throw badRequest(`operand is too long (limit: ${SEARCH_CHARACTERS_MAX} characters)`);
  }
  return given;
}

function messageId(operand: unknown, refusal: () => Error): number {
  const id = typeof operand === 'string' && /^\d{1,15}$/.test(operand) ? Number(operand) : operand;
  if (!isInteger(id) || id < 0) throw refusal();
  return id;
}

/** Ids, or addresses separated by commas. */
function people(operand: unknown): { users: (string | number)[]; written: string } {
  if (isInteger(operand)) return { users: [operand], written: String(operand) };
  if (typeof operand === 'string') {
    const users = operand.split(',').map((part) => part.trim());
    return { users: users.filter((part) => part !== ''), written: operand };
  }
  if (Array.isArray(operand) && operand.every(isInteger)) {
    return { users: operand, written: JSON.stringify(operand) };
  }
  throw badRequest('operand is not a string or an integer list');
}

const CHANNEL_OPERATORS: ReadonlySet<string> = new Set(['channel', 'channels', 'topic']);
const DIRECT_OPERATORS: ReadonlySet<string> = new Set(['dm', 'dm-including', 'group-dm-including']);

const isAboutDirect = (term: Term): boolean =>
  DIRECT_OPERATORS.has(term.operator) || (term.operator === 'is' && term.what === 'dm');

function checkSearch(terms: readonly Term[]): void {
  const texts = terms.flatMap((term) => (term.operator === 'search' ? [term.text] : []));
  if (texts.length > SEARCH_TERMS_MAX) {
    throw badNarrow(
      `too many search terms (${texts.length}, limit: ${SEARCH_TERMS_MAX}); several words may stand in one`,
    );
  }
  const phrases = texts.reduce((sum, one) => sum + countLiteral(one), 0);
  if (phrases > SEARCH_PHRASES_MAX) {
    throw badNarrow(`too many phrases in quotes (${phrases}, limit: ${SEARCH_PHRASES_MAX})`);
  }
}

function checkTogether(terms: readonly Term[]): void {
  checkSearch(terms);
  const plain = terms.filter(({ negated }) => !negated);
  if (plain.some(({ operator }) => CHANNEL_OPERATORS.has(operator)) && plain.some(isAboutDirect)) {
    throw badNarrow('No message can be both a channel message and direct message');
  }
  if (terms.filter(({ operator }) => operator === 'with').length > 1) {
    throw badRequest("Invalid narrow operator combination: Duplicate 'with' operators.");
  }
}
