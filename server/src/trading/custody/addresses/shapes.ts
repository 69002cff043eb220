import { Type, type Static } from 'typebox';
import { Count, Decimal, Millis, toMillis } from '../../values.ts';
import type { DepositPlace } from './access.ts';
import type { AddressRow } from './address.ts';

export const NetworkSymbol = Type.String({
  maxLength: 32,
  description: 'Network symbol, as `coins_info` lists it. Letter case matters.',
  examples: ['LTC'],
});

export const DepositAddress = Type.Object(
  {
    coin: Type.String({ description: 'Coin symbol.', examples: ['ltc'] }),
    network: Type.String({ description: 'Network symbol.', examples: ['LTC'] }),
    address: Type.String({
      description: 'Where to send the coin. It stays valid, also when there is a newer one.',
      examples: ['ltc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    }),
    memo: Type.String({ description: 'The memo or tag that a transfer needs; may be empty.' }),
    memoRequired: Type.Boolean({ description: 'Whether transfers need the memo.' }),
    minimumDeposit: Decimal('Less than this is kept until the sum of such deposits reaches it.'),
    depositConfirmationCount: Count('Confirmations that a deposit needs.'),
    isActive: Type.Boolean({
      description:
        'False while deposits of the network are paused: what comes in is credited afterwards.',
    }),
    createdAt: Millis('When the account got the address.'),
  },
  { title: 'DepositAddress' },
);
export type DepositAddress = Static<typeof DepositAddress>;

export function toDepositAddress(
  { coin, network, isActive }: DepositPlace,
  { address, memo, createdAt }: AddressRow,
): DepositAddress {
  return {
    coin: coin.symbol,
    network: network.NetworkSymbol,
    address,
    memo,
    memoRequired: network.memoRequired,
    minimumDeposit: network.minimumDeposit,
    depositConfirmationCount: network.DepositConfirmationCount,
    isActive,
    createdAt: toMillis(createdAt),
  };
}
