// The parameters of the call that places what was entered. They hold the very strings that were shown.
import {
  decimal,
  type MarketDetail,
  type OrderCreateParams,
  type OrderListCreateBracketParams,
  type OrderListCreateOcoParams,
} from '@rialto/sdk';
import { numberOf, type Sized } from './derive.ts';
import type { Draft, OrderType } from './draft.ts';

/** Without ids: those belong to the click. */
export type Placement =
  | { readonly call: 'create'; readonly params: OrderCreateParams }
  | { readonly call: 'createOco'; readonly params: OrderListCreateOcoParams }
  | { readonly call: 'createBracket'; readonly params: OrderListCreateBracketParams };

/** Undefined while something that is needed is missing. Whether the venue would take it is another question. */
export function placementOf(
  draft: Draft,
  { shape, sent }: Sized,
  { symbol }: Pick<MarketDetail, 'symbol'>,
): Placement | undefined {
  if (sent === undefined) return undefined;
  const price = shape.price === 'none' ? undefined : numberOf(draft, 'price');
  const stopPrice = shape.stopPrice === 'none' ? undefined : numberOf(draft, 'stopPrice');
  const stopLimit = shape.stopLimit === 'none' ? undefined : numberOf(draft, 'stopLimit');
  if (
    (shape.price === 'required' && price === undefined) ||
    (shape.stopPrice === 'required' && stopPrice === undefined) ||
    (shape.stopLimit === 'required' && stopLimit === undefined)
  )
    return undefined;
  const { side } = draft;
  const stp = draft.stpMode === undefined ? {} : { stpMode: draft.stpMode };
  if (draft.kind === 'oco') {
    if (price === undefined || stopPrice === undefined) return undefined;
    return {
      call: 'createOco',
      params: {
        symbol,
        side,
        volume: sent.value,
        limitPrice: price,
        stopPrice,
        ...(stopLimit !== undefined && { stopLimitPrice: stopLimit }),
        ...stp,
      },
    };
  }
  const rest = { ...restOf(draft, shape), ...stp };
  const size = { [sent.name]: sent.value } as { volume: string } | { total: string };
  if (draft.kind === 'bracket') {
    const takeProfitPrice = numberOf(draft, 'takeProfit');
    if (takeProfitPrice === undefined || stopPrice === undefined) return undefined;
    return {
      call: 'createBracket',
      params: {
        symbol,
        side,
        type: draft.entry,
        ...(price !== undefined && { price }),
        ...size,
        ...rest,
        takeProfitPrice,
        stopLossPrice: stopPrice,
        ...(stopLimit !== undefined && { stopLossLimitPrice: stopLimit }),
      },
    };
  }
  const delta = shape.hasDelta ? numberOf(draft, 'delta') : undefined;
  if (shape.hasDelta && delta === undefined) return undefined;
  const kind: OrderType = draft.kind;
  return {
    call: 'create',
    params: {
      symbol,
      side,
      type: kind,
      ...(price !== undefined && { price }),
      ...size,
      ...(stopPrice !== undefined && { stopPrice }),
      ...(delta !== undefined && { trailingDelta: basisPoints(delta) }),
      ...rest,
    },
  };
}

/** A percentage in hundredths of it. */
const basisPoints = (percent: string): string => decimal.multiply(percent, '100');

type Rest = Pick<
  OrderCreateParams,
  'timeInForce' | 'expireTime' | 'postOnly' | 'visibleVolume' | 'stpMode'
>;

function restOf(draft: Draft, shape: Sized['shape']): Rest {
  if (!shape.hasTimeInForce) return {};
  const { timeInForce, expiresMs } = draft;
  const visible = shape.canRest ? numberOf(draft, 'visible') : undefined;
  return {
    timeInForce,
    ...(timeInForce === 'GTD' && expiresMs !== undefined && { expireTime: expiresMs }),
    ...(shape.canRest && draft.isPostOnly && { postOnly: true }),
    ...(visible !== undefined && { visibleVolume: visible }),
  };
}
