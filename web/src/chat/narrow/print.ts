// Writes `#narrow/…` as the server and Zulip's clients do.
import { encodeComponent, encodeName, encodeSlug } from './encoding.ts';
import type { Narrow, Term } from './terms.ts';

/** Names make an address readable. They mean nothing: the id before them does. */
export interface Names {
  channelName(id: number): string | undefined;
  personName(id: number): string | undefined;
}

const NO_NAMES: Names = { channelName: () => undefined, personName: () => undefined };

export function printNarrow(narrow: Narrow, names: Names = NO_NAMES): string {
  const terms = narrow.terms.map(
    (term) => `/${term.negated ? '-' : ''}${term.operator}/${printOperand(term, names)}`,
  );
  const near = narrow.near === undefined ? '' : `/near/${narrow.near}`;
  return `#narrow${terms.join('')}${near}`;
}

function printOperand(term: Term, names: Names): string {
  switch (term.operator) {
    case 'channel':
      return slugOr(term.operand, names.channelName);
    case 'sender':
    case 'dm-including':
    case 'group-pm-with':
    case 'mentions':
      return slugOr(term.operand, names.personName);
    case 'dm':
      return typeof term.operand === 'string'
        ? encodeName(term.operand)
        : `${term.operand.join(',')}-${term.operand.length > 2 ? 'group' : 'dm'}`;
    default:
      return encodeComponent(String(term.operand));
  }
}

function slugOr(operand: number | string, nameOf: (id: number) => string | undefined): string {
  if (typeof operand === 'string') return encodeName(operand);
  const name = nameOf(operand);
  return name === undefined ? String(operand) : `${operand}-${encodeSlug(name)}`;
}
