// Which cases of order lists occurred, as a caller sees them in the outcomes.

import type { Command } from '../../src/command.ts';
import type { Order, Outcome, Result, Step } from '../../src/outcome.ts';

/** How a list can be decided, or end. */
const ENDS = [
  'a fill',
  'a trigger',
  'a decrement',
  'user',
  'disconnect',
  'cancel_all',
  'dead_man',
  'admin',
  'stp',
] as const;

const REFUSALS = [
  2001, 2002, 2003, 2009, 4001, 4004, 4005, 4007, 4009, 4010, 4012, 4015, 4016, 4018, 5001,
];

export const LIST_CASES: readonly string[] = [
  'oco buy',
  'oco sell',
  'bracket buy',
  'bracket sell',
  'again',
  'lookup_again',
  ...REFUSALS.map((code) => `rejection ${code}`),
  ...ENDS.map((end) => `ended by ${end}`),
  'leg ended while it waited for its turn',
  'entry ended with nothing',
  'exits begin',
  'exits begin for a part',
  'exits without funds',
  'exits in a closed market',
  'exits canceled before they begin',
  'stop fires as it begins',
  'leg not amended',
  'last leg amended',
].map((name) => `list ${name}`);

const isFinal = (o: Order): boolean =>
  ['filled', 'canceled', 'expired', 'rejected'].includes(o.status);

/** The cases that one command and its outcome show; the set has the brackets whose exits have begun. */
export function findListCases(command: Command, outcome: Outcome, begun: Set<number>): string[] {
  const found: string[] = [];
  if (command.type === 'place_list') found.push(...ofPlacement(command, outcome.result));
  const { result } = outcome;
  if (result.kind === 'rejected' && result.rejection.details['parameter'] === 'orderListId') {
    found.push('leg not amended');
  }
  if (result.kind === 'amended' && result.order.orderListId > 0) found.push('last leg amended');
  const prices = new Map<string, number[]>();
  for (const [i, step] of outcome.steps.entries()) {
    const legs = step.orders.filter((o) => o.orderListId > 0);
    for (const o of legs) found.push(...ofLeg(step, o, legs, prices, begun));
    if (step.cause === 'trigger' && outcome.steps[i - 1]?.cause === 'list') {
      const stop = legs.find((o) => o.triggeredAt > 0);
      const before = outcome.steps[i - 1]?.orders.some((o) => o.orderId === stop?.orderId);
      if (before === true) found.push('stop fires as it begins');
    }
    for (const { symbol, priceTicks } of step.trades) {
      prices.set(symbol, [...(prices.get(symbol) ?? []), priceTicks]);
    }
  }
  return found.map((name) => `list ${name}`);
}

function ofPlacement(command: Extract<Command, { type: 'place_list' }>, result: Result): string[] {
  const { list } = command;
  if (result.kind === 'rejected') return [`rejection ${result.rejection.code}`];
  if (result.kind === 'lookup_again') return ['lookup_again'];
  if (result.kind !== 'listed') return [];
  if (result.replay) return ['again'];
  return [`${list.kind} ${list.kind === 'oco' ? list.side : list.entry.side}`];
}

function ofLeg(
  step: Step,
  o: Order,
  legs: readonly Order[],
  prices: ReadonlyMap<string, number[]>,
  begun: Set<number>,
): string[] {
  const others = legs.filter((leg) => leg.orderListId === o.orderListId && leg !== o);
  const found: string[] = [];
  const isEntry = o.orderListKind === 'bracket' && o.orderId === o.orderListId;
  if (step.cause === 'list' && o.orderId === o.orderListId + 1) {
    begun.add(o.orderListId);
    if (o.statusReason === 'market_closed') found.push('exits in a closed market');
    else if (o.status === 'rejected') found.push('exits without funds');
    else found.push('exits begin');
  }
  if (isEntry && isFinal(o) && o.filledVolume > 0 && o.status !== 'filled') {
    if (others.every((leg) => !isFinal(leg))) found.push('exits begin for a part');
  }
  if (o.statusReason !== 'list_sibling') return found;
  const exits = o.orderListKind === 'bracket' ? 1 : 0;
  const entry = others.find((leg) => exits === 1 && leg.orderId === leg.orderListId);
  const sibling = others.find((leg) => leg !== entry);
  if (entry !== undefined && isFinal(entry)) found.push('entry ended with nothing');
  else if (sibling !== undefined) {
    if (sibling.filledVolume > 0) {
      found.push(sibling.triggeredAt === step.time ? 'ended by a trigger' : 'ended by a fill');
    } else if (step.cause === 'trigger' && sibling.triggeredAt === step.time) {
      found.push('ended by a trigger');
    } else if (!isFinal(sibling) && sibling.preventedVolume > 0) found.push('ended by a decrement');
    else {
      // Delisting ends lists too, but each market only once, so no count is demanded of it.
      const end = ENDS.find((one) => one === sibling.statusReason);
      if (end !== undefined) found.push(`ended by ${end}`);
    }
    if (exits === 1 && !begun.has(o.orderListId)) {
      found.push('exits canceled before they begin');
    }
  }
  const isHit = (prices.get(o.symbol) ?? []).some((price) =>
    o.side === 'buy' ? price >= o.stopPrice : price <= o.stopPrice,
  );
  if (o.stopPrice > 0 && isHit) found.push('leg ended while it waited for its turn');
  return found;
}
