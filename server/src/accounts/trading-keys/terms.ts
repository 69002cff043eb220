// Which terms an owner may give a key. Pure.
import { DAY_MS } from '../../platform/std/time.ts';
import { badTerm } from './errors.ts';
import { parseRanges } from './ranges.ts';
import type { KeyTerms } from './store.ts';

/** A key that may trade from anywhere expires unless it is renewed. */
export const UNBOUND_TRADE_DAYS = 90;
const EXPIRE_DAYS_MAX = 365;

/** `expiresAt` undefined: as late as the other terms allow. */
export type AskedTerms = Omit<KeyTerms, 'expiresAt'> & {
  readonly expiresAt: Date | null | undefined;
};

export const isUnboundTrade = ({
  permissions,
  ipAllowlist,
}: Pick<KeyTerms, 'permissions' | 'ipAllowlist'>): boolean =>
  permissions.includes('trade') && ipAllowlist.length === 0;

/** The terms in their one spelling; throws at the first that cannot be. `isNewEnd` is false for an end that stays. */
export function checkTerms(asked: AskedTerms, nowMs: number, isNewEnd: boolean): KeyTerms {
  const ipAllowlist = parseRanges(asked.ipAllowlist);
  const permissions = [...new Set(asked.permissions)];
  const terms = { ...asked, permissions, ipAllowlist, markets: [...new Set(asked.markets)] };
  if (permissions.includes('withdraw') && ipAllowlist.length === 0) {
    throw badTerm(
      'PARAMETER_CONFLICT',
      'ipAllowlist',
      'A key that may withdraw needs a list of addresses from which it may be used.',
    );
  }
  return { ...terms, expiresAt: endOf(terms, nowMs, isNewEnd) };
}

function endOf(terms: AskedTerms, nowMs: number, isNewEnd: boolean): Date | null {
  const days = isUnboundTrade(terms) ? UNBOUND_TRADE_DAYS : EXPIRE_DAYS_MAX;
  const latest = new Date(nowMs + days * DAY_MS);
  const { expiresAt } = terms;
  if (expiresAt === undefined || expiresAt === null) return isUnboundTrade(terms) ? latest : null;
  if (!isNewEnd) return isUnboundTrade(terms) && expiresAt > latest ? latest : expiresAt;
  if (expiresAt.getTime() > nowMs && expiresAt <= latest) return expiresAt;
  throw badTerm(
    'PARAMETER_RANGE',
    'expireTime',
    isUnboundTrade(terms)
      ? `expireTime must lie within the next ${days} days: a key that may trade from any address is short-lived. With an ipAllowlist it may be ${EXPIRE_DAYS_MAX} days.`
      : `expireTime must lie within the next ${days} days.`,
  );
}
