// Templates for `--file`, filled in, so that only the values have to be changed.
import type { Coin } from '../../../trading/coins/coin.ts';
import type { MarketTerms } from '../../../trading/operators/market-terms.ts';

export const COIN_TEMPLATE: Coin = {
  symbol: 'btc',
  nameEn: 'Bitcoin',
  nameFa: 'بیت‌کوین',
  networks: {
    BTC: {
      NetworkSymbol: 'BTC',
      NetworkNameEn: 'Bitcoin',
      NetworkNameFa: 'بیت‌کوین',
      isDefault: true,
      tokenNameOnNetwork: '',
      tokenSymbolOnNetwork: 'BTC',
      addressUrl: 'https://mempool.space/address/{address}',
      contractAddressUrl: '',
      transactionUrl: 'https://mempool.space/tx/{txid}',
      contractAddress: '',
      memoRequired: false,
      memoRegex: '',
      addressRegex: '^(bc1[ac-hj-np-z02-9]{11,71}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$',
      tokenDecimal: '8',
      depositFee: '0',
      withdrawFee: '0.0001',
      depositStatus: 'active',
      withdrawStatus: 'active',
      minimumDeposit: '0.0001',
      minimumWithdraw: '0.0005',
      DepositConfirmationCount: '2',
      withdrawPrecision: '8',
    },
  },
};

export const MARKET_TEMPLATE: MarketTerms = {
  base: 'btc',
  quote: 'usdt',
  basePrecision: 6,
  quotePrecision: 2,
  minimumQuoteSize: '5',
  maxMarketOrderAsk: '5',
  maxMarketOrderBid: '500000',
  listingPrice: '64000',
};

/** As a file has it. */
export const renderTemplate = (template: Coin | MarketTerms): string =>
  JSON.stringify(template, null, 2);
