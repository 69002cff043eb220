// What could come next in the search box, for the word that is being typed.
import { fold } from '../../i18n/fold.ts';
import { channels, people } from '../../state/select.ts';
import type { State } from '../../state/state.ts';
import { findOperator, OPERANDS, type Operator } from '../narrow/terms.ts';

export interface Suggestion {
  /** Takes the place of the last word. */
  readonly text: string;
  readonly operator: Operator;
  /** Undefined: the operator alone, whose operand is typed next. */
  readonly operand: string | undefined;
  readonly negated: boolean;
}

const SUGGESTIONS_MAX = 8;

/** In the order in which people need them. */
const OFFERED: readonly Operator[] = [
  'channel',
  'topic',
  'sender',
  'is',
  'has',
  'dm',
  'mentions',
  'dm-including',
];

export function suggest(text: string, state: State): Suggestion[] {
  const [word = ''] = /\S*$/.exec(text) ?? [];
  const negated = word.startsWith('-');
  const bare = negated ? word.slice(1) : word;
  const colon = bare.indexOf(':');
  const minus = negated ? '-' : '';
  if (colon < 0) {
    return OFFERED.filter((operator) => operator.startsWith(bare.toLowerCase())).map(
      (operator) => ({ text: `${minus}${operator}:`, operator, operand: undefined, negated }),
    );
  }
  const operator = findOperator(bare.slice(0, colon).toLowerCase());
  if (operator === undefined) return [];
  const wanted = fold(bare.slice(colon + 1).replace(/^["#@]+/, ''));
  return operandsOf(operator, wanted, state).map((operand) => ({
    text: `${minus}${operator}:${/\s/.test(operand) ? `"${operand}"` : operand} `,
    operator,
    operand,
    negated,
  }));
}

function operandsOf(operator: Operator, wanted: string, state: State): string[] {
  const fits = (text: string) => {
    const folded = fold(text);
    return folded.startsWith(wanted) || folded.includes(` ${wanted}`);
  };
  const firstFew = (texts: Iterable<string>) => {
    const found: string[] = [];
    for (const text of texts) {
      if (fits(text)) found.push(text);
      if (found.length === SUGGESTIONS_MAX) break;
    }
    return found;
  };
  switch (operator) {
    case 'channel':
      return firstFew(channels(state).map(({ name }) => name));
    case 'sender':
    case 'mentions':
    case 'dm':
    case 'dm-including':
    case 'group-pm-with':
      return firstFew(people(state).map(({ fullName }) => fullName));
    case 'is':
    case 'has':
    case 'in':
    case 'channels':
      return firstFew(OPERANDS[operator]);
    default:
      return [];
  }
}
