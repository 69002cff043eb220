// Planted bugs in replacements, in amendments with an id, and in the tiers of families.

import type { Mutant } from './mutant.ts';

export const REPLACING_MUTANTS: readonly Mutant[] = [
  {
    name: 'the tier of a family skips its members',
    file: 'core/accounts.ts',
    search: 'for (const member of familyOf(s, findAccount(s, id)!)) {',
    replace: 'for (const member of [findAccount(s, id)!]) {',
  },
  {
    name: 'a family is announced with its new tier and pays by that of yesterday',
    file: 'core/accounts.ts',
    search: 'member.tier = tier;\n      writeAccount(s, member);',
    replace:
      'const before = member.tier;\n      member.tier = tier;\n      writeAccount(s, member);\n      member.tier = before;',
  },
  {
    name: 'tiers before a wrong entry are set',
    file: 'core/accounts.ts',
    search: 'named.add(id);',
    replace: 'named.add(id);\n    account.tier = s.tiers.get(tier)!;',
  },
  {
    name: 'a restored state has lost its families',
    file: 'snapshot.ts',
    search: 'addAccount(s, account);',
    replace: 's.accounts.push(account);\n    s.accountIndex.set(id, index);',
  },
  {
    name: 'a replacement that is repeated cancels a second order',
    file: 'core/replace.ts',
    search: 'if (old === NONE || isFinal(s.pool.u32[old * CELLS * 2 + STATUS]!)) return known;',
    replace:
      'if (old === NONE || isFinal(s.pool.u32[old * CELLS * 2 + STATUS]!)) return known;\n' +
      "  cancelOne(s, c.account, c, undefined, undefined, 'user');\n  return known;",
  },
  {
    name: 'a replacement places although nothing was canceled',
    file: 'core/replace.ts',
    search: "if (c.mode === 'stop_on_failure') {",
    replace: "if (c.mode === 'stop_on_failure' && old.slot === NONE) {",
  },
  {
    name: 'a replacement is canceled before the client id of the new order is looked up',
    file: 'core/replace.ts',
    search: 'const known = findKnown(s, c);',
    replace:
      "cancelOne(s, c.account, c, undefined, undefined, 'user');\n  const known = findKnown(s, c);",
  },
  {
    name: 'the id of an amendment answers for other terms',
    file: 'core/amend-ids.ts',
    search: 'if (terms.slice(1) !== termsOf(c))',
    replace: 'if (terms === termsOf(c))',
  },
  {
    name: 'a repeated amendment with the same number written otherwise is a conflict',
    file: 'core/amend-ids.ts',
    search: 'while (places > 0 && digits !== 0 && digits % 10 === 0) {',
    replace: 'while (places > 99) {',
  },
  {
    name: 'an order remembers the oldest ids of its amendments, not the newest',
    file: 'core/amend-ids.ts',
    search: 'if (made.length > LIMITS.amendIdsMax) made.shift();',
    replace: 'if (made.length > LIMITS.amendIdsMax) made.pop();',
  },
  {
    name: 'a refused amendment is remembered',
    file: 'core/amend.ts',
    search: "if (typeof result !== 'boolean') {",
    replace:
      "if (typeof result !== 'boolean') {\n    if (slot !== NONE && s.rules >= 4) rememberAmendment(s, slot, c, false);",
  },
  {
    name: 'a forgotten order leaves the ids of its amendments behind',
    file: 'core/finish.ts',
    search: 'if (s.amendments.size > 0) s.amendments.delete(String(f64[oldest * CELLS + ID]!));',
    replace: '',
  },
  {
    name: 'a snapshot forgets the ids of amendments',
    file: 'snapshot.ts',
    search: 'w.whole(s.amendments.size);\n  for (const [order, entries] of s.amendments) {',
    replace: 'w.whole(0);\n  for (const [order, entries] of [] as [string, string[]][]) {',
  },
];
