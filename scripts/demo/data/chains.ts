// The chains that the demo's coins move on. Explorers, address forms and confirmation counts are those
// of the real chains; nothing here ever connects to one.

export interface Chain {
  readonly nameEn: string;
  readonly nameFa: string;
  /** The coin that fees on this chain are paid in. */
  readonly nativeSymbol: string;
  readonly addressUrl: string;
  readonly transactionUrl: string;
  /** Explorer page of a token; `{contract}` is filled in when the world is loaded. */
  readonly contractUrl?: string;
  readonly addressRegex: string;
  readonly memoRegex?: string;
  readonly confirmations: number;
}

const EVM_ADDRESS = '^0x[0-9a-fA-F]{40}$';
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

export const CHAINS = {
  BTC: {
    nameEn: 'Bitcoin',
    nameFa: 'بیت‌کوین',
    nativeSymbol: 'BTC',
    addressUrl: 'https://mempool.space/address/{address}',
    transactionUrl: 'https://mempool.space/tx/{txid}',
    addressRegex: `^(bc1[ac-hj-np-z02-9]{11,71}|[13]${BASE58}{25,34})$`,
    confirmations: 2,
  },
  ETH: {
    nameEn: 'Ethereum (ERC20)',
    nameFa: 'اتریوم (ERC20)',
    nativeSymbol: 'ETH',
    addressUrl: 'https://etherscan.io/address/{address}',
    transactionUrl: 'https://etherscan.io/tx/{txid}',
    contractUrl: 'https://etherscan.io/token/{contract}',
    addressRegex: EVM_ADDRESS,
    confirmations: 12,
  },
  BSC: {
    nameEn: 'BNB Smart Chain (BEP20)',
    nameFa: 'بی‌ان‌بی اسمارت چین (BEP20)',
    nativeSymbol: 'BNB',
    addressUrl: 'https://bscscan.com/address/{address}',
    transactionUrl: 'https://bscscan.com/tx/{txid}',
    contractUrl: 'https://bscscan.com/token/{contract}',
    addressRegex: EVM_ADDRESS,
    confirmations: 15,
  },
  ARBITRUM: {
    nameEn: 'Arbitrum One',
    nameFa: 'آربیتروم وان',
    nativeSymbol: 'ETH',
    addressUrl: 'https://arbiscan.io/address/{address}',
    transactionUrl: 'https://arbiscan.io/tx/{txid}',
    contractUrl: 'https://arbiscan.io/token/{contract}',
    addressRegex: EVM_ADDRESS,
    confirmations: 20,
  },
  TRX: {
    nameEn: 'Tron (TRC20)',
    nameFa: 'ترون (TRC20)',
    nativeSymbol: 'TRX',
    addressUrl: 'https://tronscan.org/#/address/{address}',
    transactionUrl: 'https://tronscan.org/#/transaction/{txid}',
    contractUrl: 'https://tronscan.org/#/token20/{contract}',
    addressRegex: `^T${BASE58}{33}$`,
    confirmations: 19,
  },
  SOL: {
    nameEn: 'Solana',
    nameFa: 'سولانا',
    nativeSymbol: 'SOL',
    addressUrl: 'https://solscan.io/account/{address}',
    transactionUrl: 'https://solscan.io/tx/{txid}',
    contractUrl: 'https://solscan.io/token/{contract}',
    addressRegex: `^${BASE58}{32,44}$`,
    confirmations: 32,
  },
  TON: {
    nameEn: 'The Open Network',
    nameFa: 'شبکهٔ تون',
    nativeSymbol: 'TON',
    addressUrl: 'https://tonviewer.com/{address}',
    transactionUrl: 'https://tonviewer.com/transaction/{txid}',
    contractUrl: 'https://tonviewer.com/{contract}',
    addressRegex: '^[EU]Q[A-Za-z0-9_-]{46}$',
    memoRegex: '^[0-9A-Za-z_-]{1,120}$',
    confirmations: 1,
  },
  XRP: {
    nameEn: 'XRP Ledger',
    nameFa: 'لجر ریپل',
    nativeSymbol: 'XRP',
    addressUrl: 'https://xrpscan.com/account/{address}',
    transactionUrl: 'https://xrpscan.com/tx/{txid}',
    addressRegex: `^r${BASE58}{24,34}$`,
    memoRegex: '^[0-9]{1,10}$',
    confirmations: 1,
  },
  DOGE: {
    nameEn: 'Dogecoin',
    nameFa: 'دوج‌کوین',
    nativeSymbol: 'DOGE',
    addressUrl: 'https://blockchair.com/dogecoin/address/{address}',
    transactionUrl: 'https://blockchair.com/dogecoin/transaction/{txid}',
    addressRegex: `^[DA9]${BASE58}{25,33}$`,
    confirmations: 20,
  },
  LTC: {
    nameEn: 'Litecoin',
    nameFa: 'لایت‌کوین',
    nativeSymbol: 'LTC',
    addressUrl: 'https://blockchair.com/litecoin/address/{address}',
    transactionUrl: 'https://blockchair.com/litecoin/transaction/{txid}',
    addressRegex: `^(ltc1[ac-hj-np-z02-9]{11,71}|[LM3]${BASE58}{25,34})$`,
    confirmations: 6,
  },
} as const satisfies Record<string, Chain>;

export type ChainSymbol = keyof typeof CHAINS;
