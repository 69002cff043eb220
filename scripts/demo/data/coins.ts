// The demo's coins. The first network of a coin is its default one.
import type { ChainSymbol } from './chains.ts';

export interface DemoNetwork {
  readonly chain: ChainSymbol;
  readonly decimals: number;
  readonly withdrawFee: string;
  readonly minimumDeposit: string;
  readonly minimumWithdraw: string;
  readonly withdrawPrecision: number;
  /** Absent for the native coin of the chain. */
  readonly token?: { readonly name: string; readonly symbol: string; readonly contract: string };
  readonly withdrawStatus?: 'active' | 'paused';
}

export interface DemoCoin {
  readonly symbol: string;
  readonly nameEn: string;
  readonly nameFa: string;
  readonly networks: readonly DemoNetwork[];
  /** What each demo trader has, in whole coins. */
  readonly traderFunds: number;
}

const token = (name: string, symbol: string, contract: string) => ({ name, symbol, contract });

/** Fee, smallest deposit, smallest withdrawal, and the decimals of a withdrawal. */
const limits = (
  withdrawFee: string,
  minimumDeposit: string,
  minimumWithdraw: string,
  withdrawPrecision: number,
) => ({ withdrawFee, minimumDeposit, minimumWithdraw, withdrawPrecision });

export const COINS: readonly DemoCoin[] = [
  {
    symbol: 'btc',
    nameEn: 'Bitcoin',
    nameFa: 'بیت‌کوین',
    traderFunds: 25,
    networks: [
      { chain: 'BTC', decimals: 8, ...limits('0.0001', '0.0001', '0.0005', 8) },
      {
        chain: 'BSC',
        decimals: 18,
        ...limits('0.00001', '0.0001', '0.0002', 8),
        token: token('BTCB Token', 'BTCB', '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c'),
      },
    ],
  },
  {
    symbol: 'eth',
    nameEn: 'Ethereum',
    nameFa: 'اتریوم',
    traderFunds: 400,
    networks: [
      { chain: 'ETH', decimals: 18, ...limits('0.0012', '0.001', '0.005', 8) },
      { chain: 'ARBITRUM', decimals: 18, ...limits('0.0001', '0.001', '0.001', 8) },
      {
        chain: 'BSC',
        decimals: 18,
        ...limits('0.00005', '0.001', '0.001', 8),
        token: token(
          'Binance-Peg Ethereum Token',
          'ETH',
          '0x2170Ed0880ac9A755fd29B2688956BD959F933F8',
        ),
      },
    ],
  },
  {
    symbol: 'usdt',
    nameEn: 'Tether',
    nameFa: 'تتر',
    traderFunds: 1_500_000,
    networks: [
      {
        chain: 'TRX',
        decimals: 6,
        ...limits('1', '1', '5', 6),
        token: token('Tether USD', 'USDT', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
      },
      {
        chain: 'ETH',
        decimals: 6,
        ...limits('3.5', '1', '10', 6),
        token: token('Tether USD', 'USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
      },
      {
        chain: 'BSC',
        decimals: 18,
        ...limits('0.3', '1', '5', 8),
        token: token('Tether USD', 'USDT', '0x55d398326f99059fF775485246999027B3197955'),
      },
      {
        chain: 'TON',
        decimals: 6,
        ...limits('0.2', '1', '2', 6),
        token: token('Tether USD', 'USDT', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'),
      },
      {
        chain: 'SOL',
        decimals: 6,
        ...limits('0.5', '1', '5', 6),
        token: token('USDT', 'USDT', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
      },
    ],
  },
  {
    symbol: 'xrp',
    nameEn: 'XRP',
    nameFa: 'ریپل',
    traderFunds: 300_000,
    networks: [
      { chain: 'XRP', decimals: 6, ...limits('0.2', '1', '20', 6) },
      {
        chain: 'BSC',
        decimals: 18,
        ...limits('0.1', '1', '2', 6),
        token: token('Binance-Peg XRP Token', 'XRP', '0x1D2F0da169ceB9fC7B3144628dB156f3F6c60dBE'),
      },
    ],
  },
  {
    symbol: 'ton',
    nameEn: 'Toncoin',
    nameFa: 'تون‌کوین',
    traderFunds: 150_000,
    networks: [
      { chain: 'TON', decimals: 9, ...limits('0.05', '0.1', '0.5', 9) },
      {
        chain: 'ETH',
        decimals: 9,
        ...limits('1.2', '1', '5', 9),
        token: token('Wrapped TON Coin', 'TONCOIN', '0x582d872A1B094FC48F5DE31D3B73F2D9bE47def1'),
        withdrawStatus: 'paused',
      },
    ],
  },
  {
    symbol: 'trx',
    nameEn: 'Tron',
    nameFa: 'ترون',
    traderFunds: 2_000_000,
    networks: [
      { chain: 'TRX', decimals: 6, ...limits('1', '1', '5', 6) },
      {
        chain: 'BSC',
        decimals: 6,
        ...limits('0.5', '1', '5', 6),
        token: token('TRON', 'TRX', '0xCE7de646e7208a4Ef112cb6ed5038FA6cC6b12e3'),
      },
    ],
  },
  {
    symbol: 'sol',
    nameEn: 'Solana',
    nameFa: 'سولانا',
    traderFunds: 6000,
    networks: [
      { chain: 'SOL', decimals: 9, ...limits('0.001', '0.01', '0.05', 8) },
      {
        chain: 'BSC',
        decimals: 18,
        ...limits('0.002', '0.01', '0.05', 8),
        token: token('Binance-Peg SOL Token', 'SOL', '0x570A5D26f7765Ecb712C0924E4De545B89fD43dF'),
      },
    ],
  },
  {
    symbol: 'doge',
    nameEn: 'Dogecoin',
    nameFa: 'دوج‌کوین',
    traderFunds: 2_500_000,
    networks: [
      { chain: 'DOGE', decimals: 8, ...limits('4', '10', '20', 8) },
      {
        chain: 'BSC',
        decimals: 8,
        ...limits('1', '5', '10', 8),
        token: token(
          'Binance-Peg Dogecoin Token',
          'DOGE',
          '0xbA2aE424d960c26247Dd6c32edC70B295c744C43',
        ),
      },
    ],
  },
  {
    symbol: 'ltc',
    nameEn: 'Litecoin',
    nameFa: 'لایت‌کوین',
    traderFunds: 8000,
    networks: [
      { chain: 'LTC', decimals: 8, ...limits('0.001', '0.01', '0.02', 8) },
      {
        chain: 'BSC',
        decimals: 18,
        ...limits('0.0005', '0.01', '0.01', 8),
        token: token(
          'Binance-Peg Litecoin Token',
          'LTC',
          '0x4338665CBB7B2485A8855A139b75D5e34AB0DB94',
        ),
      },
    ],
  },
  {
    // Toman is booked by hand between banks: it has no chain and therefore no network.
    symbol: 'irt',
    nameEn: 'Toman',
    nameFa: 'تومان',
    traderFunds: 90_000_000_000,
    networks: [],
  },
];
