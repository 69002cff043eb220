// Renders the answers to placements and batches.
import type { Order as EngineOrder, Outcome } from '@rialto/matching';
import { Refusal } from '../../platform/http/refusal.ts';
import { assert } from '../../platform/std/assert.ts';
import type { TradingContext } from '../context.ts';
import { Answer, RenderedJson } from '../http/envelope.ts';
import { findError } from '../http/errors.ts';
import { getSigner, recallReceipt } from '../receipts/access.ts';
import { makeReceipt, termsOfRequest } from '../receipts/receipt.ts';
import { listAllTradesOf, printOrders } from './access.ts';
import type { Placed } from './actions/place.ts';
import { afterActing } from './actions/submit.ts';
import { printOrder, toAck, toOrder, type Order } from './order.ts';
import { REPLAY_HEADER, type CanceledItem, type PlacedOrder } from './shapes.ts';
import type { NewOrder } from './terms.ts';
import { toMyTrade, tradesOf } from './trade.ts';

export const REPLAYED = { [REPLAY_HEADER]: 'true' };

export async function answerPlaced(
  ctx: TradingContext,
  placed: Placed,
  asked: NewOrder,
): Promise<RenderedJson | Answer<RenderedJson>> {
  const order = new RenderedJson(await afterActing(ctx, () => renderPlaced(ctx, placed, asked)));
  return placed.isReplay ? new Answer(order, REPLAYED) : order;
}

/** The JSON text of what `printWithReceipt` returns. What most requests want to see is printed without it. */
function renderPlaced(
  ctx: TradingContext,
  placed: Placed,
  asked: NewOrder,
): string | Promise<string> {
  const { responseType = 'result', receipt = false } = asked;
  if (responseType === 'result' && !receipt) return printOrder(placed.order, placed.pair);
  return printWithReceipt(ctx, placed, asked).then((printed) => JSON.stringify(printed));
}

/** An order that was placed, as the request wants to see it. */
export async function printWithReceipt(
  ctx: TradingContext,
  placed: Placed,
  asked: NewOrder,
): Promise<PlacedOrder> {
  const printed = await printPlaced(ctx, placed, asked.responseType);
  if (asked.receipt !== true) return printed;
  const { order, outcome } = placed;
  const acceptedSeq = outcome && findAcceptance(outcome, order);
  const receipt =
    acceptedSeq === undefined
      ? await recallReceipt(ctx, order)
      : makeReceipt(getSigner(ctx), { order, acceptedSeq }, termsOfRequest(asked));
  return { ...printed, receipt };
}

/** The first event of the order: a later one of the same command may have changed it already. */
const findAcceptance = ({ steps }: Outcome, { orderId }: EngineOrder): number | undefined =>
  steps.find(({ orders }) => orders.some((one) => one.orderId === orderId))?.engineSeq;

async function printPlaced(
  ctx: TradingContext,
  { order, pair, outcome }: Placed,
  responseType: NewOrder['responseType'] = 'result',
): Promise<PlacedOrder> {
  if (responseType === 'ack') return toAck(order);
  const printed = toOrder(order, pair);
  if (responseType === 'result') return printed;
  // A replay made no trades now.
  const all = outcome === undefined ? await listAllTradesOf(ctx, order) : tradesOf(outcome, order);
  return { ...printed, trades: all.map((trade) => toMyTrade(trade, pair)) };
}

/** The text of the answer to a batch. */
export class RenderedBatch extends RenderedJson {
  /** For each order, whether it was refused. */
  readonly refused: readonly boolean[];
  constructor(json: string, refused: readonly boolean[]) {
    super(json);
    this.refused = refused;
  }
}

export async function answerBatch(
  ctx: TradingContext,
  items: readonly (Placed | Refusal)[],
  asked: readonly NewOrder[],
): Promise<RenderedBatch> {
  const texts = await afterActing(ctx, () =>
    Promise.all(
      items.map(async (item, index) => {
        if (item instanceof Refusal) return JSON.stringify(toFailedItem(item));
        const one = asked[index];
        assert(one !== undefined, 'every outcome has its request', { index });
        const order = renderPlaced(ctx, item, one);
        return toPlacedItem(typeof order === 'string' ? order : await order);
      }),
    ),
  );
  return new RenderedBatch(
    `[${texts.join(',')}]`,
    items.map((item) => item instanceof Refusal),
  );
}

const toPlacedItem = (order: string): string => `{"status":"true","order":${order}}`;

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
