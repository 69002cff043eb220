// Canceling: one, several, all, or all when the caller falls silent. A cancellation has no
// deadline: even a late one is wanted.
import {
  REJECTION_CODES,
  type Order as EngineOrder,
  type Rejection,
  type Result,
  type Side,
} from '@rialto/matching';
import type { Refusal } from '../../../platform/http/refusal.ts';
import { assert } from '../../../platform/std/assert.ts';
import { pause } from '../../../platform/std/wait.ts';
import type { TradingContext } from '../../context.ts';
import type { EngineCaller } from '../../engine/door.ts';
import type { PrivateCaller } from '../../http/authenticate.ts';
import { refuse } from '../../http/errors.ts';
import {
  checkMarketOfKey,
  findForgotten,
  findOrder,
  toRef,
  refusalOfRejection,
} from '../access.ts';
import type { OrderName } from '../name.ts';
import { getPair } from '../pairs.ts';
import { afterActing, toCaller } from './submit.ts';

export interface CancelOptions {
  readonly symbol?: string;
  readonly onlyIf?: 'open' | 'partially_filled';
}

export async function cancelOrder(
  ctx: TradingContext,
  caller: PrivateCaller,
  name: OrderName,
  { symbol, onlyIf }: CancelOptions,
): Promise<EngineOrder> {
  if (symbol !== undefined) await getPair(ctx, symbol);
  await checkMarketsOf(ctx, caller, [name]);
  const by = toCaller(caller);
  const command = {
    type: 'cancel',
    account: by.account,
    ...toRef(name),
    ...(symbol === undefined ? {} : { symbol }),
    ...(onlyIf === undefined ? {} : { onlyIf }),
  } as const;
  const { result } = await ctx.engine.submit(command, { by });
  const [item] = await toItems(ctx, caller, [name], [result], symbol);
  assert(item !== undefined, 'one order has one outcome');
  if (item instanceof Error) throw item;
  return item;
}

/** The result of each order, at the position of its name. */
export async function cancelOrders(
  ctx: TradingContext,
  caller: PrivateCaller,
  names: readonly OrderName[],
): Promise<readonly (EngineOrder | Refusal)[]> {
  await checkMarketsOf(ctx, caller, names);
  const by = toCaller(caller);
  const { result } = await ctx.engine.submit(
    { type: 'cancel_batch', account: by.account, orders: names.map(toRef) },
    { by },
  );
  if (result.kind === 'rejected') throw await refusalOfRejection(ctx, result.rejection);
  assert(result.kind === 'batch', 'a batch has a list of outcomes', { kind: result.kind });
  return afterActing(ctx, () => toItems(ctx, caller, names, result.items));
}

/** A key restricted to markets must not touch orders of others, so it has to look them up first. */
export async function checkMarketsOf(
  ctx: TradingContext,
  caller: PrivateCaller,
  names: readonly OrderName[],
): Promise<void> {
  if (caller.markets.length === 0) return;
  const orders = await Promise.all(names.map((name) => findOrder(ctx, caller.account.id, name)));
  for (const order of orders) if (order !== undefined) checkMarketOfKey(caller, order.symbol);
}

export async function toItems(
  ctx: TradingContext,
  { account }: PrivateCaller,
  names: readonly OrderName[],
  results: readonly Result[],
  symbol?: string,
): Promise<(EngineOrder | Refusal)[]> {
  // The engine forgets orders that finished long ago; the caller must not be told that they never
  // existed.
  const unknown = names.filter(
    (_, index) => codeOf(results[index]) === REJECTION_CODES.ORDER_NOT_FOUND,
  );
  const finished = await findForgotten(ctx, account.id, unknown);
  const items: (EngineOrder | Refusal)[] = [];
  for (const [index, name] of names.entries()) {
    const result = results[index];
    if (result?.kind === 'canceled') {
      items.push(result.order);
      continue;
    }
    assert(result?.kind === 'rejected', 'an order is canceled or not', { kind: result?.kind });
    const past = finished[unknown.indexOf(name)];
    const isNamed = past !== undefined && (symbol === undefined || past.symbol === symbol);
    const rejection = isNamed ? alreadyFinal(past) : result.rejection;
    items.push(await refusalOfRejection(ctx, rejection));
  }
  return items;
}

