// What is typed into the search box: finished operators become pills, the rest are words.
import { findOperator, wordTerm, type Asked, type Operator, type Term } from '../narrow/terms.ts';

/** Whom and what a name means. Undefined: nobody, or more than one. */
export interface KnownNames {
  findChannel(name: string): number | undefined;
  findPerson(name: string): number | undefined;
}

export interface Absorbed {
  readonly terms: readonly Term[];
  /** What stays in the box. */
  readonly rest: string;
  /** A word like `sender:nobody` that means nothing here. */
  readonly problem: SearchProblem | undefined;
}

export interface SearchProblem {
  readonly operator: Operator;
  readonly operand: string;
}

/** The server takes so many characters of words. */
const WORDS_MAX = 1000;

/** `operator:operand` or `operator:"some words"`, at the start of a word. */
const TOKEN = /(^|\s)(-?)([a-z][a-z-]*):(?:"([^"]*)"|([^\s"]+))(?=\s|$)/gi;

/**
 * Takes finished operators out of a text. While somebody types, the last word is not finished yet: `isDone` says that
 * Enter was pressed.
 */
export function absorb(text: string, known: KnownNames, isDone: boolean): Absorbed {
  const terms: Term[] = [];
  let problem: SearchProblem | undefined;
  const rest = text.replace(
    TOKEN,
    (
      all: string,
      _space: string,
      minus: string,
      word: string,
      quoted?: string,
      bare?: string,
      ...more
    ) => {
      const isLast = (more[0] as number) + all.length === text.length;
      const operator = findOperator(word.toLowerCase());
      // A quotation mark ends an operand; without one, only a space or Enter does.
      if (operator === undefined || (isLast && !isDone && quoted === undefined)) return all;
      const operand = quoted ?? bare ?? '';
      const asked = readOperand(operator, operand, known);
      if (asked === undefined) {
        problem = { operator, operand };
        return all;
      }
      terms.push({ ...asked, negated: minus === '-' });
      return '';
    },
  );
  return { terms, rest: terms.length === 0 ? rest : rest.trimStart(), problem };
}

function readOperand(operator: Operator, operand: string, known: KnownNames): Asked | undefined {
  switch (operator) {
    case 'channel': {
      const id = known.findChannel(operand.replace(/^#/, ''));
      return id === undefined ? undefined : { operator, operand: id };
    }
    case 'sender':
    case 'dm-including':
    case 'group-pm-with':
    case 'mentions': {
      const id = known.findPerson(operand.replace(/^@/, ''));
      return id === undefined ? undefined : { operator, operand: id };
    }
    case 'dm': {
      const ids = operand.split(',').map((name) => known.findPerson(name.trim()));
      const isKnown = ids.every((id) => id !== undefined);
      return isKnown ? { operator, operand: ids.sort((a, b) => a - b) } : undefined;
    }
    case 'topic':
      return { operator, operand };
    case 'search':
      return operand === '' ? undefined : { operator, operand };
    case 'id':
    case 'with':
      return /^\d{1,15}$/.test(operand) ? { operator, operand: Number(operand) } : undefined;
    case 'is':
    case 'has':
    case 'in':
    case 'channels':
      return wordTerm(operator, operand.toLowerCase());
  }
}

/** The terms of pills and words together; words are one search. */
export function searchTerms(pills: readonly Term[], text: string): Term[] {
  const words = text.trim().slice(0, WORDS_MAX);
  return words === ''
    ? [...pills]
    : [...pills, { operator: 'search', operand: words, negated: false }];
}

/** The pills and the words that make a narrow: the other way round. */
export function splitSearch(terms: readonly Term[]): { pills: Term[]; text: string } {
  const isWords = (term: Term) => term.operator === 'search' && !term.negated;
  return {
    pills: terms.filter((term) => !isWords(term)),
    text: terms
      .filter(isWords)
      .map(({ operand }) => String(operand))
      .join(' '),
  };
}
