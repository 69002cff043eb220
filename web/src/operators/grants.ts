// What operators may do, by the grants that the page brought along. The server decides; this only hides what it would
// refuse. Pure.

export type Needed = 'look' | 'support' | 'markets' | 'treasury' | 'everything';

/** The rule of the server: who may act may also look, `everything` covers all, nothing else covers anything but itself. */
export const mayAct = (grants: readonly string[], needed: Needed): boolean =>
  grants.includes(needed) ||
  grants.includes('everything') ||
  (needed === 'look' && grants.length > 0);

const GRANT_OF_NOUN: Readonly<Record<string, Needed>> = {
  coin: 'markets',
  market: 'markets',
  fees: 'markets',
  account: 'support',
  ledger: 'treasury',
};

/** What approving an act takes, by the noun of its name. */
export const grantOfAct = (act: string): Needed =>
  GRANT_OF_NOUN[act.split(' ', 1)[0] ?? ''] ?? 'everything';
