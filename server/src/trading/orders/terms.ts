// What a caller may ask for when placing or amending, and its form for the matching core: whole
// numbers with a count of decimals. Nothing is rounded; a number that does not fit is refused.
import {
  findDecimal,
  findUnits,
  LIMITS,
  ORDER_TYPES,
  REJECTION_CODES,
  SIDES,
  STP_MODES,
  TIMES_IN_FORCE,
  type Decimal,
  type OrderTerms,
} from '@rialto/matching';
import { Type, type Static } from 'typebox';
import type { Refusal } from '../../platform/http/refusal.ts';
import { AMOUNT_DECIMALS } from '../amount.ts';
import { refuse } from '../http/errors.ts';
import { fromRejection, type Precisions } from '../http/rejections.ts';
import { Choice, MarketSymbol } from '../values.ts';

export const DecimalText = (description: string, example: string) =>
  Type.String({
    pattern: '^[0-9]+(\\.[0-9]+)?$',
    maxLength: 60,
    description,
    examples: [example],
  });

export const ClientOrderId = Type.String({
  pattern: '^[A-Za-z0-9._:/-]{1,36}$',
  description: 'An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`.',
  examples: ['desk-a-1'],
});

export const OrderId = Type.String({
  pattern: '^[0-9]{1,16}$',
  description: 'The venue’s id of the order.',
  examples: ['1048577'],
});

/** The parameters of an order that say what is traded, and how. */
export const ORDER_PARAMS = {
  symbol: MarketSymbol,
  side: Choice(SIDES, 'Which side.'),
  type: Choice(ORDER_TYPES, 'The type of order.'),
  price: Type.Optional(
    DecimalText(
      'Limit, for the limit types, and for a trailing stop that becomes a limit order; at most `quotePrecision` decimals, inside the price band.',
      '64250.10',
    ),
  ),
  volume: Type.Optional(
    DecimalText('In the base coin; at most `basePrecision` decimals.', '0.015000'),
  ),
  total: Type.Optional(
    DecimalText('Quote amount to spend, for buys of a market type, instead of `volume`.', '500'),
  ),
  stopPrice: Type.Optional(
    DecimalText(
      'Trigger, for the stop and take-profit types. For a trailing stop, the price at which it begins to trail; with the next trade when absent.',
      '63000.00',
    ),
  ),
  trailingDelta: Type.Optional(
    Type.Integer({
      minimum: LIMITS.trailingDeltaMin,
      maximum: LIMITS.trailingDeltaMax,
      description: `For a trailing stop: how far it stays behind the best price since it trails, in basis points, ${LIMITS.trailingDeltaMin} to ${LIMITS.trailingDeltaMax}.`,
      examples: ['150'],
    }),
  ),
  timeInForce: Type.Optional(
    Choice(TIMES_IN_FORCE, 'For limit types; `GTC` when absent. Market types take none.'),
  ),
  expireTime: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'With `GTD`: when the order ends, 5 seconds to 90 days ahead.',
      examples: ['1760086400000'],
    }),
  ),
  postOnly: Type.Optional(
    Type.Boolean({ description: 'Refused rather than taking. For limit with `GTC` or `GTD`.' }),
  ),
  visibleVolume: Type.Optional(
    DecimalText('Iceberg: the part that is shown. For limit with `GTC` or `GTD`.', '0.001000'),
  ),
  stpMode: Type.Optional(
    Choice(
      STP_MODES,
      'What happens instead of a trade with oneself; the market’s own when absent.',
    ),
  ),
  clientOrderId: Type.Optional(ClientOrderId),
};

const Asked = Type.Object(ORDER_PARAMS);
export type AskedOrder = Static<typeof Asked>;

