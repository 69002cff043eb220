// Amending: the order keeps its id; lowering its volume keeps its place in the queue as well.
import { REJECTION_CODES, type Order as EngineOrder } from '@rialto/matching';
import { assert } from '../../../platform/std/assert.ts';
import type { TradingContext } from '../../context.ts';
import type { PrivateCaller } from '../../http/authenticate.ts';
import { refuse } from '../../http/errors.ts';
import { checkMarketOfKey, getOrder, toRef, refusalOfRejection } from '../access.ts';
import type { OrderName } from '../name.ts';
import { getPair, type MarketPair } from '../pairs.ts';
import { toDecimals, type AskedDecimals } from '../terms.ts';
import { alreadyFinal } from './cancel.ts';
import { submitInWindow } from './submit.ts';

export interface Amended {
  readonly order: EngineOrder;
  readonly pair: MarketPair;
  readonly keptPriority: boolean;
  /** The amendment had been made before, by the same request. */
  readonly replay: boolean;
}

/** An `amendId` names the amendment: the engine makes it once, and answers it again and again. */
export async function amendOrder(
  ctx: TradingContext,
  caller: PrivateCaller,
  name: OrderName,
  asked: AskedDecimals,
  amendId: string | undefined,
): Promise<Amended> {
  if (Object.values(asked).every((value) => value === undefined)) {
    throw refuse(
      'PARAMETER_MISSING',
      'An amendment names at least one of volume, price, stopPrice and visibleVolume.',
      { parameter: 'volume' },
    );
  }
  // The market tells how numbers are parsed, and whether the key may trade there at all.
  const before = await getOrder(ctx, caller.account.id, name);
  checkMarketOfKey(caller, before.symbol);
  const pair = await getPair(ctx, before.symbol);
  const { result } = await submitInWindow(ctx, caller, {
    type: 'amend',
    account: Number(caller.account.id),
    ...toRef(name),
    ...(amendId === undefined ? {} : { amendId }),
    ...toDecimals(asked, pair),
  });
  if (result.kind === 'rejected') {
    // It existed a moment ago, so an engine that does not know it has forgotten it: it was final.
    const isForgotten = result.rejection.code === REJECTION_CODES.ORDER_NOT_FOUND;
    const rejection = isForgotten ? alreadyFinal(before) : result.rejection;
    throw await refusalOfRejection(ctx, rejection, before.symbol);
  }
  assert(result.kind === 'amended', 'an order is amended or not', { kind: result.kind });
  return { ...result, pair };
}
