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

/** The page of an explorer, if the venue names one. */
export const explorerOf = (pattern: string, name: 'txid' | 'address', value: string): string =>
  value === '' ? '' : pattern.replace(`{${name}}`, encodeURIComponent(value));

export const networkName = (
  { NetworkNameEn, NetworkNameFa }: Network,
  language: 'en' | 'fa',
): string => (language === 'fa' ? NetworkNameFa : NetworkNameEn);