export const NewOrder = Type.Object({
  ...ORDER_PARAMS,
  receipt: Type.Optional(
    Type.Boolean({ description: 'Answers with the venue’s signed receipt of the order.' }),
  ),
  responseType: Type.Optional(
    Choice(
      ['ack', 'result', 'full'],
      'How much of the order is answered: ids, the order (when absent), or the order with its trades.',
    ),
  ),
});
export type NewOrder = Static<typeof NewOrder>;

/** The terms in the core's form. Throws a refusal for a number that no market could take. */
export function toTerms(asked: AskedOrder, precisions: Precisions): OrderTerms {
  const { price, stopPrice, volume, visibleVolume, total } = asked;
  return {
    symbol: asked.symbol,
    side: asked.side,
    type: asked.type,
    ...toDecimals({ price, stopPrice, volume, visibleVolume }, precisions),
    ...(asked.trailingDelta === undefined ? {} : { trailingDelta: asked.trailingDelta }),
    ...(total === undefined ? {} : { total: toTotal(total) }),
    ...(asked.timeInForce === undefined ? {} : { timeInForce: asked.timeInForce }),
    ...(asked.expireTime === undefined ? {} : { expireTime: asked.expireTime }),
    ...(asked.postOnly === undefined ? {} : { postOnly: asked.postOnly }),
    ...(asked.stpMode === undefined ? {} : { stpMode: asked.stpMode }),
    ...(asked.clientOrderId === undefined ? {} : { clientOrderId: asked.clientOrderId }),
  };
}

export interface AskedDecimals {
  readonly price?: string | undefined;
  readonly stopPrice?: string | undefined;
  readonly volume?: string | undefined;
  readonly visibleVolume?: string | undefined;
}

export type TermDecimals = Pick<
  OrderTerms,
  'price' | 'stopPrice' | 'priceDecimals' | 'volume' | 'visibleVolume' | 'volumeDecimals'
>;

/** Converts both prices to one count of decimals, and both volumes. */
export function toDecimals(
  { price, stopPrice, volume, visibleVolume }: AskedDecimals,
  { quotePrecision, basePrecision }: Precisions,
): TermDecimals {
  const prices = align({ price, stopPrice }, quotePrecision, 'PRICE_PRECISION');
  const volumes = align({ volume, visibleVolume }, basePrecision, 'VOLUME_PRECISION');
  return {
    ...prices.values,
    ...(prices.decimals === undefined ? {} : { priceDecimals: prices.decimals }),
    ...volumes.values,
    ...(volumes.decimals === undefined ? {} : { volumeDecimals: volumes.decimals }),
  };
}

type PrecisionError = 'PRICE_PRECISION' | 'VOLUME_PRECISION';

/** Converts decimals to whole numbers with one count of decimals. */
export function align<N extends string>(
  asked: Readonly<Record<N, string | undefined>>,
  precision: number,
  error: PrecisionError,
): { values: Partial<Record<N, number>>; decimals: number | undefined } {
  const given = (Object.entries(asked) as [N, string | undefined][]).flatMap(([name, text]) =>
    text === undefined ? [] : [{ name, ...parseDecimalTerm(text, name, precision, error) }],
  );
  if (given.length === 0) return { values: {}, decimals: undefined };
  const decimals = Math.max(...given.map((one) => one.decimals));
  const values: Partial<Record<N, number>> = {};
  for (const one of given) {
    const value = BigInt(one.value) * 10n ** BigInt(decimals - one.decimals);
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
      // With the decimals of another it is too long, so one of them fits no market: the other by
      // its decimals, or this one by its size.
      const finest = given.find((two) => two.decimals > precision);
      throw finest === undefined ? tooLarge(one.name) : tooFine(finest.name, precision, error);
    }
    values[one.name] = Number(value);
  }
  return { values, decimals };
}

/** Parses one decimal; a number with more digits than any market has is refused here. */
function parseDecimalTerm(
  text: string,
  parameter: string,
  precision: number,
  error: PrecisionError,
): Decimal {
  const found = findDecimal(text);
  if (found !== undefined) return found;
  throw decimalsOf(text) > precision ? tooFine(parameter, precision, error) : tooLarge(parameter);
}

