// What a caller may ask for when placing an order list, its form for the matching core, and the orders that
// it consists of.
import {
  SIDES,
  STP_MODES,
  type BracketTerms,
  type ListTerms,
  type OcoTerms,
  type Order as EngineOrder,
  type OrderTerms,
} from '@rialto/matching';
import { Type, type Static } from 'typebox';
import { assert } from '../../platform/std/assert.ts';
import type { Precisions } from '../http/rejections.ts';
import {
  align,
  ClientOrderId,
  DecimalText,
  isSameOrder,
  ORDER_PARAMS,
  toDecimals,
  toTerms,
  type KeptTerms,
} from '../orders/terms.ts';
import { Choice, MarketSymbol } from '../values.ts';

const idOf = (leg: string) =>
  Type.Optional(
    Type.String({ ...ClientOrderId, description: `An id of your own for the ${leg}.` }),
  );

export const NewOco = Type.Object({
  symbol: MarketSymbol,
  side: Choice(SIDES, 'Which side, of both legs.'),
  volume: DecimalText('Of each leg; only one of them trades.', '0.010000'),
  limitPrice: DecimalText('Limit of the leg that takes the profit.', '66000.00'),
  stopPrice: DecimalText('Trigger of the leg that limits the loss.', '63000.00'),
  stopLimitPrice: Type.Optional(
    DecimalText(
      'Limit of the stop. When absent, it becomes a market order, which only a sell may.',
      '62900.00',
    ),
  ),
  stpMode: Type.Optional(
    Choice(STP_MODES, 'Of both legs: what happens instead of a trade with oneself.'),
  ),
  limitClientOrderId: idOf('limit leg'),
  stopClientOrderId: idOf('stop leg'),
});
export type NewOco = Static<typeof NewOco>;

const { stopPrice: _, trailingDelta: __, ...ENTRY_PARAMS } = ORDER_PARAMS;

export const NewBracket = Type.Object({
  ...ENTRY_PARAMS,
  side: Choice(SIDES, 'Which side, of the entry; the exits have the other.'),
  type: Choice(['limit', 'market'], 'The type of the entry.'),
  takeProfitPrice: DecimalText('Limit of the exit that takes the profit.', '66000.00'),
  stopLossPrice: DecimalText('Trigger of the exit that limits the loss.', '63000.00'),
  stopLossLimitPrice: Type.Optional(
    DecimalText(
      'Limit of that stop. When absent, it becomes a market order, which only a sell may.',
      '62900.00',
    ),
  ),
  takeProfitClientOrderId: idOf('exit that takes the profit'),
  stopLossClientOrderId: idOf('exit that limits the loss'),
});
export type NewBracket = Static<typeof NewBracket>;

export function toOcoTerms(asked: NewOco, precisions: Precisions): OcoTerms {
  const { limitPrice, stopPrice, stopLimitPrice } = asked;
  const { volume, volumeDecimals } = toDecimals({ volume: asked.volume }, precisions);
  const { values, decimals } = align(
    { limitPrice, stopPrice, stopLimitPrice },
    precisions.quotePrecision,
    'PRICE_PRECISION',
  );
  return {
    kind: 'oco',
    symbol: asked.symbol,
    side: asked.side,
    volume: required(volume),
    ...(volumeDecimals === undefined ? {} : { volumeDecimals }),
    limitPrice: required(values.limitPrice),
    stopPrice: required(values.stopPrice),
    ...(values.stopLimitPrice === undefined ? {} : { stopLimitPrice: values.stopLimitPrice }),
    ...(decimals === undefined ? {} : { priceDecimals: decimals }),
    ...(asked.stpMode === undefined ? {} : { stpMode: asked.stpMode }),
    ...(asked.limitClientOrderId === undefined
      ? {}
      : { limitClientOrderId: asked.limitClientOrderId }),
    ...(asked.stopClientOrderId === undefined
      ? {}
      : { stopClientOrderId: asked.stopClientOrderId }),
  };
}

export function toBracketTerms(asked: NewBracket, precisions: Precisions): BracketTerms {
  const { takeProfitPrice, stopLossPrice, stopLossLimitPrice } = asked;
  const { values, decimals } = align(
    { takeProfitPrice, stopLossPrice, stopLossLimitPrice },
    precisions.quotePrecision,
    'PRICE_PRECISION',
  );
  return {
    kind: 'bracket',
    entry: toTerms(asked, precisions),
    takeProfitPrice: required(values.takeProfitPrice),
    stopLossPrice: required(values.stopLossPrice),
    ...(values.stopLossLimitPrice === undefined
      ? {}
      : { stopLossLimitPrice: values.stopLossLimitPrice }),
    ...(decimals === undefined ? {} : { priceDecimals: decimals }),
    ...(asked.takeProfitClientOrderId === undefined
      ? {}
      : { takeProfitClientOrderId: asked.takeProfitClientOrderId }),
    ...(asked.stopLossClientOrderId === undefined
      ? {}
      : { stopLossClientOrderId: asked.stopLossClientOrderId }),
  };
}

