// Amendments in the slow twin.

import { LIMITS } from '../../src/command.ts';
import type { Result } from '../../src/outcome.ts';
import { bestPrice, crosses, execute, opposite, rest } from './matching.ts';
import {
  balanceOf,
  baseUnits,
  coinGiven,
  findAccount,
  findOrder,
  finish,
  getMarketOf,
  isExpired,
  isMarketKind,
  money,
  noteBook,
  post,
  rejected,
  touch,
  view,
} from './model.ts';
import type { CommandOf, TwinState } from './model.ts';
import {
  checkAsk,
  checkPrice,
  checkValue,
  checkVolume,
  conditionHolds,
  openLots,
  readDecimals,
} from './placing.ts';
import { isSweeping, refuseClosed } from './sweeping.ts';

/** Changes a live order, or says why it stays unchanged. */
export function amend(s: TwinState, c: CommandOf<'amend'>): Result {
  const account = findAccount(s, c.account);
  if (account === undefined) return rejected('SUB_ACCOUNT_UNKNOWN', { account: c.account });
  const o = findOrder(s, c.account, c);
  if (o === undefined) return rejected('ORDER_NOT_FOUND');
  if (o.isFinal) return rejected('ORDER_FINAL', { status: o.status }, view(o));
  if (isExpired(s, o, s.time)) {
    finish(s, o, 'expired', 'gtd');
    return rejected('ORDER_FINAL', { status: o.status }, view(o));
  }
  if (account.suspended) return rejected('ACCOUNT_SUSPENDED', { account: c.account });
  if (o.list?.legs.some((leg) => leg !== o && !leg.isFinal) === true) {
    return rejected('PARAMETER_CONFLICT', { parameter: 'orderListId' });
  }
  const market = getMarketOf(s, o);
  const { config } = market;
  const admitted =
    market.phase === 'continuous' ||
    market.phase === 'auction' ||
    (market.phase === 'post_only' && o.postOnly && o.status !== 'pending');
  if (!admitted || isSweeping(s, market)) return refuseClosed(s, market);
  const isMarket = isMarketKind(o.type, o.price > 0);
  const pending = o.status === 'pending';
  const conflict = (parameter: string): Result => rejected('PARAMETER_CONFLICT', { parameter });
  if (c.price !== undefined && isMarket) return conflict('price');
  const trails = o.type === 'trailing_stop';
  if (c.stopPrice !== undefined && (!pending || (trails && (o.isFollowing || o.stopPrice === 0)))) {
    return conflict('stopPrice');
  }
  if (c.volume !== undefined && o.total > 0n) return conflict('volume');
  if (
    c.visibleVolume !== undefined &&
    (isMarket || o.timeInForce === 'IOC' || o.timeInForce === 'FOK')
  ) {
    return conflict('visibleVolume');
  }
  const next = {
    price: BigInt(o.price),
    stopPrice: BigInt(o.stopPrice),
    volume: BigInt(o.volume),
    visibleVolume: BigInt(o.visibleVolume),
  };
  const unreadable = readDecimals(c, config, next);
  if (unreadable !== undefined) return unreadable;
  const priceChanged = next.price !== BigInt(o.price);
  const stopChanged = next.stopPrice !== BigInt(o.stopPrice);
  const volumeChanged = next.volume !== BigInt(o.volume);
  const visibleChanged = next.visibleVolume !== BigInt(o.visibleVolume);
  if (!priceChanged && !stopChanged && !volumeChanged && !visibleChanged)
    return rejected('AMEND_NO_CHANGE');
  if (volumeChanged && next.volume <= BigInt(o.filledVolume) + BigInt(o.preventedVolume)) {
    finish(s, o, 'canceled', 'amended_to_filled');
    return { kind: 'amended', order: view(o), keptPriority: false, replay: false };
  }
  let bad: Result | undefined;
  if (volumeChanged) bad = checkVolume(market, next.volume);
  if (bad !== undefined) return bad;
  if (next.visibleVolume > 0n && (volumeChanged || visibleChanged)) {
    const tooSmall = next.visibleVolume * BigInt(config.icebergParts) < next.volume;
    if (tooSmall || (visibleChanged && next.visibleVolume > next.volume)) {
      return rejected('PARAMETER_RANGE', { parameter: 'visibleVolume' });
    }
  }
  if (priceChanged) bad = checkPrice(market, o.side, 'price', next.price);
  if (bad === undefined && stopChanged)
    bad = checkPrice(market, o.side, 'stopPrice', next.stopPrice);
  if (bad !== undefined) return bad;
  const price = Number(next.price);
  const stopPrice = Number(next.stopPrice);
  const volume = Number(next.volume);
  const visibleVolume = Number(next.visibleVolume);
  if (!isMarket && (priceChanged || volumeChanged)) {
    bad = checkValue(market, money(market, price, volume));
  } else if (isMarket && o.total === 0n && (volumeChanged || (stopChanged && !trails))) {
    const reference = trails ? market.lastPrice : stopPrice;
    bad = checkAsk(market, volume) ?? checkValue(market, money(market, reference, volume));
  }
  if (bad !== undefined) return bad;
  if (stopChanged && conditionHolds(o.type, o.side, stopPrice, market.lastPrice)) {
    return rejected('WOULD_TRIGGER_IMMEDIATELY', { lastPrice: market.lastPrice });
  }
  const remaining = volume - o.filledVolume - o.preventedVolume;
  if (
    !isMarket &&
    BigInt(openLots(market, o.side)) - BigInt(o.remainingVolume) + BigInt(remaining) >
      BigInt(LIMITS.sideLotsMax)
  ) {
    return rejected('ORDER_TOO_LARGE', { limit: 'sideLots', maximum: LIMITS.sideLotsMax });
  }
  const best = bestPrice(market, opposite(o.side));
  const takes =
    market.phase !== 'auction' &&
    !pending &&
    priceChanged &&
    best !== undefined &&
    crosses(o.side, price, best);
  if (takes && o.postOnly) return rejected('POST_ONLY_WOULD_TAKE', { best });
  let hold = o.held;
  if (o.side === 'sell') hold = baseUnits(market, remaining);
  else if (o.total === 0n) hold = money(market, price, remaining);
  const coin = coinGiven(market, o.side);
  const available = balanceOf(s, o.account, coin, 'available');
  if (hold - o.held > available) {
    return rejected('INSUFFICIENT_FUNDS', { coin, required: hold - o.held, available });
  }
  noteBook(s, market);
  touch(s, o);
  if (hold !== o.held) {
    post(s, 'amend', o.orderId, [
      [o.account, coin, 'available', o.held - hold],
      [o.account, coin, 'hold', hold - o.held],
    ]);
  }
  const kept = pending || (!priceChanged && !visibleChanged && volume < o.volume);
  Object.assign(o, {
    price,
    stopPrice,
    volume,
    visibleVolume,
    remainingVolume: remaining,
    held: hold,
  });
  if (!pending) {
    if (kept) o.shown = Math.min(o.shown, remaining);
    else if (takes) {
      o.resting = false;
      execute(s, o);
    } else rest(s, market, o);
  }
  return { kind: 'amended', order: view(o), keptPriority: kept, replay: false };
}
