// How many sub-accounts a person may have.
import type { Config } from '../../platform/config/schema.ts';

/**
 * Closed ones count too, though more of them are allowed: the engine keeps every account for ever,
 * so opening and closing without end must not be possible.
 */
const LIFETIME_FACTOR = 10;

export const lifetimeMax = (config: Pick<Config, 'TRADING_SUB_ACCOUNTS_MAX'>): number =>
  config.TRADING_SUB_ACCOUNTS_MAX * LIFETIME_FACTOR;
