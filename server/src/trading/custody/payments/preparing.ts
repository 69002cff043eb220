// What payments are made of, whatever the chain.
import { assert } from '../../../platform/std/assert.ts';
import { formatAmount } from '../../amount.ts';
import { toChainUnits } from '../chains/units.ts';
import type { CoinTerms } from '../deposits/rules.ts';
import type { OwnNetwork } from '../networks.ts';
import type { WithdrawalRow } from '../withdrawals/shapes.ts';
import type { Funds } from './hot.ts';
import type { SignerKeys } from './signer.ts';
import type { PaymentOutput } from './store.ts';

export interface Preparing {
  readonly own: OwnNetwork;
  readonly keys: SignerKeys;
  /** Smallest units by virtual byte, or by gas. */
  readonly rate: bigint;
  /** Of that to who mines (EVM). */
  readonly tip: bigint;
  readonly scannedHeight: number;
  /** By coin. */
  readonly terms: ReadonlyMap<string, CoinTerms>;
  /** Of the hot wallet (EVM): how many transactions of it the chain has, and what is in it. */
  readonly wallet?: { readonly sent: bigint; readonly funds: Funds };
}

/** In the smallest units of the chain. */
export function unitsOf(row: WithdrawalRow, terms: ReadonlyMap<string, CoinTerms>): bigint {
  const coin = terms.get(row.coin);
  assert(coin !== undefined, 'a withdrawal has a coin of its network', { coin: row.coin });
  const units = toChainUnits(row.amount - row.fee, coin.decimals);
  assert(units !== undefined && units > 0n, 'a withdrawal is a whole number of units');
  return units;
}

export const outputOf = (row: WithdrawalRow): PaymentOutput => ({
  withdrawId: row.withdrawId,
  address: row.address,
  coin: row.coin,
  amount: formatAmount(row.amount - row.fee),
});
