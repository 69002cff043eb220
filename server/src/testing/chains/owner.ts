// An owner of an account with coins from a chain, who withdraws them with a browser.
import { expect } from 'vitest';
import type { NewTradingKey } from '../../accounts/trading-keys/actions.ts';
import type { AddressBookEntry } from '../../trading/custody/address-book/shapes.ts';
import type { Withdrawal } from '../../trading/custody/withdrawals/shapes.ts';
import type { Clock } from '../../platform/std/clock.ts';
import { signIn } from '../session.ts';
import type { CustodyTrader, CustodyWorld } from './world.ts';

const WAIT = { timeout: 30_000 };
/** An entry of the book is used after 24 hours. */
const YESTERDAY_MS = -25 * 3600 * 1000;

/** A clock that a test can move. */
export interface MovableClock extends Clock {
  offsetMs: number;
}

export function movableClock(): MovableClock {
  const clock: MovableClock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  return clock;
}

/** What differs from chain to chain. */
export interface PayingChain {
  readonly coin: string;
  /** Pays so many coins to an address, with all confirmations. Returns the transaction. */
  fund(address: string, coins: string): Promise<string>;
  newAddress(): Promise<string>;
}

export interface CoinOwner {
  readonly trader: CustodyTrader;
  /** Calls a verb of the wallet with the browser; a refusal is thrown. */
  ask<T>(verb: string, params: Record<string, string>, method?: string): Promise<T>;
  /** Asks for a payout to a new address that is in the book since yesterday, and confirms it. */
  payOut(amount: string, to?: string): Promise<{ withdrawId: string; address: string }>;
  find(withdrawId: string): Promise<Withdrawal>;
  until(withdrawId: string, status: string): Promise<Withdrawal>;
}

export async function exampleOwner(
  world: CustodyWorld,
  clock: MovableClock,
  { coin, fund, newAddress }: PayingChain,
  coins: string,
  terms: Partial<NewTradingKey> = {},
): Promise<CoinOwner> {
  const trader = await world.trader(terms);
  const session = await signIn(world.server, trader.userId);
  const ask = async <T>(verb: string, params: Record<string, string>, method = 'POST') => {
    const { body } = await session.ask(method, `/json/v1/private/wallet/${verb}`, params);
    expect(body.error).toBeUndefined();
    return body.result as T;
  };
  await expect.poll(() => trader.address(coin).catch(String), WAIT).not.toMatch(/Error/);
  const txid = await fund(await trader.address(coin), coins);
  await trader.until(txid, 'credited');
  await expect.poll(async () => (await trader.balance(coin)).available, WAIT).toBe(coins);
  const find: CoinOwner['find'] = async (withdrawId) => {
    const { items } = (await trader.get('wallet/withdrawals')) as { items: Withdrawal[] };
    const found = items.find((one) => one.withdrawId === withdrawId);
    if (found === undefined) throw new Error(`There is no withdrawal ${withdrawId}.`);
    return found;
  };
  return {
    trader,
    ask,
    find,
    async payOut(amount, to) {
      const address = to ?? (await newAddress());
      clock.offsetMs = YESTERDAY_MS;
      const entry = await ask<AddressBookEntry>('withdraw_address_add', { coin, address }).finally(
        () => (clock.offsetMs = 0),
      );
      const terms = { coin, amount, addressId: entry.addressId };
      const { withdrawId } = await ask<Withdrawal>('withdraw', terms);
      await ask('withdraw_confirm', { withdrawId });
      return { withdrawId, address };
    },
    async until(withdrawId, status) {
      await expect.poll(async () => (await find(withdrawId)).status, WAIT).toBe(status);
      return find(withdrawId);
    },
  };
}
