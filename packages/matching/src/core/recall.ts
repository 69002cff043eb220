// Which order a client id stands for, and whether a request is the one that made it.

import type { OrderTerms } from '../command.ts';
import { isInList, trailOf } from '../link.ts';
import * as names from '../names.ts';
import { SIDES, STPS, TYPES, isMarketKind } from '../names.ts';
import * as record from '../record.ts';
import { findAccount, findMarket } from '../state.ts';
import type { Account, Market, State } from '../state.ts';
import { toBigint } from '../wide.ts';
import { refuse } from './reject.ts';
import type { Refusal } from './reject.ts';
import { tifNumber } from './shape.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { GTC, TIF_NONE } = names;
const {
  ASKED_PRICE,
  ASKED_STOP,
  ASKED_VISIBLE,
  ASKED_VOLUME,
  CELLS,
  DECIMALS,
  EXPIRE,
  FLAGS,
  FLAG_ASKED_STP,
  FLAG_BY_TOTAL,
  FLAG_HAS_CLIENT,
  FLAG_POST_ONLY,
  ID,
  LINK,
  MARKET,
  MINE_NEXT,
  NEXT,
  NONE,
  SIDE,
  STP,
  TIF,
  TOTAL,
  TYPE,
} = record;

/**
 * Compares a decimal of the command with units of 10^-decimals in a record. Both scaled to 18
 * decimals would pass 2^53, so the one with fewer decimals is scaled to the other; a product that is
 * no longer exact is far above every limit, and unequal anyway.
 */
function isSameDecimal(
  asked: number,
  askedDecimals: number,
  value: number | undefined,
  decimals: number,
): boolean {
  if (value === undefined) return asked === 0;
  if (asked === 0 || !Number.isSafeInteger(value) || value <= 0) return false;
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 18) return false;
  if (askedDecimals === decimals) return asked === value;
  const [more, fewer, shift] =
    askedDecimals > decimals
      ? [asked, value, askedDecimals - decimals]
      : [value, asked, decimals - askedDecimals];
  return BigInt(fewer) * 10n ** BigInt(shift) === BigInt(more);
}

/** Are these the terms that the order was made with? */
export function hasTerms(s: State, slot: number, market: Market, terms: OrderTerms): boolean {
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  const type = u32[word + TYPE]!;
  const flags = u32[word + FLAGS]!;
  const decimals = u32[word + DECIMALS]!;
  const priceDecimals = decimals & 0xff;
  const volumeDecimals = decimals >> 8;
  const tif = tifNumber(terms.timeInForce);
  const asksStp = (flags & FLAG_ASKED_STP) !== 0;
  const byTotal = (flags & FLAG_BY_TOTAL) !== 0;
  const pd = terms.priceDecimals ?? 0;
  const vd = terms.volumeDecimals ?? 0;
  return (
    u32[word + MARKET] === market.index &&
    SIDES[u32[word + SIDE]!] === terms.side &&
    TYPES[type] === terms.type &&
    u32[word + TIF] === (tif === TIF_NONE && !isMarketKind(type) ? GTC : tif) &&
    ((flags & FLAG_POST_ONLY) !== 0) === (terms.postOnly ?? false) &&
    (asksStp ? STPS[u32[word + STP]!] : undefined) === terms.stpMode &&
    f64[cell + EXPIRE] === (terms.expireTime ?? 0) &&
    (byTotal ? toBigint(f64, cell + TOTAL) : 0n) === (terms.total ?? 0n) &&
    // Older rules did not look at it.
    (s.rules < 4 || trailOf(u32[word + LINK]!) === (terms.trailingDelta ?? 0)) &&
    isSameDecimal(f64[cell + ASKED_PRICE]!, priceDecimals, terms.price, pd) &&
    isSameDecimal(f64[cell + ASKED_STOP]!, priceDecimals, terms.stopPrice, pd) &&
    isSameDecimal(f64[cell + ASKED_VOLUME]!, volumeDecimals, terms.volume, vd) &&
    isSameDecimal(f64[cell + ASKED_VISIBLE]!, volumeDecimals, terms.visibleVolume, vd)
  );
}

/** Is this the request that made the order? A leg was made by the request of its whole list. */
const isSameRequest = (s: State, slot: number, market: Market, terms: OrderTerms): boolean =>
  !isInList(s.pool.u32[slot * CELLS * 2 + LINK]!) && hasTerms(s, slot, market, terms);

/** After a change of the key: rehashes every known client id. */
export function enterClientsAnew(s: State): void {
  const { u32, i32 } = s.pool;
  s.clients.clear();
  const enterAll = (first: number, link: number): void => {
    for (let slot = first; slot !== NONE; slot = i32[slot * CELLS * 2 + link]!) {
      if ((u32[slot * CELLS * 2 + FLAGS]! & FLAG_HAS_CLIENT) !== 0) {
        s.clients.enter(slot, s.hashKey);
      }
    }
  };
  for (const account of s.accounts) enterAll(account.head, MINE_NEXT);
  for (const place of s.finished.places()) {
    if (s.finished.hasClient(place)) s.clients.enterFinished(place, s.hashKey);
  }
  enterAll(s.finishedHead, NEXT);
}

/** A slot if the client id is known; NONE if not. Leaves the packed id in the state's key. */
export function findByClient(s: State, account: Account, id: string): number {
  if (id === '' || !s.key.set(account.index, id)) return NONE;
  return s.clients.find(account.index, s.key);
}

/**
 * Answers from memory if the client id is known, and refuses ids that cannot be looked up. Returns
 * the slot of the known order, NONE for a new one, or a refusal.
 */
export function recall(s: State, accountId: number, terms: OrderTerms): number | Refusal {
  const account = findAccount(s, accountId);
  if (account === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: accountId });
  const market = findMarket(s, terms.symbol);
  if (market === undefined) return refuse('UNKNOWN_SYMBOL', { symbol: terms.symbol });
  const id = terms.clientOrderId ?? '';
  if (id === '') return NONE;
  if (!s.key.set(account.index, id))
    return refuse('PARAMETER_INVALID', { parameter: 'clientOrderId' });
  const slot = s.clients.find(account.index, s.key);
  if (slot === NONE) return NONE;
  if (isSameRequest(s, slot, market, terms)) return slot;
  return refuse('CLIENT_ORDER_ID_CONFLICT', {
    clientOrderId: id,
    orderId: s.pool.f64[slot * CELLS + ID]!,
  });
}
