// Places order lists. The client ids of the legs stand for the list: repeating them with the same terms
// answers the list as it is now.
import {
  REJECTION_CODES,
  type ListTerms,
  type Order as EngineOrder,
  type OrderTerms,
} from '@rialto/matching';
import { Refusal } from '../../../platform/http/refusal.ts';
import { assert } from '../../../platform/std/assert.ts';
import type { TradingContext } from '../../context.ts';
import type { PrivateCaller } from '../../http/authenticate.ts';
import { getError } from '../../http/errors.ts';
import { fromRejection } from '../../http/rejections.ts';
import { checkMarketOfKey, recallClientOrders } from '../../orders/access.ts';
import { toRefusal } from '../../orders/actions/place.ts';
import {
  isNothingDone,
  LOOKUP_AGAIN,
  placeLookedUp,
  submitInWindow,
} from '../../orders/actions/submit.ts';
import { getPair, type MarketPair } from '../../orders/pairs.ts';
import { takeQuota } from '../../orders/quota.ts';
import { findLegs, getLegs } from '../access.ts';
import { isSameList, legsOf } from '../terms.ts';

export interface PlacedList {
  /** By position. */
  readonly legs: readonly EngineOrder[];
  /** Fetched before the list is placed, so that nothing can fail between that and the answer. */
  readonly pair: MarketPair;
  /** The list had been placed before, by the same request. */
  readonly isReplay: boolean;
}

/** `toList` gives the terms in the core's form, by the decimals of the market. */
export async function placeList(
  ctx: TradingContext,
  caller: PrivateCaller,
  symbol: string,
  toList: (pair: MarketPair) => ListTerms,
): Promise<PlacedList> {
  const pair = await getPair(ctx, symbol);
  checkMarketOfKey(caller, symbol);
  const list = toList(pair);
  const legs = legsOf(list);
  const quota = await takeQuota(ctx, caller, legs.length);
  try {
    const placed = await placeLookedUp(ctx, (isLookedUp) =>
      tryPlacing(ctx, caller, { list, legs, pair, isLookedUp }),
    );
    if (placed.isReplay) await quota.giveBack(legs.length);
    return placed;
  } catch (error) {
    if (isNothingDone(error) && !isRecorded(error)) await quota.giveBack(legs.length);
    throw error;
  }
}

/** The entry of a bracket that could not be filled at once is recorded, with its exits. */
const isRecorded = (error: unknown): boolean =>
  error instanceof Refusal && error.code === getError('FOK_NOT_FILLABLE').code;

interface Attempt {
  readonly list: ListTerms;
  readonly legs: readonly OrderTerms[];
  readonly pair: MarketPair;
  /** Whether the client ids are searched for in the tables first. */
  readonly isLookedUp: boolean;
}

async function tryPlacing(
  ctx: TradingContext,
  caller: PrivateCaller,
  { list, legs, pair, isLookedUp }: Attempt,
): Promise<PlacedList | typeof LOOKUP_AGAIN> {
  const ids = !isLookedUp ? [] : legs.flatMap(({ clientOrderId }) => clientOrderId ?? []);
  const recalled = await recallList(ctx, caller, list, ids);
  if (recalled.legs !== undefined) return { legs: recalled.legs, pair, isReplay: true };
  const { checkpoint } = recalled;
  const { result } = await submitInWindow(ctx, caller, {
    type: 'place_list',
    account: Number(caller.account.id),
    ...(checkpoint === undefined ? {} : { checkpoint }),
    list,
  });
  if (result.kind === 'lookup_again') return LOOKUP_AGAIN;
  if (result.kind === 'rejected') throw toRefusal(result.rejection, pair);
  assert(result.kind === 'listed', 'a list is placed or rejected', { kind: result.kind });
  const { orders, replay: isReplay } = result;
  if (orders.length === legs.length) return { legs: orders, pair, isReplay };
  // A leg that ended long ago is forgotten.
  const [one] = orders;
  assert(one !== undefined, 'a list that is known has a leg that is known');
  return { legs: await getLegs(ctx, caller.account.id, one.orderListId), pair, isReplay };
}

interface RecalledList {
  /** How far the projection was; undefined when no leg has a client id. */
  readonly checkpoint: number | undefined;
  /** The list that the same request made before, as it is now. */
  readonly legs?: readonly EngineOrder[];
}

/** Looks the client ids up in the projection. Throws when one of them stands for something else. */
async function recallList(
  ctx: TradingContext,
  { account }: PrivateCaller,
  list: ListTerms,
  ids: readonly string[],
): Promise<RecalledList> {
  if (ids.length === 0) return { checkpoint: undefined };
  const { checkpoint, known } = await recallClientOrders(ctx, {
    accountId: account.id,
    clientOrderIds: ids,
  });
  const [first] = known;
  if (first === undefined) return { checkpoint };
  const legs =
    first.orderListId === 0n ? [] : await findLegs(ctx, account.id, Number(first.orderListId));
  const kept = new Map(known.map((one) => [Number(one.orderId), one]));
  if (isSameList(list, legs, kept)) return { checkpoint, legs };
  throw fromRejection({
    code: REJECTION_CODES.CLIENT_ORDER_ID_CONFLICT,
    details: { clientOrderId: first.clientOrderId, orderId: Number(first.orderId) },
  });
}
