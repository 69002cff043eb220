// A small venue for tests: coins with Persian names, on several networks or none, and markets in several phases.
import type { Insertable } from 'kysely';
import type { Context } from '../platform/context.ts';
import type { CoinNetworks, Coins, Markets } from '../platform/db/schema.generated.ts';

export const EXAMPLE_COINS: readonly Insertable<Coins>[] = [
  { symbol: 'btc', nameEn: 'Bitcoin', nameFa: 'بیت‌کوین' },
  { symbol: 'eth', nameEn: 'Ethereum', nameFa: 'اتریوم' },
  { symbol: 'usdt', nameEn: 'Tether', nameFa: 'تتر' },
  { symbol: 'xrp', nameEn: 'XRP', nameFa: 'ریپل' },
  // An internal unit of account, on no network.
  { symbol: 'irt', nameEn: 'Toman', nameFa: 'تومان' },
];

const explorer = (chain: string) => ({
  addressUrl: `https://explorer.example/${chain}/address/{address}`,
  transactionUrl: `https://explorer.example/${chain}/tx/{txid}`,
});
const ETHER_ADDRESS = '^0x[0-9a-fA-F]{40}$';
const TETHER_ON_ETHER = '0x00000000000000000000000000000000000000aa';
const TETHER_ON_TRON = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf';

export const EXAMPLE_NETWORKS: readonly Insertable<CoinNetworks>[] = [
  {
    coin: 'btc',
    network: 'BTC',
    networkNameEn: 'Bitcoin',
    networkNameFa: 'بیت‌کوین',
    isDefault: true,
    tokenSymbol: 'BTC',
    ...explorer('btc'),
    addressRegex: '^(bc1[0-9a-z]{25,62}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$',
    tokenDecimal: 8,
    withdrawFee: '0.0002',
    minimumDeposit: '0.0001',
    minimumWithdraw: '0.001',
    depositConfirmations: 2,
    withdrawPrecision: 8,
  },
  {
    coin: 'eth',
    network: 'ETH',
    networkNameEn: 'Ethereum',
    networkNameFa: 'اتریوم',
    isDefault: true,
    tokenSymbol: 'ETH',
    ...explorer('eth'),
    addressRegex: ETHER_ADDRESS,
    tokenDecimal: 18,
    withdrawFee: '0.002',
    minimumDeposit: '0.005',
    minimumWithdraw: '0.01',
    depositConfirmations: 12,
    withdrawPrecision: 8,
  },
  {
    coin: 'usdt',
    network: 'ETH',
    networkNameEn: 'Ethereum',
    networkNameFa: 'اتریوم',
    isDefault: true,
    tokenName: 'Tether USD',
    tokenSymbol: 'USDT',
    ...explorer('eth'),
    contractAddress: TETHER_ON_ETHER,
    contractAddressUrl: `https://explorer.example/eth/token/${TETHER_ON_ETHER}`,
    addressRegex: ETHER_ADDRESS,
    tokenDecimal: 6,
    withdrawFee: '3',
    minimumDeposit: '1',
    minimumWithdraw: '10',
    depositConfirmations: 12,
    withdrawPrecision: 6,
  },
  {
    coin: 'usdt',
    network: 'TRX',
    networkNameEn: 'Tron',
    networkNameFa: 'ترون',
    tokenName: 'Tether USD',
    tokenSymbol: 'USDT',
    ...explorer('trx'),
    contractAddress: TETHER_ON_TRON,
    contractAddressUrl: `https://explorer.example/trx/token/${TETHER_ON_TRON}`,
    addressRegex: '^T[1-9A-HJ-NP-Za-km-z]{33}$',
    tokenDecimal: 6,
    withdrawFee: '1',
    withdrawStatus: 'paused',
    minimumDeposit: '1',
    minimumWithdraw: '5',
    depositConfirmations: 20,
    withdrawPrecision: 6,
  },
  {
    coin: 'xrp',
    network: 'XRP',
    networkNameEn: 'XRP Ledger',
    networkNameFa: 'دفتر ریپل',
    isDefault: true,
    tokenSymbol: 'XRP',
    ...explorer('xrp'),
    memoRequired: true,
    memoRegex: '^[0-9]{1,10}$',
    addressRegex: '^r[1-9A-HJ-NP-Za-km-z]{24,34}$',
    tokenDecimal: 6,
    withdrawFee: '0.2',
    depositStatus: 'disabled',
    minimumDeposit: '1',
    minimumWithdraw: '20',
    depositConfirmations: 1,
    withdrawPrecision: 6,
  },
];

export const EXAMPLE_MARKETS: readonly Insertable<Markets>[] = [
  {
    symbol: 'btcusdt',
    base: 'btc',
    quote: 'usdt',
    basePrecision: 6,
    quotePrecision: 2,
    minimumQuoteSize: '5',
    maxMarketOrderAsk: '10',
    maxMarketOrderBid: '500000',
    phase: 'continuous',
  },
  {
    symbol: 'btcirt',
    base: 'btc',
    quote: 'irt',
    basePrecision: 6,
    quotePrecision: 0,
    minimumQuoteSize: '100000',
    maxMarketOrderAsk: '2.5',
    maxMarketOrderBid: '9000000000',
    phase: 'halted',
  },
  {
    symbol: 'ethusdt',
    base: 'eth',
    quote: 'usdt',
    basePrecision: 5,
    quotePrecision: 2,
    minimumQuoteSize: '5',
    maxMarketOrderAsk: '200',
    maxMarketOrderBid: '500000',
    phase: 'post_only',
  },
  {
    symbol: 'xrpusdt',
    base: 'xrp',
    quote: 'usdt',
    basePrecision: 1,
    quotePrecision: 4,
    minimumQuoteSize: '5',
    maxMarketOrderAsk: '100000',
    maxMarketOrderBid: '50000',
    phase: 'delisted',
  },
];

export async function exampleVenue(ctx: Context): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    await tx.insertInto('coins').values(EXAMPLE_COINS).execute();
    for (const network of EXAMPLE_NETWORKS) {
      await tx.insertInto('coinNetworks').values(network).execute();
    }
    await tx.insertInto('markets').values(EXAMPLE_MARKETS).execute();
  });
}
