// What a withdrawal costs, what stands against it, and who has to agree. Pure.
import { LIMITS } from '@rialto/matching';
import type { WithdrawalLimits } from '../../../platform/config/custody-networks.ts';
import { assert } from '../../../platform/std/assert.ts';
import { AMOUNT_DECIMALS, parseAmount } from '../../amount.ts';
import type { Network } from '../../coins/coin.ts';

/** All in units of 10^-18. */
export interface WithdrawTerms {
  readonly fee: bigint;
  readonly minimum: bigint;
  /** Amounts are whole multiples of it. */
  readonly step: bigint;
  readonly automaticMax: bigint;
  readonly oneOperatorMax: bigint;
  readonly familyDayMax: bigint;
}

/** Undefined where the deployment says nothing about the coin, or its fee is finer than a payment: it cannot be withdrawn. */
export function termsOf(
  network: Pick<Network, 'withdrawFee' | 'minimumWithdraw' | 'withdrawPrecision' | 'tokenDecimal'>,
  limits: WithdrawalLimits | undefined,
): WithdrawTerms | undefined {
  if (limits === undefined) return undefined;
  const decimals = Math.min(
    Number(network.withdrawPrecision),
    Number(network.tokenDecimal),
    AMOUNT_DECIMALS,
  );
  const fee = amountOf(network.withdrawFee);
  const step = 10n ** BigInt(AMOUNT_DECIMALS - decimals);
  // What a chain cannot pay exactly is not paid: rounding would be somebody's loss.
  if (fee % step !== 0n) return undefined;
  return {
    fee,
    minimum: amountOf(network.minimumWithdraw),
    step,
    automaticMax: amountOf(limits.automaticMax),
    oneOperatorMax: amountOf(limits.oneOperatorMax),
    familyDayMax: amountOf(limits.familyDayMax),
  };
}

function amountOf(text: string): bigint {
  const units = parseAmount(text);
  assert(units !== undefined, 'terms of a withdrawal are decimal texts', { text });
  return units;
}

/** Within the venue no network is paid. */
export const feeOf = ({ fee }: WithdrawTerms, { isInternal }: { isInternal: boolean }): bigint =>
  isInternal ? 0n : fee;

/** What is wrong with an amount by itself; undefined when nothing is. */
export function whyNotAmount(
  amount: bigint | undefined,
  { step }: WithdrawTerms,
): 'form' | 'range' | 'precision' | undefined {
  if (amount === undefined) return 'form';
  if (amount === 0n || amount > LIMITS.amountMax) return 'range';
  return amount % step === 0n ? undefined : 'precision';
}

/** Up to the first limit nobody, if the address has been trusted for long enough. */
export function approvalsFor(
  amount: bigint,
  { automaticMax, oneOperatorMax }: WithdrawTerms,
  { isTrusted }: { readonly isTrusted: boolean },
): 0 | 1 | 2 {
  if (isTrusted && amount <= automaticMax) return 0;
  return amount <= oneOperatorMax ? 1 : 2;
}

/** Why a withdrawal waits for operators. */
export const WAITS = ['not_in_book', 'amount', 'large_amount', 'screening'] as const;
export type Wait = (typeof WAITS)[number];

/** As far as the limits of now explain what was decided by those of then. */
export function whyWaits(
  {
    amount,
    approvalsNeeded,
    statusReason,
  }: { readonly amount: bigint; readonly approvalsNeeded: number; readonly statusReason: string },
  terms: Pick<WithdrawTerms, 'automaticMax'> | undefined,
  { isInBook }: { readonly isInBook: boolean },
): Wait[] {
  const isLarge = approvalsNeeded > 1;
  const isOver = !isLarge && terms !== undefined && amount > terms.automaticMax;
  return [
    ...(approvalsNeeded > 0 && !isInBook ? (['not_in_book'] as const) : []),
    ...(isOver ? (['amount'] as const) : []),
    ...(isLarge ? (['large_amount'] as const) : []),
    ...(statusReason === 'screening' ? (['screening'] as const) : []),
  ];
}

export const DAY_MS = 24 * 3600 * 1000;

/** A withdrawal of the last 24 hours. */
export interface Recent {
  readonly atMs: number;
  readonly amount: bigint;
}

/** What a family may still withdraw today. */
export const leftOf = (recent: readonly Recent[], { familyDayMax }: WithdrawTerms): bigint => {
  const used = recent.reduce((sum, { amount }) => sum + amount, 0n);
  return used >= familyDayMax ? 0n : familyDayMax - used;
};

/**
 * When so much may be withdrawn: as soon as enough of the recent ones are a day old. Undefined when it is above the limit
 * by itself. `recent` has the oldest first.
 */
export function availableAt(
  amount: bigint,
  recent: readonly Recent[],
  terms: WithdrawTerms,
  nowMs: number,
): number | undefined {
  if (amount > terms.familyDayMax) return undefined;
  let left = leftOf(recent, terms);
  const used = recent.reduce((sum, one) => sum + one.amount, 0n);
  // More was withdrawn than the limit of now: an operator has lowered it.
  if (used > terms.familyDayMax) left = terms.familyDayMax - used;
  if (amount <= left) return nowMs;
  for (const one of recent) {
    left += one.amount;
    if (amount <= left) return one.atMs + DAY_MS;
  }
  return undefined;
}

/** Everything that can stand against a withdrawal, as `withdraw_quote` names it. */
export const CHECKS = [
  'network_active',
  'minimum',
  'funds',
  'not_frozen',
  'address_age',
  'daily_limit',
] as const;
export type CheckName = (typeof CHECKS)[number];

export interface Check {
  readonly name: CheckName;
  readonly ok: boolean;
  /** When it will pass by itself; undefined when it passes, or when waiting does not help. */
  readonly availableAtMs?: number;
}

export interface Facts {
  readonly amount: bigint;
  readonly fee: bigint;
  readonly terms: WithdrawTerms;
  readonly isActive: boolean;
  /** What the account has; undefined where the ledger decides by itself. */
  readonly available?: bigint | undefined;
  readonly frozenUntilMs: number | undefined;
  /** Of the address, if it is in the book. */
  readonly usableAtMs: number | undefined;
  readonly recent: readonly Recent[];
  readonly nowMs: number;
}

/** All checks, in the order in which a request fails by them. */
export function check(facts: Facts): Check[] {
  const { amount, fee, terms, nowMs } = facts;
  const whenMs = availableAt(amount, facts.recent, terms, nowMs);
  return [
    { name: 'network_active', ok: facts.isActive },
    { name: 'minimum', ok: amount >= terms.minimum && amount > fee },
    ...(facts.available === undefined
      ? []
      : [{ name: 'funds' as const, ok: amount <= facts.available }]),
    untilCheck('not_frozen', facts.frozenUntilMs, nowMs),
    untilCheck('address_age', facts.usableAtMs, nowMs),
    whenMs === undefined
      ? { name: 'daily_limit', ok: false }
      : untilCheck('daily_limit', whenMs, nowMs),
  ];
}

const untilCheck = (name: CheckName, untilMs: number | undefined, nowMs: number): Check =>
  untilMs === undefined || untilMs <= nowMs
    ? { name, ok: true }
    : { name, ok: false, availableAtMs: untilMs };
