// Renders the answer to a replacement. If only one half was done, the answer is an error that holds both.
import { Refusal } from '../../../platform/http/refusal.ts';
import type { TradingContext } from '../../context.ts';
import { Answer } from '../../http/envelope.ts';
import { printOrders } from '../access.ts';
import { afterActing } from '../actions/submit.ts';
import { printWithReceipt, REPLAYED, toFailedItem } from '../answers.ts';
import type { Order } from '../order.ts';
import type { CanceledItem, PlacedItem } from '../shapes.ts';
import type { NewOrder } from '../terms.ts';
import type { Replaced } from './actions.ts';
import type { Replacement } from './shapes.ts';

const PARTLY = 409;

export async function answerReplaced(
  ctx: TradingContext,
  { canceled, created }: Replaced,
  asked: NewOrder,
): Promise<Replacement | Answer<Replacement>> {
  if (created === undefined)
    throw canceled instanceof Refusal ? withoutPlacement(canceled) : lost();
  return afterActing(ctx, async () => {
    const ended = canceled instanceof Refusal ? canceled : (await printOrders(ctx, [canceled]))[0];
    const placed =
      created instanceof Refusal ? created : await printWithReceipt(ctx, created, asked);
    const isReplay = !(created instanceof Refusal) && created.isReplay;
    const headers = isReplay ? REPLAYED : {};
    if (!(ended instanceof Refusal) && !(placed instanceof Refusal)) {
      const both = { canceled: ended as Order, created: placed };
      return isReplay ? new Answer(both, headers) : both;
    }
    const details = {
      canceled: toItem(ended) as CanceledItem,
      created: toItem(placed) as PlacedItem,
    };
    throw partly(ended, placed, details, headers);
  });
}

const toItem = (part: unknown) =>
  part instanceof Refusal ? toFailedItem(part) : { status: 'true' as const, order: part };

const lost = () => new Error('A cancel that was done goes on to the placement.');

/** Nothing was done at all: the refusal of the cancel is the answer. */
const withoutPlacement = ({ code, message, status, fields, headers }: Refusal): Refusal =>
  new Refusal({ code, message: `${message} Nothing was placed.`, status, fields, headers });

/** The code is that of the half that failed; if both failed, that of the placement. */
function partly(
  ended: unknown,
  placed: unknown,
  details: Record<string, unknown>,
  headers: Record<string, string>,
): Refusal {
  if (!(placed instanceof Refusal)) {
    const { code, message } = ended as Refusal;
    const text = `The new order is placed, but the old one was not canceled: ${message}`;
    return new Refusal({ code, message: text, status: PARTLY, fields: details, headers });
  }
  const { code, message, status } = placed;
  if (ended instanceof Refusal) {
    const text = `Neither was the old order canceled nor the new one placed: ${message}`;
    return new Refusal({ code, message: text, status, fields: details, headers });
  }
  const text = `The old order is canceled, but the new one was not placed: ${message}`;
  return new Refusal({ code, message: text, status: PARTLY, fields: details, headers });
}