/** The parameter is required, so a parsed request has it. */
function required(value: number | undefined): number {
  assert(value !== undefined, 'a required decimal was given');
  return value;
}

/**
 * The orders of the list, by position. The exits of a bracket have no volume of their own: they take over
 * what the entry filled.
 */
export function legsOf(list: ListTerms): OrderTerms[] {
  if (list.kind === 'oco') {
    const { symbol, side, volume, stpMode } = list;
    const shared = {
      symbol,
      side,
      volume,
      ...(list.volumeDecimals === undefined ? {} : { volumeDecimals: list.volumeDecimals }),
      ...(stpMode === undefined ? {} : { stpMode }),
    };
    return exitsOf(shared, {
      limit: list.limitPrice,
      stop: list.stopPrice,
      stopLimit: list.stopLimitPrice,
      decimals: list.priceDecimals,
      limitId: list.limitClientOrderId,
      stopId: list.stopClientOrderId,
    });
  }
  const { symbol, side, stpMode } = list.entry;
  const shared = {
    symbol,
    side: side === 'buy' ? ('sell' as const) : ('buy' as const),
    ...(stpMode === undefined ? {} : { stpMode }),
  };
  const exits = exitsOf(shared, {
    limit: list.takeProfitPrice,
    stop: list.stopLossPrice,
    stopLimit: list.stopLossLimitPrice,
    decimals: list.priceDecimals,
    limitId: list.takeProfitClientOrderId,
    stopId: list.stopLossClientOrderId,
  });
  return [list.entry, ...exits];
}

interface Exits {
  readonly limit: number;
  readonly stop: number;
  readonly stopLimit: number | undefined;
  readonly decimals: number | undefined;
  readonly limitId: string | undefined;
  readonly stopId: string | undefined;
}

function exitsOf(
  shared: Pick<OrderTerms, 'symbol' | 'side' | 'volume' | 'volumeDecimals' | 'stpMode'>,
  { limit, stop, stopLimit, decimals, limitId, stopId }: Exits,
): OrderTerms[] {
  const precise = decimals === undefined ? {} : { priceDecimals: decimals };
  return [
    {
      ...shared,
      ...precise,
      type: 'limit',
      price: limit,
      ...(limitId === undefined ? {} : { clientOrderId: limitId }),
    },
    {
      ...shared,
      ...precise,
      type: stopLimit === undefined ? 'stop_market' : 'stop_limit',
      stopPrice: stop,
      ...(stopLimit === undefined ? {} : { price: stopLimit }),
      ...(stopId === undefined ? {} : { clientOrderId: stopId }),
    },
  ];
}

/**
 * Is this the request that made the list with these legs? `kept` has the original terms of those with a client
 * id. The core does the same comparison for the lists that it remembers.
 */
export function isSameList(
  list: ListTerms,
  legs: readonly EngineOrder[],
  kept: ReadonlyMap<number, KeptTerms>,
): boolean {
  const asked = legsOf(list);
  return (
    legs.length === asked.length &&
    legs.every((order, position) => {
      const leg = asked[position] as OrderTerms;
      return (
        order.orderListKind === list.kind &&
        order.clientOrderId === (leg.clientOrderId ?? '') &&
        isSameLeg(kept.get(order.orderId) ?? keptOf(order, leg), leg)
      );
    })
  );
}

/** Where the request names no volume, any fits. */
const isSameLeg = (kept: KeptTerms, leg: OrderTerms): boolean =>
  isSameOrder(
    leg.volume === undefined && leg.total === undefined ? { ...kept, volume: 0n } : kept,
    leg,
  );

/**
 * The original terms are kept only of orders with a client id. Those of any other are taken from the order
 * itself, so after an amendment the request that made it differs from it.
 */
const keptOf = (order: EngineOrder, { stpMode }: OrderTerms): KeptTerms => ({
  ...order,
  // An order does not tell whether its mode was asked for or is the market's own.
  stpMode: stpMode === undefined ? '' : order.stpMode,
  price: BigInt(order.price),
  stopPrice: BigInt(order.stopPrice),
  volume: BigInt(order.volume),
  visibleVolume: BigInt(order.visibleVolume),
  expireMs: BigInt(order.expireTime),
  orderListId: BigInt(order.orderListId),
});
