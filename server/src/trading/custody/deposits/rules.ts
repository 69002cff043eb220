// What becomes of a transfer to an address of the venue. Pure.
import { LIMITS } from '@rialto/matching';
import { assert } from '../../../platform/std/assert.ts';
import { parseAmount } from '../../amount.ts';
import type { Coin } from '../../coins/coin.ts';
import type { NewCommand } from '../../engine/command.ts';
import type { ChainTransfer } from '../chains/chain.ts';
import { toLedgerUnits } from '../chains/units.ts';

/** The terms of one coin on one network, in units of 10^-18. */
export interface CoinTerms {
  readonly coin: string;
  /** Of the token, in lower case; empty for the network's own coin. */
  readonly contract: string;
  readonly decimals: number;
  readonly confirmations: number;
  readonly minimum: bigint;
  readonly fee: bigint;
  readonly isActive: boolean;
}

/** The coins of a network by their contract. */
export function termsOf(coins: readonly Coin[], network: string): ReadonlyMap<string, CoinTerms> {
  const terms = coins.flatMap(({ symbol, networks }): CoinTerms[] => {
    const on = networks[network];
    if (on === undefined) return [];
    return [
      {
        coin: symbol,
        contract: on.contractAddress.toLowerCase(),
        decimals: Number(on.tokenDecimal),
        confirmations: Math.max(1, Number(on.DepositConfirmationCount)),
        minimum: amountOf(on.minimumDeposit),
        fee: amountOf(on.depositFee),
        isActive: on.depositStatus === 'active',
      },
    ];
  });
  return new Map(terms.map((one) => [one.contract, one]));
}

function amountOf(text: string): bigint {
  const units = parseAmount(text);
  assert(units !== undefined, 'terms of a coin are decimal texts', { text });
  return units;
}

export interface Incoming {
  readonly coin: string;
  readonly amount: bigint;
  readonly needed: number;
  /** Why it waits for an operator; empty when it does not. */
  readonly held: '' | 'precision' | 'too_large';
}

/** A transfer in the terms of the venue; undefined for a coin that is not listed. */
export function toIncoming(
  { contract, units, maturity }: Pick<ChainTransfer, 'contract' | 'units' | 'maturity'>,
  terms: ReadonlyMap<string, CoinTerms>,
): Incoming | undefined {
  const coin = terms.get(contract);
  if (coin === undefined) return undefined;
  const amount = toLedgerUnits(units, coin.decimals);
  return {
    coin: coin.coin,
    amount: amount ?? 0n,
    needed: Math.max(coin.confirmations, maturity),
    held: amount === undefined ? 'precision' : amount > LIMITS.amountMax ? 'too_large' : '',
  };
}

/** A deposit that has its confirmations. */
export interface ReadyDeposit {
  readonly depositId: bigint;
  readonly network: string;
  readonly txid: string;
  readonly place: string;
  readonly generation: number;
  readonly coin: string;
  readonly accountId: bigint | null;
  readonly amount: bigint;
}

/**
 * Of an account's confirmed deposits of one coin, whether they are credited: all of them once their sum reaches the
 * minimum, or none.
 */
export const reachesMinimum = (
  deposits: readonly Pick<ReadyDeposit, 'amount'>[],
  { minimum }: Pick<CoinTerms, 'minimum'>,
): boolean => deposits.reduce((sum, { amount }) => sum + amount, 0n) >= minimum;

/** Never more than the deposit itself. */
export const feeOf = (
  { amount }: Pick<ReadyDeposit, 'amount'>,
  { fee }: Pick<CoinTerms, 'fee'>,
): bigint => (fee < amount ? fee : amount);

/** The name of a deposit in the ledger: another one each time that it is credited again. */
export const ledgerIdOf = ({
  txid,
  place,
  generation,
}: Pick<ReadyDeposit, 'txid' | 'place' | 'generation'>): string =>
  `${txid}:${place}${generation === 0 ? '' : `~${generation}`}`;

const ownerOf = ({ accountId }: Pick<ReadyDeposit, 'accountId'>): number | 'suspense' =>
  accountId === null ? 'suspense' : Number(accountId);

export type Reversal = Extract<NewCommand, { type: 'reverse_deposit' }>;

/** A deposit that was credited, and is in no block any more. */
export interface LostDeposit extends ReadyDeposit {
  readonly fee: bigint;
  /** What an earlier part did not find. */
  readonly missing: bigint;
  readonly part: number;
}

/** Takes back what the account got; a later part takes what was missing. */
export const reversalOf = (deposit: LostDeposit, cover: boolean): Reversal => ({
  type: 'reverse_deposit',
  network: deposit.network,
  depositId: ledgerIdOf(deposit),
  part: deposit.part,
  coin: deposit.coin,
  account: ownerOf(deposit),
  amount: deposit.part === 0 ? deposit.amount - deposit.fee : deposit.missing,
  cover,
});

/** The fee was a credit of its own, to the venue. */
export const feeReversalOf = (deposit: LostDeposit): Reversal | undefined =>
  deposit.fee === 0n
    ? undefined
    : {
        type: 'reverse_deposit',
        network: deposit.network,
        depositId: `${ledgerIdOf(deposit)}:fee`,
        part: 0,
        coin: deposit.coin,
        account: 'adjustments',
        amount: deposit.fee,
        cover: false,
      };

type Credit = Extract<NewCommand, { type: 'credit_deposit' }>;

/**
 * What the ledger is told: the credit, and the fee as a credit of its own. The ledger knows each by its id, so that
 * a repeated one moves nothing.
 */
export function creditsOf(deposit: ReadyDeposit, fee: bigint): Credit[] {
  const { network, coin, amount } = deposit;
  const depositId = ledgerIdOf(deposit);
  const base = { type: 'credit_deposit', network, coin } as const;
  const to = ownerOf(deposit);
  const credits: Credit[] = [
    { ...base, depositId, to, amount: amount - fee },
    { ...base, depositId: `${depositId}:fee`, to: 'adjustments', amount: fee },
  ];
  return credits.filter((credit) => credit.amount > 0n);
}
