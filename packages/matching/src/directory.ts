// A tape names accounts, coins, markets and networks by their index in the state that wrote it. A
// directory gives their names; a state is a directory, and so is a short list that travels with a
// tape.

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

/** Receives the names that a stretch of tape uses, by index, each as often as it occurs. */
export interface NameSink {
  account(index: number): void;
  coin(index: number): void;
  market(index: number): void;
  network(index: number): void;
}

/** Names used between two cells; the first cell must begin a record. */
export function visitNames(t: Tape, from: number, until: number, sink: NameSink): void {
  const { u32, i32 } = t;
  for (let cell = from; cell < until;) {
    const kind = u32[cell * 2]!;
    const at = cell + 1;
    cell = at + u32[cell * 2 + 1]!;
    switch (kind) {
      case tape.ORDER:
        sink.account(u32[at * 2 + rec.ACCOUNT]!);
        sink.market(u32[at * 2 + rec.MARKET]!);
        break;
      case tape.TRADE:
        sink.account(i32[(at + 6) * 2]!);
        sink.account(i32[(at + 6) * 2 + 1]!);
        sink.market(i32[(at + 7) * 2]!);
        break;
      case tape.PREVENTED_MATCH:
        sink.market(u32[(at + 4) * 2]!);
        break;
      case tape.POSTING: {
        const owner = i32[at * 2]!;
        if (owner >= 0) sink.account(owner);
        else if (owner <= CUSTODY_BASE) sink.network(CUSTODY_BASE - owner);
        sink.coin(u32[at * 2 + 1]! >> 4);
        break;
      }
      case tape.HOLD_MOVE:
        sink.account(u32[(at + 1) * 2]!);
        sink.coin(u32[(at + 1) * 2 + 1]! >> 8);
        break;
      case tape.BOOK:
      case tape.PHASE:
        sink.market(u32[(at + 1) * 2]!);
        break;
      case tape.TIMER:
        sink.account(u32[(at + 1) * 2]!);
        break;
      default:
    }
  }
}

/** The reverse: a directory that knows just these names. */
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
