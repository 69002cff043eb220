// Planted bugs in reversed deposits and in what networks charge.

import type { Mutant } from './mutant.ts';

const CUSTODY = 'core/custody.ts';
const MONEY = 'core/money.ts';

export const CUSTODY_MUTANTS: readonly Mutant[] = [
  {
    name: 'a reversal takes what the account does not have',
    file: CUSTODY,
    search: 'const own = smaller(amount, availableOf(s, account, coin));',
    replace: 'const own = amount;',
  },
  {
    name: 'a reversal leaves the account one unit',
    file: CUSTODY,
    search: 'const own = smaller(amount, availableOf(s, account, coin));',
    replace:
      'const had = availableOf(s, account, coin);\n  const own = smaller(amount, had > 0n ? had - 1n : had);',
  },
  {
    name: 'a reversal is covered although nobody asked for that',
    file: CUSTODY,
    search: 'cover && account !== s.adjustments',
    replace: 'account !== s.adjustments',
  },
  {
    name: 'adjustments cover their own reversal',
    file: CUSTODY,
    search: 'cover && account !== s.adjustments',
    replace: 'cover',
  },
  {
    name: 'a cover pays the whole amount, not the rest',
    file: CUSTODY,
    search: 'smaller(amount - own, availableOf(s, s.adjustments, coin))',
    replace: 'smaller(amount, availableOf(s, s.adjustments, coin))',
  },
  {
    name: 'custody is credited with what was asked for, not with what was taken',
    file: CUSTODY,
    search: 'postCustody(s, network, coin, taken);',
    replace: 'postCustody(s, network, coin, amount);',
  },
  {
    name: 'a reversal leaves custody as it was',
    file: CUSTODY,
    search: 'postCustody(s, network, coin, taken);',
    replace: '',
  },
  {
    name: 'a reversal that took nothing leaves no trace',
    file: CUSTODY,
    search: 'writeNote(s, tape.NOTE_REVERSAL,',
    replace: 'if (taken > 0n) writeNote(s, tape.NOTE_REVERSAL,',
  },
  {
    name: 'a reversal that took nothing is not remembered',
    file: MONEY,
    search: "if (c.type !== 'request_withdrawal') rememberCause(",
    replace: "if (c.type !== 'request_withdrawal' && made !== 0n) rememberCause(",
  },
  {
    name: 'a reversal sent twice takes twice',
    file: MONEY,
    search: "if (c.type !== 'request_withdrawal') rememberCause(",
    replace: "if (c.type !== 'request_withdrawal' && c.type !== 'reverse_deposit') rememberCause(",
  },
  {
    name: 'a repeated reversal says that nothing was missing',
    file: MONEY,
    search: 'taken: BigInt(terms.slice(at + 1)) };',
    replace: 'taken: c.amount };',
  },
  {
    name: 'the parts of a reversal share one cause',
    file: CUSTODY,
    search: '`${network}:${depositId}:${part}`',
    replace: '`${network}:${depositId}:${part > 0 ? 1 : 0}`',
  },
  {
    name: 'a reversal has no last part',
    file: CUSTODY,
    search: ' || c.part > LIMITS.reversalPartMax',
    replace: '',
  },
  {
    name: 'a deposit of the fees is reversed',
    file: CUSTODY,
    search: "!['fees', 'capital'].includes(String(c.account))",
    replace: "!['capital'].includes(String(c.account))",
  },
  {
    name: 'a reversal happens under rules that do not know it',
    file: 'core/apply.ts',
    search: 'if (s.rules >= 5) move(s, c);',
    replace: 'if (s.rules >= 2) move(s, c);',
  },
  {
    name: 'a chain cost sent twice is paid twice',
    file: MONEY,
    search: "if (c.type !== 'request_withdrawal') rememberCause(",
    replace: "if (c.type !== 'request_withdrawal' && c.type !== 'book_chain_cost') rememberCause(",
  },
  {
    name: 'a chain cost may exceed by a unit what there is',
    file: CUSTODY,
    search: 'const available = availableOf(s, s.adjustments, coin);\n  if (amount > available) {',
    replace:
      'const available = availableOf(s, s.adjustments, coin);\n  if (amount > available + 1n) {',
  },
  {
    name: 'a chain cost takes the last unit for one too many',
    file: CUSTODY,
    search: 'const available = availableOf(s, s.adjustments, coin);\n  if (amount > available) {',
    replace: 'const available = availableOf(s, s.adjustments, coin);\n  if (amount >= available) {',
  },
  {
    name: 'a chain cost is paid by the fees',
    file: CUSTODY,
    search: 'take(s, s.adjustments, coin, amount);\n  postCustody',
    replace: 'take(s, s.fees, coin, amount);\n  postCustody',
  },
];
