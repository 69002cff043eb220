// Draws what happens to orders that were placed before: cancels, amends, and the same order once more.

import type { Amend, Command } from '../../src/command.ts';
import { moneyKey } from '../observed.ts';
import type { Draw, Hand } from './hand.ts';
import type { Replacing } from './replacing.ts';

export function drawCancel(hand: Hand, draw: Draw): Command {
  const { r, time } = hand;
  const kind = r.below(100);
  const live = hand.observed.liveOrder(r);
  if (live === undefined && kind < 70) return draw('limit');
  if (live !== undefined && kind < 88) {
    const isForeign = kind >= 80;
    const account = isForeign ? hand.account() : live.account;
    const command: Command = { type: 'cancel', time, account, ...hand.ref(live) };
    if (r.chance(0.1)) command.symbol = hand.symbol();
    if (r.chance(0.15)) command.onlyIf = r.pick(['open', 'partially_filled'] as const);
    if (r.chance(0.2)) command.reason = r.pick(['user', 'disconnect', 'admin'] as const);
    return command;
  }
  if (hand.observed.gone.length > 0 && kind < 97) {
    const gone = r.pick(hand.observed.gone);
    return { type: 'cancel', time, account: gone.account, ...hand.ref(gone) };
  }
  return { type: 'cancel', time, account: hand.account(), orderId: r.below(1e6) };
}

export function drawCancelBatch(hand: Hand): Command {
  const { r, time } = hand;
  const account = hand.account();
  const length = r.chance(0.03) ? r.pick([0, 51]) : r.between(1, 6);
  const mine = [...hand.observed.live.values()].filter((o) => o.account === account);
  const orders = Array.from({ length }, () => {
    if (mine.length > 0 && r.chance(0.8)) return hand.ref(r.pick(mine));
    return hand.observed.gone.length > 0 ? hand.ref(r.pick(hand.observed.gone)) : { orderId: 5 };
  });
  const reason = r.pick(['user', 'disconnect', 'admin'] as const);
  return { type: 'cancel_batch', time, account, orders, reason };
}

/** Orders come and go during the sweep. */
export function drawCancelAll(hand: Hand, checkpoint: number, draw: Draw): Command {
  const { r, time } = hand;
  const owner = r.chance(0.8) ? hand.observed.liveOrder(r)?.account : undefined;
  const account = owner ?? hand.account();
  const command: Command = { type: 'cancel_all', time, account };
  if (r.chance(0.4)) command.symbol = hand.symbol();
  if (r.chance(0.5)) command.side = hand.side();
  const others = ['limit', 'cancel', 'amend', 'sweep'] as const;
  if (r.chance(0.2)) command.reason = r.pick(['cancel_all', 'admin', 'disconnect'] as const);
  if (r.chance(0.4)) return command;
  const orders = Array.from({ length: r.between(4, 16) }, () => hand.terms.terms('limit', account));
  const before = orders.map((order): Command => ({
    type: 'place',
    time,
    account,
    order,
    checkpoint,
  }));
  // This includes the order that the sweep would look at next.
  const after = Array.from({ length: r.below(8) }, (): Command => {
    const { clientOrderId } = r.pick(orders);
    if (clientOrderId === undefined || r.chance(0.3)) return draw(r.pick(others));
    return { type: 'cancel', time, account, clientOrderId };
  });
  hand.pending.push(...before, command, ...after);
  return hand.pending.shift() ?? command;
}

export function drawAmend(hand: Hand, replacing: Replacing): Command {
  const { r, time } = hand;
  const live = hand.observed.liveOrder(r);
  if (live === undefined || r.chance(0.05)) {
    const gone = hand.observed.gone.at(-1) ?? {
      account: hand.account(),
      orderId: 3,
      clientOrderId: '',
    };
    return { type: 'amend', time, account: gone.account, ...hand.ref(gone), volume: 1 };
  }
  const plan = hand.world.markets.find((m) => m.config.symbol === live.symbol);
  if (plan === undefined) throw new Error('the workload lost a market');
  const amend: Amend = {
    type: 'amend',
    time,
    account: live.account,
    ...hand.ref(live),
    priceDecimals: live.priceDecimals,
    volumeDecimals: live.volumeDecimals,
  };
  if (r.chance(0.5)) {
    const filled = live.filledVolume + live.preventedVolume;
    amend.volume = r.pick([
      Math.max(1, filled),
      Math.max(1, live.volume - r.logBetween(1, plan.usualLots)),
      live.volume + r.logBetween(1, plan.usualLots),
      Math.max(1, Math.floor(live.volume / 2)),
      live.volume,
    ]);
  }
  const isMarket = live.price === 0;
  if (r.chance(isMarket ? 0.05 : 0.4)) amend.price = hand.terms.price(plan, live.side);
  if (r.chance(live.status === 'pending' ? 0.4 : 0.03)) {
    amend.stopPrice = Math.max(1, live.stopPrice + r.between(-5, 5));
  }
  if (r.chance(live.visibleVolume > 0 ? 0.3 : 0.05)) {
    amend.visibleVolume = Math.max(1, Math.ceil(live.volume / r.between(1, 8)));
  }
  if (r.chance(hand.world.invalid)) {
    r.pick([
      () => (amend.price = r.pick([0, -1, 9e15, 1.5])),
      () => (amend.volume = r.pick([0, 9e15, -1])),
      () => (amend.priceDecimals = live.priceDecimals + 1),
      () => (amend.volumeDecimals = live.volumeDecimals + 1),
      () => (amend.account = 5),
    ])();
  }
  return replacing.name(amend);
}

/** Somebody who lost the answer sends the same again, or almost the same. */
export function drawRepeat(hand: Hand): Command {
  const { r, time } = hand;
  if (hand.money.length > 0 && r.chance(0.2)) {
    const again = { ...r.pick(hand.money), time };
    if ('checkpoint' in again) again.checkpoint = hand.blindCheckpoint(moneyKey(again));
    if ('amount' in again && r.chance(0.3)) again.amount += 1n;
    return again;
  }
  if (hand.terms.sent.length === 0) return { type: 'tick', time };
  const trails = hand.terms.sent.filter(({ terms }) => terms.type === 'trailing_stop');
  const { account, terms } = r.pick(trails.length > 0 && r.chance(0.3) ? trails : hand.terms.sent);
  const order = { ...terms };
  if (r.chance(0.3)) {
    const change = r.pick([
      () => (order.volume = (order.volume ?? 0) + 1),
      () => (order.side = order.side === 'buy' ? 'sell' : 'buy'),
      () => (order.price = (order.price ?? 0) + 1),
      () => (order.postOnly = order.postOnly !== true),
      () => (order.stpMode = order.stpMode === 'decrement' ? 'expire_taker' : 'decrement'),
      () => (order.total = (order.total ?? 0n) + 1n),
      () => (order.trailingDelta = (order.trailingDelta ?? 0) + 1),
      () => (order.visibleVolume = (order.visibleVolume ?? 0) + 1),
    ]);
    change();
  } else hand.terms.rewrite(order);
  const checkpoint = hand.blindCheckpoint(`${account}|${terms.clientOrderId ?? ''}`);
  return { type: 'place', time, account, order, checkpoint };
}
