// Places orders, one or a batch. A client id stands for one order for the life of the account: the
// core knows the ids of the orders that it remembers, the projection those of all others, and the
// checkpoint on the command tells the core how far the projection was when we looked. Nobody looks
// while the core has forgotten none.
import {
  REJECTION_CODES,
  type Order as EngineOrder,
  type OrderTerms,
  type Outcome,
  type Rejection,
  type Result,
} from '@rialto/matching';
import { Refusal } from '../../../platform/http/refusal.ts';
import { assert } from '../../../platform/std/assert.ts';
import type { TradingContext } from '../../context.ts';
import type { PrivateCaller } from '../../http/authenticate.ts';
import { getError } from '../../http/errors.ts';
import { fromRejection } from '../../http/rejections.ts';
import { checkMarketOfKey, getOrder, recallClientOrders } from '../access.ts';
import { getSigner } from '../../receipts/access.ts';
import { toOrder } from '../order.ts';
import { getPair, type MarketPair } from '../pairs.ts';
import { takeQuota } from '../quota.ts';
import { isSameRequest, toTerms, type NewOrder } from '../terms.ts';
import { isNothingDone, LOOKUP_AGAIN, placeLookedUp, submitInWindow } from './submit.ts';

export interface Placed {
  readonly order: EngineOrder;
  /** Fetched before the order is placed, so that nothing can fail between that and the answer. */
  readonly pair: MarketPair;
  /** The order had been placed before, by the same request. */
  readonly isReplay: boolean;
  /** What the engine did; undefined for a replay, which is taken from what is kept. Few requests ask for more of it. */
  readonly outcome: Outcome | undefined;
}

export async function placeOrder(
  ctx: TradingContext,
  caller: PrivateCaller,
  asked: NewOrder,
): Promise<Placed> {
  const [item] = await placeCounted(ctx, caller, [asked], 'single');
  assert(item !== undefined, 'one order has one outcome');
  if (item instanceof Refusal) throw item;
  return item;
}

export type BatchMode = 'independent' | 'all_or_none';

/** The result of each order, at the position of its request. A refused all_or_none batch throws. */
export async function placeBatch(
  ctx: TradingContext,
  caller: PrivateCaller,
  asked: readonly NewOrder[],
  mode: BatchMode,
): Promise<readonly (Placed | Refusal)[]> {
  return placeCounted(ctx, caller, asked, mode);
}

type Mode = 'single' | BatchMode;

/** Places within the account's quota. */
async function placeCounted(
  ctx: TradingContext,
  caller: PrivateCaller,
  asked: readonly NewOrder[],
  mode: Mode,
): Promise<(Placed | Refusal)[]> {
  const taken = takeQuota(ctx, caller, asked.length);
  const quota = taken instanceof Promise ? await taken : taken;
  try {
    const items = await placeAll(ctx, caller, asked, mode);
    const unused = asked.length - items.filter(isCreated).length;
    if (unused > 0) await quota.giveBack(unused);
    return items;
  } catch (error) {
    // Where the outcome is unknown, the orders stay counted.
    if (isNothingDone(error)) await quota.giveBack(asked.length);
    throw error;
  }
}

/** A fill-or-kill order that could not be filled is recorded all the same. */
export const isCreated = (item: Placed | Refusal): boolean =>
  item instanceof Refusal ? item.code === getError('FOK_NOT_FILLABLE').code : !item.isReplay;

async function placeAll(
  ctx: TradingContext,
  caller: PrivateCaller,
  asked: readonly NewOrder[],
  mode: Mode,
): Promise<(Placed | Refusal)[]> {
  const items: (Placed | Refusal | undefined)[] = [];
  const terms: (Readable | undefined)[] = [];
  for (const [index, one] of asked.entries()) {
    const parsed = parseOrder(ctx, caller, one);
    // A turn of the loop for each order of a batch would cost more than the parsing.
    const read = parsed instanceof Promise ? await parsed : parsed;
    if (read instanceof Refusal && mode === 'all_or_none') throw ofBatch(read, index);
    items.push(read instanceof Refusal ? read : undefined);
    terms.push(read instanceof Refusal ? undefined : read);
  }
  return placeLookedUp(ctx, async (isLookedUp) => {
    const checkpoint = isLookedUp ? await recallKnown(ctx, caller, terms, items, mode) : undefined;
    const open = terms.flatMap((one, index) =>
      one === undefined || items[index] !== undefined ? [] : [{ one, index }],
    );
    if (open.length > 0) {
      const outcome = await submitOrders(
        ctx,
        caller,
        open.map(({ one }) => one.terms),
        { checkpoint, mode },
      );
      const { result } = outcome;
      if (result.kind === 'lookup_again') return LOOKUP_AGAIN;
      const results = resultsOf(result);
      if (result.kind === 'batch_rejected') {
        const at = open[result.index];
        assert(at !== undefined, 'the refused order is one of the batch', { index: result.index });
        throw ofBatch(toRefusal(result.rejection, at.one.pair), at.index);
      }
      for (const [at, { one, index }] of open.entries()) {
        items[index] = toItem(outcome, results[at], one.pair);
      }
    }
    return items.map((item) => {
      assert(item !== undefined, 'every order of a batch has an outcome');
      return item;
    });
  });
}

