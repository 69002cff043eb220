// Where coins come in and go out: a coin on one of its networks. Pure.
import type { Coin, Network } from '@rialto/sdk';

export type Direction = 'deposit' | 'withdraw';

export const statusOf = (network: Network, direction: Direction): Network['depositStatus'] =>
  direction === 'deposit' ? network.depositStatus : network.withdrawStatus;

/** The networks of a coin that are not disabled; the default one first. */
export const networksOf = (coin: Coin | undefined, direction: Direction): readonly Network[] =>
  Object.values(coin?.networks ?? {})
    .filter((network) => statusOf(network, direction) !== 'disabled')
    .sort((one, other) => Number(other.isDefault) - Number(one.isDefault));

/** A coin on one of its networks, as somebody chooses it. */
export interface ChosenPlace {
  readonly coin: string;
  /** Empty until one is chosen. */
  readonly network: string;
}

export const networkAt = (
  coins: readonly Coin[],
  direction: Direction,
  { coin, network }: ChosenPlace,
): Network | undefined =>
  networksOf(
    coins.find(({ symbol }) => symbol === coin),
    direction,
  ).find(({ NetworkSymbol }) => NetworkSymbol === network);

export const coinsOf = (coins: readonly Coin[], direction: Direction): readonly Coin[] =>
  coins.filter((coin) => networksOf(coin, direction).length > 0);

/** Longer ones are refused by the server without a look at the pattern. */
const ADDRESS_LENGTH_MAX = 200;

/** Undefined while nothing is typed: an empty field is no fault. */
export function isAddressOf({ addressRegex }: Network, text: string): boolean | undefined {
  if (text === '') return undefined;
  return text.length <= ADDRESS_LENGTH_MAX && matches(addressRegex, text);
}

export function isMemoOf({ memoRequired, memoRegex }: Network, text: string): boolean | undefined {
  if (text === '') return memoRequired ? undefined : true;
  return memoRegex === '' || matches(memoRegex, text);
}

/** A pattern that this browser cannot read refuses nothing: the server looks again. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/** The page of an explorer, if the venue names one; no other kind of link comes from there. */
export function explorerOf(pattern: string, name: 'txid' | 'address', value: string): string {
  if (value === '' || !/^https?:\/\//u.test(pattern)) return '';
  return pattern.replace(`{${name}}`, encodeURIComponent(value));
}

export const networkName = (
  { NetworkNameEn, NetworkNameFa }: Network,
  language: 'en' | 'fa',
): string => (language === 'fa' ? NetworkNameFa : NetworkNameEn);
