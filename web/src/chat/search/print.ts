// A search as text, for the address and for the pills; the other way round of parse.ts.
import type { Names } from '../narrow/print.ts';
import type { Term } from '../narrow/terms.ts';

/** `sender:"Reza Ahmadi"`; names where they are known, else ids. */
export function printTerm(term: Term, names: Names): string {
  return `${term.negated ? '-' : ''}${term.operator}:${quote(operandText(term, names))}`;
}

export const printSearch = (terms: readonly Term[], names: Names): string =>
  terms
    .map((term) =>
      term.operator === 'search' && !term.negated ? term.operand : printTerm(term, names),
    )
    .join(' ');

function operandText(term: Term, names: Names): string {
  const nameOf = (id: number | string, find: (id: number) => string | undefined) =>
    typeof id === 'string' ? id : (find(id) ?? String(id));
  switch (term.operator) {
    case 'channel':
      return nameOf(term.operand, names.channelName);
    case 'sender':
    case 'dm-including':
    case 'group-pm-with':
    case 'mentions':
      return nameOf(term.operand, names.personName);
    case 'dm':
      return typeof term.operand === 'string'
        ? term.operand
        : term.operand.map((id) => nameOf(id, names.personName)).join(', ');
    default:
      return String(term.operand);
  }
}

/** There is no way to write a quotation mark inside quotation marks, so it is left out. */
const quote = (text: string): string =>
  /^[^\s"]+$/.test(text) ? text : `"${text.replaceAll('"', '')}"`;