/** The refusal of one order, as the answer to its whole batch. */
const ofBatch = ({ code, message, status, fields, headers }: Refusal, index: number): Refusal =>
  new Refusal({
    code,
    message: `Order ${index} of the batch: ${message} Nothing was placed.`,
    status,
    fields: { ...fields, index: String(index) },
    headers,
  });

/** An order that can be sent to the engine, and its market. */
export interface Readable {
  readonly terms: OrderTerms;
  readonly pair: MarketPair;
}

/** At once where the market is known. */
export function parseOrder(
  ctx: TradingContext,
  caller: PrivateCaller,
  asked: NewOrder,
): Readable | Refusal | Promise<Readable | Refusal> {
  const pair = getPair(ctx, asked.symbol);
  if (!(pair instanceof Promise)) return readOrder(ctx, caller, asked, pair);
  return pair.then((found) => readOrder(ctx, caller, asked, found), toRefusalOnly);
}

function toRefusalOnly(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

function readOrder(
  ctx: TradingContext,
  caller: PrivateCaller,
  asked: NewOrder,
  pair: MarketPair,
): Readable | Refusal {
  try {
    checkMarketOfKey(caller, asked.symbol);
    if (asked.receipt === true) getSigner(ctx);
    return { terms: toTerms(asked, pair), pair };
  } catch (error) {
    return toRefusalOnly(error);
  }
}

/** Answers from the projection what is found there; returns how far the projection was. */
export async function recallKnown(
  ctx: TradingContext,
  { account }: PrivateCaller,
  asked: readonly (Readable | undefined)[],
  items: (Placed | Refusal | undefined)[],
  mode: Mode,
): Promise<number | undefined> {
  const ids = asked.flatMap((one) => one?.terms.clientOrderId ?? []);
  if (ids.length === 0) return undefined;
  const { checkpoint, known } = await recallClientOrders(ctx, {
    accountId: account.id,
    clientOrderIds: ids,
  });
  for (const [index, one] of asked.entries()) {
    const id = one?.terms.clientOrderId;
    if (one === undefined || id === undefined || items[index] !== undefined) continue;
    const found = known.find(({ clientOrderId }) => clientOrderId === id);
    if (found === undefined) continue;
    if (isSameRequest(found, one.terms)) {
      // The order as it is now; the row that we found may be older.
      const order = await getOrder(ctx, account.id, { orderId: found.orderId });
      items[index] = { order, pair: one.pair, isReplay: true, outcome: undefined };
    } else {
      const refusal = fromRejection({
        code: REJECTION_CODES.CLIENT_ORDER_ID_CONFLICT,
        details: { clientOrderId: id, orderId: Number(found.orderId) },
      });
      if (mode === 'all_or_none') throw ofBatch(refusal, index);
      items[index] = refusal;
    }
  }
  return checkpoint;
}

function submitOrders(
  ctx: TradingContext,
  caller: PrivateCaller,
  orders: readonly OrderTerms[],
  { checkpoint, mode }: { checkpoint: number | undefined; mode: Mode },
): Promise<Outcome> {
  const head = {
    account: Number(caller.account.id),
    ...(checkpoint === undefined ? {} : { checkpoint }),
  };
  const [order] = orders;
  if (mode === 'single' && order !== undefined) {
    return submitInWindow(ctx, caller, { type: 'place', ...head, order });
  }
  const batchMode = mode === 'single' ? 'independent' : mode;
  return submitInWindow(ctx, caller, { type: 'place_batch', ...head, mode: batchMode, orders });
}

const resultsOf = (result: Result): readonly Result[] =>
  result.kind === 'batch' ? result.items : [result];

export function toItem(
  outcome: Outcome,
  result: Result | undefined,
  pair: MarketPair,
): Placed | Refusal {
  if (result?.kind === 'rejected') return toRefusal(result.rejection, pair);
  assert(result?.kind === 'placed', 'an order is placed or rejected', { kind: result?.kind });
  const { order, replay: isReplay } = result;
  return { order, pair, isReplay, outcome: isReplay ? undefined : outcome };
}

export const toRefusal = (rejection: Rejection, pair: MarketPair): Refusal =>
  fromRejection(rejection, {
    precisions: pair,
    ...(rejection.order === undefined ? {} : { order: toOrder(rejection.order, pair) }),
  });