const codeOf = (result: Result | undefined): number | undefined =>
  result?.kind === 'rejected' ? result.rejection.code : undefined;

export const alreadyFinal = (order: EngineOrder): Rejection => ({
  code: REJECTION_CODES.ORDER_FINAL,
  details: { status: order.status },
  order,
});

export async function cancelAll(
  ctx: TradingContext,
  caller: PrivateCaller,
  { symbol, side }: { symbol?: string; side?: Side },
): Promise<number[]> {
  if (symbol !== undefined) {
    await getPair(ctx, symbol);
    checkMarketOfKey(caller, symbol);
  }
  // A key restricted to markets cancels in those, one after the other.
  const symbols = symbol === undefined && caller.markets.length > 0 ? caller.markets : [symbol];
  const by = toCaller(caller);
  const orderIds: number[] = [];
  for (const one of symbols) {
    const command = {
      type: 'cancel_all',
      account: by.account,
      ...(one === undefined ? {} : { symbol: one }),
      ...(side === undefined ? {} : { side }),
    } as const;
    const submit = () => ctx.engine.submit(command, { by });
    const { result } = orderIds.length === 0 ? await submit() : await afterActing(ctx, submit);
    if (result.kind === 'rejected') {
      // A key may name a market that is no longer listed, or not yet.
      if (result.rejection.code === REJECTION_CODES.UNKNOWN_SYMBOL && symbol === undefined)
        continue;
      throw await refusalOfRejection(ctx, result.rejection, one);
    }
    assert(result.kind === 'canceled_all', 'all are canceled', { kind: result.kind });
    orderIds.push(...result.orderIds);
    const { sweepId } = result;
    if (sweepId === 0) continue;
    const rest = await afterActing(ctx, () => awaitSweep(ctx, by, sweepId, result.orderIds.length));
    for (const id of rest) orderIds.push(id);
  }
  return orderIds;
}

const SWEEP_POLL_MS = 10;
/** Far longer than the engine takes for as many orders as it can hold. */
const SWEEP_WAIT_MS = 30_000;

/**
 * The engine ends many orders step by step, with other commands in between. The caller is answered
 * when all are ended. Returns the ids after the first `known`.
 */
async function awaitSweep(
  { engine, clock }: TradingContext,
  by: EngineCaller,
  sweepId: number,
  known: number,
): Promise<number[]> {
  const untilMs = clock.now() + SWEEP_WAIT_MS;
  const orderIds: number[] = [];
  while (clock.now() < untilMs) {
    const after = known + orderIds.length;
    const page = await engine.read('sweep', { account: by.account, sweepId, after }, { by });
    if (page === null) break;
    for (const id of page.orderIds) orderIds.push(id);
    if (page.done) return orderIds;
    if (page.orderIds.length === 0) await pause(SWEEP_POLL_MS);
  }
  throw refuse(
    'TIMEOUT',
    'The engine has canceled some and goes on with the rest. Ask for the open orders to see which are left.',
  );
}

/** Arms, renews or disarms the account's timer; returns when it fires, 0 if never. */
export async function cancelAllAfter(
  ctx: TradingContext,
  caller: PrivateCaller,
  timeoutMs: number,
): Promise<number> {
  if (caller.markets.length > 0) {
    throw refuse(
      'PERMISSION_DENIED',
      'The timer cancels orders in every market, and the key is bound to some.',
      { markets: [...caller.markets] },
    );
  }
  const by = toCaller(caller);
  const { result } = await ctx.engine.submit(
    { type: 'cancel_all_after', account: by.account, timeoutMs },
    { by },
  );
  if (result.kind === 'rejected') throw await refusalOfRejection(ctx, result.rejection);
  assert(result.kind === 'timer', 'a timer is set or not', { kind: result.kind });
  return result.triggerTime;
}
