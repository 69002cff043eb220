// What an operator can request from the engine, each with its name in the audit log.
import type { MarketConfig, OwnerRef } from '@rialto/matching';
import { formatAmount, parseAmount } from '../amount.ts';
import { PHASES } from '../markets/market.ts';
import type { Act } from './command-row.ts';
import { termRefused } from './errors.ts';

export const createMarket = (config: MarketConfig): Act => ({
  act: 'market create',
  subject: config.symbol,
  command: { type: 'create_market', config },
});

export const configureMarket = (config: MarketConfig): Act => ({
  act: 'market configure',
  subject: config.symbol,
  command: { type: 'configure_market', config },
});

/** With `until`, in milliseconds since the epoch, an auction ends by itself. */
export function setPhase(symbol: string, phase: string, reason = '', until?: number): Act {
  const known = PHASES.find((one) => one === phase);
  if (known === undefined) throw termRefused('phase', `one of ${PHASES.join(', ')}`, phase);
  return {
    act: 'market phase',
    subject: symbol,
    reason,
    command: {
      type: 'set_phase',
      symbol,
      phase: known,
      ...(until === undefined ? {} : { until }),
    },
  };
}

export const suspendAccount = (account: number, cancelOrders: boolean, reason: string): Act => ({
  act: 'account suspend',
  subject: `account ${account}`,
  reason,
  command: { type: 'suspend_account', account, suspended: true, cancelOrders },
});

export const resumeAccount = (account: number, reason: string): Act => ({
  act: 'account resume',
  subject: `account ${account}`,
  reason,
  command: { type: 'suspend_account', account, suspended: false, cancelOrders: false },
});

/** Of one market, or of all. */
export const cancelOrdersOf = (
  account: number,
  symbol: string | undefined,
  reason: string,
): Act => ({
  act: 'account cancel_orders',
  subject: `account ${account}`,
  reason,
  command: {
    type: 'cancel_all',
    account,
    ...(symbol === undefined ? {} : { symbol }),
    reason: 'admin',
  },
});

/**
 * Orders of all accounts, in one market. The market's phase decides whether it takes new ones
 * meanwhile.
 */
export const cancelOrdersIn = (symbol: string, reason: string): Act => ({
  act: 'market cancel_orders',
  subject: symbol,
  reason,
  command: { type: 'cancel_market', symbol, reason: 'admin' },
});

/** The tier of a whole family, which is named by its main account. */
export const setFeeTier = (
  act: 'fees set_tier' | 'fees pin',
  {
    account,
    tier,
    day,
    reason = '',
  }: { account: number; tier: number; day: number; reason?: string },
): Act => ({
  act,
  subject: `account ${account}`,
  reason,
  command: { type: 'set_fee_tiers', day, tiers: [{ account, tier }] },
});

export interface Adjustment {
  /** Identifies the movement: the same id never moves money twice. */
  readonly id: string;
  readonly from: OwnerRef;
  readonly to: OwnerRef;
  readonly coin: string;
  /** A decimal text in whole coins. */
  readonly amount: string;
  readonly reason: string;
}

/** Moves existing money from one ledger account to another. Two operators must approve. */
export function adjustLedger({ id, from, to, coin, amount, reason }: Adjustment): Act {
  const units = toUnits(amount);
  return {
    act: 'ledger credit',
    subject: `${formatAmount(units)} ${coin} from ${from} to ${to}`,
    reason,
    needsApproval: true,
    command: { type: 'adjust', adjustmentId: id, from, to, coin, amount: units },
  };
}

export interface Capital {
  /** Identifies the movement; contributions and withdrawals share their ids. */
  readonly id: string;
  readonly coin: string;
  readonly network: string;
  /** A decimal text in whole coins. */
  readonly amount: string;
  readonly reason: string;
}

/** Books capital that the venue's owners have sent to its custody. Two operators must approve. */
export function contributeCapital({ id, coin, network, amount, reason }: Capital): Act {
  const units = toUnits(amount);
  return {
    act: 'ledger contribute',
    subject: `${formatAmount(units)} ${coin} over ${network} to capital`,
    reason,
    needsApproval: true,
    command: { type: 'contribute_capital', contributionId: id, coin, network, amount: units },
  };
}

/** Books capital that was sent out of custody to the venue's owners. Two operators must approve. */
export function withdrawCapital({ id, coin, network, amount, reason }: Capital): Act {
  const units = toUnits(amount);
  return {
    act: 'ledger take_out',
    subject: `${formatAmount(units)} ${coin} over ${network} from capital`,
    reason,
    needsApproval: true,
    command: { type: 'withdraw_capital', contributionId: id, coin, network, amount: units },
  };
}

function toUnits(amount: string): bigint {
  const units = parseAmount(amount);
  if (units === undefined || units === 0n) {
    throw termRefused('amount', 'a decimal number above zero such as 12.5', amount);
  }
  return units;
}
