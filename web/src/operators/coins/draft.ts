// A coin as an operator writes it: its fields, what each allows, and what differs from before. Pure.
import { decimal, type Coin, type Network } from '@rialto/sdk';

export const TEXTS = [
  'NetworkSymbol',
  'NetworkNameEn',
  'NetworkNameFa',
  'tokenNameOnNetwork',
  'tokenSymbolOnNetwork',
  'addressRegex',
  'memoRegex',
  'contractAddress',
  'addressUrl',
  'transactionUrl',
  'contractAddressUrl',
] as const satisfies readonly (keyof Network)[];
export const NUMBERS = [
  'tokenDecimal',
  'withdrawPrecision',
  'DepositConfirmationCount',
  'minimumDeposit',
  'depositFee',
  'minimumWithdraw',
  'withdrawFee',
] as const satisfies readonly (keyof Network)[];
export const SWITCHES = ['isDefault', 'memoRequired'] as const satisfies readonly (keyof Network)[];
export const STATUSES = [
  'depositStatus',
  'withdrawStatus',
] as const satisfies readonly (keyof Network)[];
export const STATES = ['active', 'paused', 'disabled'] as const;

export type NetworkField =
  | (typeof TEXTS)[number]
  | (typeof NUMBERS)[number]
  | (typeof SWITCHES)[number]
  | (typeof STATUSES)[number];

export interface CoinDraft {
  readonly symbol: string;
  readonly nameEn: string;
  readonly nameFa: string;
  readonly networks: readonly Network[];
}

export const NO_COIN: CoinDraft = { symbol: '', nameEn: '', nameFa: '', networks: [] };

/** Closed, until an operator opens it. */
export const newNetwork = (isDefault: boolean): Network => ({
  ...(Object.fromEntries([...TEXTS, ...NUMBERS].map((field) => [field, ''])) as Record<
    (typeof TEXTS)[number] | (typeof NUMBERS)[number],
    string
  >),
  isDefault,
  memoRequired: false,
  depositStatus: 'disabled',
  withdrawStatus: 'disabled',
  depositFee: '0',
});

export const draftOf = ({ symbol, nameEn, nameFa, networks }: Coin): CoinDraft => ({
  symbol,
  nameEn,
  nameFa,
  networks: Object.values(networks),
});

export type Problem =
  | 'missing'
  | 'coinSymbol'
  | 'coinTaken'
  | 'networkSymbol'
  | 'networkTwice'
  | 'address'
  | 'txid'
  | 'expression'
  | 'notNegative'
  | { readonly min: number; readonly max: number };

const COIN_SYMBOL = /^[a-z0-9]{2,12}$/u;
const NETWORK_SYMBOL = /^[A-Z0-9_]{2,16}$/u;
/** Whole numbers, each with its most. */
const COUNTS: Readonly<Partial<Record<NetworkField, number>>> = {
  tokenDecimal: 24,
  withdrawPrecision: 18,
  DepositConfirmationCount: 1_000_000,
};
/** Without these there is no network. */
export const NEEDED: readonly NetworkField[] = [
  'NetworkSymbol',
  'NetworkNameEn',
  'NetworkNameFa',
  'addressRegex',
  'addressUrl',
  'transactionUrl',
  ...NUMBERS,
];

/** What is wrong with the names; `taken` has the symbols that other coins have. */
export function coinProblems(
  { symbol, nameEn, nameFa }: CoinDraft,
  taken: readonly string[],
): Partial<Record<'symbol' | 'nameEn' | 'nameFa', 'missing' | 'coinSymbol' | 'coinTaken'>> {
  return {
    ...(symbol === ''
      ? { symbol: 'missing' as const }
      : !COIN_SYMBOL.test(symbol)
        ? { symbol: 'coinSymbol' as const }
        : taken.includes(symbol)
          ? { symbol: 'coinTaken' as const }
          : {}),
    ...(nameEn.trim() === '' && { nameEn: 'missing' as const }),
    ...(nameFa.trim() === '' && { nameFa: 'missing' as const }),
  };
}

/** What is wrong with a network, by field; `others` are the symbols of the coin's other networks. */
export function networkProblems(
  network: Network,
  others: readonly string[],
): Partial<Record<NetworkField, Problem>> {
  const all = [...TEXTS, ...NUMBERS].map(
    (field) => [field, problemOf(network, field, others)] as const,
  );
  return Object.fromEntries(all.filter(([, problem]) => problem !== undefined));
}

function problemOf(
  network: Network,
  field: (typeof TEXTS)[number] | (typeof NUMBERS)[number],
  others: readonly string[],
): Problem | undefined {
  const value = network[field].trim();
  const isNeeded = NEEDED.includes(field) || (field === 'memoRegex' && network.memoRequired);
  if (value === '') return isNeeded ? 'missing' : undefined;
  const max = COUNTS[field];
  if (max !== undefined) {
    return /^\d{1,7}$/u.test(value) && Number(value) <= max ? undefined : { min: 0, max };
  }
  switch (field) {
    case 'NetworkSymbol':
      if (!NETWORK_SYMBOL.test(value)) return 'networkSymbol';
      return others.includes(value) ? 'networkTwice' : undefined;
    case 'addressUrl':
      return value.includes('{address}') ? undefined : 'address';
    case 'transactionUrl':
      return value.includes('{txid}') ? undefined : 'txid';
    case 'addressRegex':
    case 'memoRegex':
      // Whether it compiles, the server says: it has another engine for expressions than browsers.
      return value.startsWith('^') && value.endsWith('$') ? undefined : 'expression';
    case 'minimumDeposit':
    case 'depositFee':
    case 'minimumWithdraw':
    case 'withdrawFee':
      return value.startsWith('-') ? 'notNegative' : undefined;
    default:
      return undefined;
  }
}

/** Exactly one network is taken where nobody names one. */
export const withDefault = (networks: readonly Network[], at: number): readonly Network[] =>
  networks.map((network, index) => ({ ...network, isDefault: index === at }));

export interface FieldChange {
  /** Undefined for the coin itself. */
  readonly network: string | undefined;
  readonly field: 'symbol' | 'nameEn' | 'nameFa' | NetworkField;
  readonly before: string | undefined;
  readonly after: string;
}

/** What a coin will have that it had not, in the order of the form. */
export function changesOf(before: CoinDraft | undefined, after: CoinDraft): readonly FieldChange[] {
  const names = (['symbol', 'nameEn', 'nameFa'] as const).flatMap((field) =>
    before?.[field] === after[field]
      ? []
      : [{ network: undefined, field, before: before?.[field], after: after[field] }],
  );
  const networks = after.networks.flatMap((network) => {
    const was = before?.networks.find((one) => one.NetworkSymbol === network.NetworkSymbol);
    return [...TEXTS, ...SWITCHES, ...NUMBERS, ...STATUSES].flatMap((field) =>
      isSame(field, was?.[field], network[field])
        ? []
        : [
            {
              network: network.NetworkSymbol,
              field,
              before: was === undefined ? undefined : String(was[field]),
              after: String(network[field]),
            },
          ],
    );
  });
  return [...names, ...networks];
}

function isSame(
  field: NetworkField,
  before: string | boolean | undefined,
  after: string | boolean,
): boolean {
  if (before === undefined) return after === '';
  const isNumber = (NUMBERS as readonly string[]).includes(field);
  return isNumber && before !== '' && after !== ''
    ? decimal.equals(String(before), String(after))
    : before === after;
}
