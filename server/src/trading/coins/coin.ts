// A coin and its networks, as clients see them. The capital letters of four network fields are part
// of the given contract.
import { Type, type Static } from 'typebox';
import type { RenderedJson } from '../http/envelope.ts';
import { Count, Decimal } from '../values.ts';

const NetworkStatus = (description: string) =>
  Type.Union([Type.Literal('active'), Type.Literal('paused'), Type.Literal('disabled')], {
    description,
  });
export type NetworkStatus = 'active' | 'paused' | 'disabled';

export const Network = Type.Object(
  {
    NetworkSymbol: Type.String({ description: 'Network symbol.', examples: ['ETH'] }),
    NetworkNameEn: Type.String({ description: 'Network name in English.' }),
    NetworkNameFa: Type.String({ description: 'Network name in Persian.' }),
    isDefault: Type.Boolean({ description: "Whether this is the coin's default network." }),
    tokenNameOnNetwork: Type.String({
      description: "Token name on the network; empty for the network's own coin.",
    }),
    tokenSymbolOnNetwork: Type.String({ description: 'Token symbol on the network.' }),
    addressUrl: Type.String({
      description: 'Block-explorer URL of an address, with the placeholder {address}.',
      examples: ['https://explorer.example/eth/address/{address}'],
    }),
    contractAddressUrl: Type.String({
      description: 'Explorer URL of the contract address; may be empty.',
    }),
    transactionUrl: Type.String({
      description: 'Block-explorer URL of a transaction, with the placeholder {txid}.',
      examples: ['https://explorer.example/eth/tx/{txid}'],
    }),
    contractAddress: Type.String({ description: 'Contract address; may be empty.' }),
    memoRequired: Type.Boolean({ description: 'Whether transfers need a memo or tag.' }),
    memoRegex: Type.String({ description: 'Regular expression for the memo; may be empty.' }),
    addressRegex: Type.String({ description: 'Regular expression that valid addresses match.' }),
    tokenDecimal: Count('Token decimals.'),
    depositFee: Decimal('Deposit fee.'),
    withdrawFee: Decimal('Withdrawal fee, flat per withdrawal.'),
    depositStatus: NetworkStatus('Deposit status.'),
    withdrawStatus: NetworkStatus('Withdrawal status.'),
    minimumDeposit: Decimal('Minimum deposit.'),
    minimumWithdraw: Decimal('Minimum withdrawal.'),
    DepositConfirmationCount: Count('Confirmations that a deposit needs.'),
    withdrawPrecision: Count('Decimal places of withdrawals.'),
  },
  { title: 'Network' },
);
export type Network = Static<typeof Network>;

export const Coin = Type.Object(
  {
    symbol: Type.String({ description: 'Coin symbol.', examples: ['usdt'] }),
    nameEn: Type.String({ description: 'Name in English.', examples: ['Tether'] }),
    nameFa: Type.String({ description: 'Name in Persian.', examples: ['تتر'] }),
    networks: Type.Record(Type.String(), Network, {
      description: 'Map from network symbol to Network; empty for a coin that is on no network.',
    }),
  },
  { title: 'Coin' },
);
export type Coin = Static<typeof Coin>;

export interface CoinList {
  readonly bySymbol: ReadonlyMap<string, Coin>;
  readonly rendered: RenderedJson;
}
