// Cancels an order list: all of its legs that are live, in one command.
import { REJECTION_CODES, type Order as EngineOrder } from '@rialto/matching';
import { assert } from '../../../platform/std/assert.ts';
import type { TradingContext } from '../../context.ts';
import type { PrivateCaller } from '../../http/authenticate.ts';
import { refuse } from '../../http/errors.ts';
import { checkMarketOfKey, refusalOfRejection } from '../../orders/access.ts';
import { afterActing, toCaller } from '../../orders/actions/submit.ts';
import { isLive } from '../../order-tables.ts';
import { getPair } from '../../orders/pairs.ts';
import { getLegs } from '../access.ts';
import { toOrderList } from '../list.ts';

/** Returns the legs after it. A cancellation has no deadline: even a late one is wanted. */
export async function cancelList(
  ctx: TradingContext,
  caller: PrivateCaller,
  orderListId: number,
): Promise<EngineOrder[]> {
  const legs = await getLegs(ctx, caller.account.id, orderListId);
  const symbol = legs[0]?.symbol ?? '';
  checkMarketOfKey(caller, symbol);
  // A leg that ended a moment before is refused by the core; only if all are, nothing was canceled.
  if (!legs.some(isLive) || !(await cancelLegs(ctx, caller, legs))) {
    const ended = await getLegs(ctx, caller.account.id, orderListId);
    throw refuse('ORDER_FINAL', 'The list is done already.', {
      orderList: toOrderList(ended, await getPair(ctx, symbol)),
    });
  }
  return afterActing(ctx, () => getLegs(ctx, caller.account.id, orderListId));
}

/** Exits first: an entry that ends with something filled would let them begin. */
async function cancelLegs(
  ctx: TradingContext,
  caller: PrivateCaller,
  legs: readonly EngineOrder[],
): Promise<boolean> {
  const by = toCaller(caller);
  const orders = legs.filter(isLive).map(({ orderId }) => ({ orderId }));
  const { result } = await ctx.engine.submit(
    { type: 'cancel_batch', account: by.account, orders: orders.reverse() },
    { by },
  );
  if (result.kind === 'rejected') throw await refusalOfRejection(ctx, result.rejection);
  assert(result.kind === 'batch', 'a batch has a list of outcomes', { kind: result.kind });
  const isEnded = (code: number) =>
    code === REJECTION_CODES.ORDER_FINAL || code === REJECTION_CODES.ORDER_NOT_FOUND;
  for (const item of result.items) {
    if (item.kind !== 'rejected' || isEnded(item.rejection.code)) continue;
    throw await refusalOfRejection(ctx, item.rejection);
  }
  return result.items.some(({ kind }) => kind === 'canceled');
}
