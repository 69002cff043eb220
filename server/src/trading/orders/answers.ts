// Renders the answers to placements and batches.
import type { Order as EngineOrder } from '@rialto/matching';
import { Refusal } from '../../platform/http/refusal.ts';
import { assert } from '../../platform/std/assert.ts';
import type { TradingContext } from '../context.ts';
import { Answer } from '../http/envelope.ts';
import { findError } from '../http/errors.ts';
import { getSigner, recallReceipt } from '../receipts/access.ts';
import { makeReceipt, termsOfRequest } from '../receipts/receipt.ts';
import { listAllTradesOf, printOrders } from './access.ts';
import type { Placed } from './actions/place.ts';
import { afterActing } from './actions/submit.ts';
import { toAck, toOrder, type Order } from './order.ts';
import { REPLAY_HEADER, type CanceledItem, type PlacedItem, type PlacedOrder } from './shapes.ts';
import type { NewOrder } from './terms.ts';
import { toMyTrade } from './trade.ts';

export const REPLAYED = { [REPLAY_HEADER]: 'true' };

export async function answerPlaced(
  ctx: TradingContext,
  placed: Placed,
  asked: NewOrder,
): Promise<PlacedOrder | Answer<PlacedOrder>> {
  const order = await afterActing(ctx, () => printWithReceipt(ctx, placed, asked));
  return placed.isReplay ? new Answer(order, REPLAYED) : order;
}

/** An order that was placed, as the request wants to see it. */
export async function printWithReceipt(
  ctx: TradingContext,
  placed: Placed,
  asked: NewOrder,
): Promise<PlacedOrder> {
  const printed = await printPlaced(ctx, placed, asked.responseType);
  if (asked.receipt !== true) return printed;
  const { order, acceptedSeq } = placed;
  const receipt =
    acceptedSeq === undefined
      ? await recallReceipt(ctx, order)
      : makeReceipt(getSigner(ctx), { order, acceptedSeq }, termsOfRequest(asked));
  return { ...printed, receipt };
}

async function printPlaced(
  ctx: TradingContext,
  { order, pair, trades, isReplay }: Placed,
  responseType: NewOrder['responseType'] = 'result',
): Promise<PlacedOrder> {
  if (responseType === 'ack') return toAck(order);
  const printed = toOrder(order, pair);
  if (responseType === 'result') return printed;
  const all = isReplay ? await listAllTradesOf(ctx, order) : trades;
  return { ...printed, trades: all.map((trade) => toMyTrade(trade, pair)) };
}

export function answerBatch(
  ctx: TradingContext,
  items: readonly (Placed | Refusal)[],
  asked: readonly NewOrder[],
): Promise<PlacedItem[]> {
  return afterActing(ctx, () =>
    Promise.all(
      items.map(async (item, index): Promise<PlacedItem> => {
        if (item instanceof Refusal) return toFailedItem(item);
        const one = asked[index];
        assert(one !== undefined, 'every outcome has its request', { index });
        return { status: 'true', order: await printWithReceipt(ctx, item, one) };
      }),
    ),
  );
}

export async function answerCanceled(
  ctx: TradingContext,
  items: readonly (EngineOrder | Refusal)[],
): Promise<CanceledItem[]> {
  const orders = items.flatMap((item) => (item instanceof Refusal ? [] : [item]));
  const printed = new Map<EngineOrder, Order>();
  const texts = await afterActing(ctx, () => printOrders(ctx, orders));
  for (const [index, order] of texts.entries()) {
    printed.set(orders[index] as EngineOrder, order);
  }
  return items.map((item): CanceledItem =>
    item instanceof Refusal
      ? toFailedItem(item)
      : { status: 'true', order: printed.get(item) as Order },
  );
}

export function toFailedItem({ code, message, fields: details }: Refusal) {
  const name = findError(code)?.name ?? 'INTERNAL';
  return { status: 'false' as const, error: { code, name, message, details } };
}
