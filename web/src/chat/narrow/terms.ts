// What a view shows, as terms that a message must meet. The words are those of the API.

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
const HAS = ['attachment', 'image', 'link', 'reaction'] as const;
const IN = ['home', 'all'] as const;
const CHANNELS = ['public', 'web-public', 'archived'] as const;

export type IsOperand = (typeof IS)[number];
export type HasOperand = (typeof HAS)[number];
type PersonOperator = 'sender' | 'dm-including' | 'group-pm-with' | 'mentions';

/** A number is an id; a text is a name or an address, as old links have it. */
export type Asked =
  | { readonly operator: 'channel'; readonly operand: number | string }
  | { readonly operator: 'topic'; readonly operand: string }
  | { readonly operator: 'dm'; readonly operand: readonly number[] | string }
  | { readonly operator: PersonOperator; readonly operand: number | string }
  | { readonly operator: 'is'; readonly operand: IsOperand }
  | { readonly operator: 'has'; readonly operand: HasOperand }
  | { readonly operator: 'in'; readonly operand: (typeof IN)[number] }
  | { readonly operator: 'channels'; readonly operand: (typeof CHANNELS)[number] }
  | { readonly operator: 'id' | 'with'; readonly operand: number }
  | { readonly operator: 'search'; readonly operand: string };

export type Term = Asked & { readonly negated: boolean };

/** `near` is no condition: it says at which message the view opens. */
export interface Narrow {
  readonly terms: readonly Term[];
  readonly near?: number;
}

export type Operator = Asked['operator'];

/** The words that links and searches use for an operator, old ones included. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  channel: 'channel',
  stream: 'channel',
  channels: 'channels',
  streams: 'channels',
  topic: 'topic',
  subject: 'topic',
  dm: 'dm',
  'pm-with': 'dm',
  'dm-including': 'dm-including',
  'group-pm-with': 'group-pm-with',
  sender: 'sender',
  from: 'sender',
  mentions: 'mentions',
  is: 'is',
  has: 'has',
  in: 'in',
  id: 'id',
  with: 'with',
  search: 'search',
};

export const findOperator = (word: string): Operator | undefined =>
  Object.hasOwn(OPERATORS, word) ? OPERATORS[word] : undefined;

/** The operands of operators that have a fixed set of them. */
export const OPERANDS = { is: IS, has: HAS, in: IN, channels: CHANNELS } as const;

/** The term of an operator whose operand is one of a few words; undefined for any other word. */
export function wordTerm(operator: keyof typeof OPERANDS, word: string): Asked | undefined {
  switch (operator) {
    case 'is': {
      const operand = oneOf(IS, word === 'private' ? 'dm' : word);
      return operand && { operator, operand };
    }
    case 'has': {
      // Old clients write has:images for has:image.
      const operand = oneOf(HAS, word.endsWith('s') ? word.slice(0, -1) : word);
      return operand && { operator, operand };
    }
    case 'in': {
      const operand = oneOf(IN, word);
      return operand && { operator, operand };
    }
    case 'channels': {
      const operand = oneOf(CHANNELS, word);
      return operand && { operator, operand };
    }
  }
}

function oneOf<T extends string>(known: readonly T[], word: string): T | undefined {
  return known.find((one) => one === word);
}
