// A tape speaks of accounts, coins, markets and networks by their index in the state that wrote it. A
// directory gives them back their names; a state is one, and so is a short list that travels with a tape.

import * as rec from './record.ts';
import { CUSTODY_BASE } from './state.ts';
import * as tape from './tape.ts';
import type { Tape } from './tape.ts';

export interface Directory {
  readonly accounts: ReadonlyArray<{ readonly id: number }>;
  readonly coins: ReadonlyArray<{ readonly name: string }>;
  readonly markets: ReadonlyArray<{
    readonly config: { readonly symbol: string; readonly base: string; readonly quote: string };
  }>;
  readonly networks: readonly string[];
}

/** The names that a stretch of tape uses, each with its index. Plain data, so that it can travel. */
export interface NameList {
  accounts: Array<[index: number, id: number]>;
  coins: Array<[index: number, name: string]>;
  markets: Array<[index: number, symbol: string, base: string, quote: string]>;
  networks: Array<[index: number, name: string]>;
}

/** Collects the names used between two cells, of which the first begins a record. */
export function listNames(d: Directory, t: Tape, from: number, until: number): NameList {
  const accounts = new Set<number>();
  const coins = new Set<number>();
  const markets = new Set<number>();
  const networks = new Set<number>();
  const { u32, i32 } = t;
  for (let cell = from; cell < until;) {
    const kind = u32[cell * 2]!;
    const at = cell + 1;
    cell = at + u32[cell * 2 + 1]!;
    switch (kind) {
      case tape.ORDER:
        accounts.add(u32[at * 2 + rec.ACCOUNT]!);
        markets.add(u32[at * 2 + rec.MARKET]!);
        break;
      case tape.TRADE:
        accounts.add(i32[(at + 6) * 2]!).add(i32[(at + 6) * 2 + 1]!);
        markets.add(i32[(at + 7) * 2]!);
        break;
      case tape.PREVENTED_MATCH:
        markets.add(u32[(at + 4) * 2]!);
        break;
      case tape.POSTING: {
        const owner = i32[at * 2]!;
        if (owner >= 0) accounts.add(owner);
        else if (owner <= CUSTODY_BASE) networks.add(CUSTODY_BASE - owner);
        coins.add(u32[at * 2 + 1]! >> 4);
        break;
      }
      case tape.HOLD_MOVE:
        accounts.add(u32[(at + 1) * 2]!);
        coins.add(u32[(at + 1) * 2 + 1]! >> 8);
        break;
      case tape.BOOK:
      case tape.PHASE:
        markets.add(u32[(at + 1) * 2]!);
        break;
      case tape.TIMER:
        accounts.add(u32[(at + 1) * 2]!);
        break;
      default:
    }
  }
  return {
    accounts: [...accounts].map((index) => [index, d.accounts[index]!.id]),
    coins: [...coins].map((index) => [index, d.coins[index]!.name]),
    markets: [...markets].map((index) => {
      const { symbol, base, quote } = d.markets[index]!.config;
      return [index, symbol, base, quote];
    }),
    networks: [...networks].map((index) => [index, d.networks[index]!]),
  };
}

/** The other way: a directory that knows just these names. */
export function toDirectory(list: NameList): Directory {
  const accounts: Array<{ id: number }> = [];
  for (const [index, id] of list.accounts) accounts[index] = { id };
  const coins: Array<{ name: string }> = [];
  for (const [index, name] of list.coins) coins[index] = { name };
  const markets: Array<Directory['markets'][number]> = [];
  for (const [index, symbol, base, quote] of list.markets) {
    markets[index] = { config: { symbol, base, quote } };
  }
  const networks: string[] = [];
  for (const [index, name] of list.networks) networks[index] = name;
  return { accounts, coins, markets, networks };
}
