// The planted bugs of order lists.

export const LIST_MUTANTS = [
  {
    name: 'a leg stays alive when the other one trades',
    file: 'core/execute.ts',
    search: `waits for its price.
  if (u32[word + LINK] !== 0) decide(s, slot);
  if (u32[makerWord + LINK] !== 0) decide(s, makerSlot);`,
    replace: `waits for its price.
  if (u32[word + LINK] !== 0) decide(s, slot);`,
  },
  {
    name: 'a leg stays alive when the other one shrinks',
    file: 'core/execute.ts',
    search: `as the other one.
  if (u32[word + LINK] !== 0) decide(s, slot);
  if (u32[makerWord + LINK] !== 0) decide(s, makerSlot);`,
    replace: 'as the other one.',
  },
  {
    name: 'a leg stays alive when the other one expires',
    file: 'core/finish.ts',
    search: 'if (link !== 0 && !alone) endLegs(s, slot, reason);',
    replace: 'if (link !== 0 && !alone && status !== 5) endLegs(s, slot, reason);',
  },
  {
    name: 'both legs of a list hold',
    file: 'core/place-list.ts',
    search: 'else setZero(s.scratch, CHECK_HOLD);',
    replace: '',
  },
  {
    name: 'a list holds for its cheaper leg',
    file: 'core/place-list.ts',
    search: 'if (compare(s.scratch, CHECK_HOLD, shared, 0) > 0)',
    replace: 'if (compare(s.scratch, CHECK_HOLD, shared, 0) < 0)',
  },
  {
    name: 'a decided list keeps its surplus',
    file: 'core/execute.ts',
    search: `    u32[makerWord + STATUS] = PARTIALLY_FILLED;
    if (u32[makerWord + LINK] !== 0) releaseSurplus(s, market, makerSlot);`,
    replace: '    u32[makerWord + STATUS] = PARTIALLY_FILLED;',
  },
  {
    name: 'a stop runs although its limit leg traded',
    file: 'core/trigger.ts',
    search: 'if (u32[word + STATUS]! >= STATUS_FILLED) continue;',
    replace: '',
  },
  {
    name: 'a stop fires without the hold of its list',
    file: 'core/list.ts',
    search: 'copy(f64, slot * CELLS + HELD, f64, limit * CELLS + HELD);',
    replace: '',
  },
  {
    name: 'a level that a leg leaves and its stop joins is listed twice',
    file: 'core/list.ts',
    search: 's.mayRejoin = true;',
    replace: '',
  },
  {
    name: 'exits begin for what was filled, with the fee',
    file: 'core/finish.ts',
    search: 'BigInt(filled) * unit - toBigint(f64, cell + FEE)',
    replace: 'BigInt(filled) * unit',
  },
  {
    name: 'exits begin twice',
    file: 'core/trigger.ts',
    search: 'for (const slot of s.begun) enqueue(s, slot);',
    replace: 'for (const slot of [...s.begun, ...s.begun]) enqueue(s, slot);',
  },
  {
    name: 'exits begin after an operator ended their entry',
    file: 'core/finish.ts',
    search: 'const isWanted = reason !== REASON_ADMIN && reason !== REASON_CLOSED;',
    replace: 'const isWanted = reason !== REASON_CLOSED;',
  },
  {
    name: 'a stop whose price is passed waits as it begins',
    file: 'core/list.ts',
    search:
      'if (!conditionHolds(type, side, f64[stop * CELLS + STOP]!, market.lastPrice)) return NONE;',
    replace: 'if (type >= 0) return NONE;',
  },
  {
    name: 'a leg of a living list can be amended',
    file: 'core/amend.ts',
    search:
      "if (u32[word + LINK] !== 0 && liveLegs(s, slot).length > 0) return conflict('orderListId');",
    replace: '',
  },
  {
    name: 'a repeated list is compared by one leg',
    file: 'core/place-list.ts',
    search: 'found[k] === NONE || isLeg(',
    replace: 'k !== i || isLeg(',
  },
  {
    name: 'a repeated order is answered with a leg',
    file: 'core/recall.ts',
    search: '!isInList(s.pool.u32[slot * CELLS * 2 + LINK]!) && hasTerms(s, slot, market, terms);',
    replace: 'isInList(0) || hasTerms(s, slot, market, terms);',
  },
  {
    name: 'a snapshot lets waiting exits fire',
    file: 'snapshot.ts',
    search: '      if (!isDormant) waiting',
    replace: '      if (type >= 2) waiting',
  },
  {
    name: 'a finer price forgets the waiting exits',
    file: 'core/admin.ts',
    search: 'if ((u32[leg * CELLS * 2 + FLAGS]! & FLAG_DORMANT) !== 0) slots.push(leg);',
    replace: '',
  },
  {
    name: 'a sweep does not count the legs that end along',
    file: 'core/sweep.ts',
    search: 'const legs = u32[slot * CELLS * 2 + LINK] === 0 ? [] : liveLegs(s, slot);',
    replace: 'const legs: number[] = [];',
  },
] as const;
