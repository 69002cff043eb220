import type { Network } from '../../trading/coins/coin.ts';
import type { MarketOverview } from '../../trading/tickers/overview.ts';

/** A market for tests of pages. */
export const overviewOf = (change: Partial<MarketOverview>): MarketOverview => ({
  symbol: 'btcusdt',
  base: 'btc',
  quote: 'usdt',
  nameEn: 'Bitcoin',
  nameFa: 'بیت‌کوین',
  phase: 'continuous',
  phaseReason: '',
  last: '64210.50',
  high: '65010.00',
  low: '62980.10',
  changePercent: '1.24',
  volume: '1284.512',
  total: '82475839.12345',
  lastUnits: 64_210n * 10n ** 18n,
  totalUnits: 82_475_839n * 10n ** 18n,
  closes: [],
  ...change,
});

/** A network for tests of pages, with one text everywhere. */
export const networkOf = (text: string): Network => ({
  NetworkSymbol: text,
  NetworkNameEn: text,
  NetworkNameFa: text,
  isDefault: true,
  tokenNameOnNetwork: text,
  tokenSymbolOnNetwork: text,
  addressUrl: text,
  contractAddressUrl: '',
  transactionUrl: text,
  contractAddress: text,
  memoRequired: true,
  memoRegex: text,
  addressRegex: text,
  tokenDecimal: text,
  depositFee: text,
  withdrawFee: text,
  depositStatus: 'active',
  withdrawStatus: 'paused',
  minimumDeposit: text,
  minimumWithdraw: text,
  DepositConfirmationCount: text,
  withdrawPrecision: text,
});
