// Which grant an act of the venue needs.
import type { Grant } from '../../accounts/operators/grants.ts';

const GRANT_OF_NOUN: Readonly<Record<string, Grant>> = {
  coin: 'markets',
  market: 'markets',
  fees: 'markets',
  account: 'support',
  ledger: 'treasury',
  withdrawal: 'treasury',
  custody: 'treasury',
  reserves: 'treasury',
};

/** By the noun of its name in the audit log. An act that is not listed takes somebody who may do everything. */
export function grantOfAct(act: string): Grant {
  const [noun = ''] = act.split(' ', 1);
  return GRANT_OF_NOUN[noun] ?? 'everything';
}
