// Replaces an order: one is canceled and another placed, in one command of the engine. A client id of
// the new order makes the whole repeatable: nothing is canceled a second time.
import { REJECTION_CODES, type Order as EngineOrder } from '@rialto/matching';
import { Refusal } from '../../../platform/http/refusal.ts';
import { assert } from '../../../platform/std/assert.ts';
import type { TradingContext } from '../../context.ts';
import type { PrivateCaller } from '../../http/authenticate.ts';
import { fromRejection } from '../../http/rejections.ts';
import { findOrder, refusalOfRejection, toRef } from '../access.ts';
import { alreadyFinal, checkMarketsOf, toItems } from '../actions/cancel.ts';
import {
  isCreated,
  parseOrder,
  recallKnown,
  toItem,
  toRefusal,
  type Placed,
  type Readable,
} from '../actions/place.ts';
import {
  afterActing,
  isNothingDone,
  LOOKUP_AGAIN,
  placeLookedUp,
  submitInWindow,
} from '../actions/submit.ts';
import type { OrderName } from '../name.ts';
import { takeQuota } from '../quota.ts';
import type { NewOrder } from '../terms.ts';

export type ReplaceMode = 'stop_on_failure' | 'allow_failure';

export interface Replaced {
  readonly canceled: EngineOrder | Refusal;
  /** Undefined if the cancel failed and stopped the placement. */
  readonly created: Placed | Refusal | undefined;
}

export async function replaceOrder(
  ctx: TradingContext,
  caller: PrivateCaller,
  name: OrderName,
  asked: NewOrder,
  mode: ReplaceMode,
): Promise<Replaced> {
  const read = await parseOrder(ctx, caller, asked);
  if (read instanceof Refusal) throw read;
  await checkMarketsOf(ctx, caller, [name]);
  const quota = await takeQuota(ctx, caller, 1);
  try {
    const replaced = await placeLookedUp(ctx, (isLookedUp) =>
      tryReplacing(ctx, caller, { name, read, mode, isLookedUp }),
    );
    const { created } = replaced;
    if (created === undefined || !isCreated(created)) await quota.giveBack(1);
    return replaced;
  } catch (error) {
    if (isNothingDone(error)) await quota.giveBack(1);
    throw error;
  }
}

interface Attempt {
  readonly name: OrderName;
  readonly read: Readable;
  readonly mode: ReplaceMode;
  /** Whether the client id is searched for in the tables first. */
  readonly isLookedUp: boolean;
}

async function tryReplacing(
  ctx: TradingContext,
  caller: PrivateCaller,
  { name, read, mode, isLookedUp }: Attempt,
): Promise<Replaced | typeof LOOKUP_AGAIN> {
  const items: (Placed | Refusal | undefined)[] = [];
  const checkpoint = isLookedUp
    ? await recallKnown(ctx, caller, [read], items, 'single')
    : undefined;
  const [known] = items;
  if (known instanceof Refusal) throw known;
  if (known !== undefined) return recallReplaced(ctx, caller, name, known);
  const outcome = await submitInWindow(ctx, caller, {
    type: 'replace',
    account: Number(caller.account.id),
    ...toRef(name),
    mode,
    ...(checkpoint === undefined ? {} : { checkpoint }),
    order: read.terms,
  });
  const { result } = outcome;
  if (result.kind === 'lookup_again') return LOOKUP_AGAIN;
  if (result.kind === 'rejected') throw toRefusal(result.rejection, read.pair);
  assert(result.kind === 'replaced', 'an order is replaced or not', { kind: result.kind });
  return afterActing(ctx, async () => {
    const created = result.created && toItem(outcome, result.created, read.pair);
    const isReplay = created !== undefined && !(created instanceof Refusal) && created.isReplay;
    if (isReplay) return recallReplaced(ctx, caller, name, created);
    const [canceled] = await toItems(ctx, caller, [name], [result.canceled]);
    assert(canceled !== undefined, 'one order has one outcome');
    return { canceled, created };
  });
}

const LIVE: ReadonlySet<string> = new Set(['pending', 'open', 'partially_filled']);

/** Both orders as they are now, after a repetition. The core forgets the old one sooner than we do. */
async function recallReplaced(
  ctx: TradingContext,
  { account }: PrivateCaller,
  name: OrderName,
  created: Placed,
): Promise<Replaced> {
  const old = await findOrder(ctx, account.id, name);
  if (old === undefined) {
    const rejection = { code: REJECTION_CODES.ORDER_NOT_FOUND, details: {} };
    return { canceled: fromRejection(rejection), created };
  }
  if (LIVE.has(old.status)) {
    // The new order exists, and it did not replace this one.
    const { clientOrderId, orderId } = created.order;
    const code = REJECTION_CODES.CLIENT_ORDER_ID_CONFLICT;
    throw fromRejection({ code, details: { clientOrderId, orderId } });
  }
  const isCanceled = old.status === 'canceled';
  return {
    canceled: isCanceled ? old : await refusalOfRejection(ctx, alreadyFinal(old)),
    created,
  };
}
