// Tests an order: every check of a placement, without any change.
import { assert } from '../../../platform/std/assert.ts';
import { formatAmount, formatFixed } from '../../amount.ts';
import type { TradingContext } from '../../context.ts';
import type { PrivateCaller } from '../../http/authenticate.ts';
import { getSigner } from '../../receipts/access.ts';
import { checkMarketOfKey, refusalOfRejection } from '../access.ts';
import { getPair } from '../pairs.ts';
import type { TestedOrder } from '../shapes.ts';
import { toTerms, type NewOrder } from '../terms.ts';
import { submitInWindow } from './submit.ts';

export async function testOrder(
  ctx: TradingContext,
  caller: PrivateCaller,
  asked: NewOrder,
): Promise<TestedOrder> {
  const pair = await getPair(ctx, asked.symbol);
  checkMarketOfKey(caller, asked.symbol);
  if (asked.receipt === true) getSigner(ctx);
  const order = toTerms(asked, pair);
  const account = Number(caller.account.id);
  const { result } = await submitInWindow(ctx, caller, { type: 'test', account, order });
  if (result.kind === 'rejected')
    throw await refusalOfRejection(ctx, result.rejection, asked.symbol);
  assert(result.kind === 'tested', 'a test is passed or rejected', { kind: result.kind });
  return {
    accepted: true,
    estimatedFills: result.fills.map(({ priceTicks, lots }) => ({
      price: formatFixed(BigInt(priceTicks), pair.quotePrecision),
      volume: formatFixed(BigInt(lots), pair.basePrecision),
    })),
    estimatedFee: formatAmount(result.fee),
    feeCurrency: result.feeCoin,
    hold: formatAmount(result.hold),
    holdCurrency: result.holdCoin,
  };
}