/** Decimals that count: trailing zeros change nothing. */
const decimalsOf = (text: string): number =>
  (text.split('.')[1] ?? '').replace(/(?<!0)0+$/, '').length;

const tooFine = (parameter: string, decimals: number, error: PrecisionError): Refusal =>
  fromRejection({ code: REJECTION_CODES[error], details: { parameter, decimals } });

const tooLarge = (parameter: string): Refusal =>
  refuse('PARAMETER_RANGE', `'${parameter}' is larger than any market admits.`, { parameter });

function toTotal(text: string): bigint {
  const units = findUnits(text, AMOUNT_DECIMALS);
  if (units !== undefined) return units;
  throw tooFine('total', AMOUNT_DECIMALS, 'VOLUME_PRECISION');
}

/** The terms under which a client id was first used, kept for the life of the account. */
export interface KeptTerms {
  readonly symbol: string;
  readonly side: string;
  readonly type: string;
  /** Empty for market types. */
  readonly timeInForce: string;
  readonly postOnly: boolean;
  /** Empty when the request named none. */
  readonly stpMode: string;
  readonly priceDecimals: number;
  readonly volumeDecimals: number;
  /** Zero where the request named none; the same for all that follow. */
  readonly price: bigint;
  readonly stopPrice: bigint;
  readonly volume: bigint;
  readonly visibleVolume: bigint;
  readonly total: bigint;
  readonly expireMs: bigint;
  readonly trailingDelta: number;
  /** Zero for an order that was asked for by itself. */
  readonly orderListId: bigint;
}

const MARKET_TYPES: ReadonlySet<string> = new Set(['market', 'stop_market', 'take_profit_market']);

/**
 * Is this the request that made the order? The core does the same comparison for the orders that it
 * remembers.
 */
export function isSameRequest(kept: KeptTerms, terms: OrderTerms): boolean {
  return kept.orderListId === 0n && isSameOrder(kept, terms);
}

/** A trailing stop without a limit ends as a market order. */
const isMarketKind = ({ type, price }: OrderTerms): boolean =>
  type === 'trailing_stop' ? price === undefined : MARKET_TYPES.has(type);

/** Has the order these terms, alone or as a leg of a list? */
export function isSameOrder(kept: KeptTerms, terms: OrderTerms): boolean {
  const timeInForce = terms.timeInForce ?? (isMarketKind(terms) ? '' : 'GTC');
  const isSame = (
    value: number | undefined,
    decimals: number | undefined,
    units: bigint,
    by: number,
  ) =>
    value === undefined
      ? units === 0n
      : units !== 0n && to18(BigInt(value), decimals ?? 0) === to18(units, by);
  return (
    kept.symbol === terms.symbol &&
    kept.side === terms.side &&
    kept.type === terms.type &&
    kept.timeInForce === timeInForce &&
    kept.postOnly === (terms.postOnly ?? false) &&
    kept.stpMode === (terms.stpMode ?? '') &&
    kept.expireMs === BigInt(terms.expireTime ?? 0) &&
    kept.trailingDelta === (terms.trailingDelta ?? 0) &&
    kept.total === (terms.total ?? 0n) &&
    isSame(terms.price, terms.priceDecimals, kept.price, kept.priceDecimals) &&
    isSame(terms.stopPrice, terms.priceDecimals, kept.stopPrice, kept.priceDecimals) &&
    isSame(terms.volume, terms.volumeDecimals, kept.volume, kept.volumeDecimals) &&
    isSame(terms.visibleVolume, terms.volumeDecimals, kept.visibleVolume, kept.volumeDecimals)
  );
}

const to18 = (value: bigint, decimals: number): bigint =>
  value * 10n ** BigInt(AMOUNT_DECIMALS - decimals);
