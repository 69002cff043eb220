// An order as its owner sees it. It is printed here, whether it comes from the engine's memory or
// the projection.
import {
  ORDER_STATUSES,
  ORDER_TYPES,
  SIDES,
  STATUS_REASONS,
  STP_MODES,
  TIMES_IN_FORCE,
  type Order as EngineOrder,
} from '@rialto/matching';
import { Type, type Static } from 'typebox';
import { assert } from '../../platform/std/assert.ts';
import { AMOUNT_DECIMALS, formatAmount, formatSteps } from '../amount.ts';
import { Choice, Count, Decimal, MaybeMillis, Millis } from '../values.ts';
import type { MarketCoins, MarketPairs } from './pairs.ts';
import { MyTrade } from './trade.ts';

const MaybeDecimal = (description: string, example: string) =>
  Type.String({ pattern: '^([0-9]+(\\.[0-9]+)?)?$', description, examples: [example] });

const FIELDS = {
  orderId: Type.String({ description: 'The venue’s id.', examples: ['1048577'] }),
  clientOrderId: Type.String({ description: 'The id that the caller gave; may be empty.' }),
  orderListId: Type.String({
    pattern: '^[0-9]*$',
    description: 'The list that it is a leg of; empty without one.',
    examples: [''],
  }),
  symbol: Type.String({ description: 'Market symbol.', examples: ['btcusdt'] }),
  side: Choice(SIDES, 'Which side.'),
  type: Choice(ORDER_TYPES, 'The type that was asked for.'),
  timeInForce: Choice([...TIMES_IN_FORCE, ''], 'Empty for market types.'),
  postOnly: Type.Boolean({ description: 'Whether it may only rest, never take.' }),
  stpMode: Choice(STP_MODES, 'What happens instead of a trade with oneself.'),
  price: MaybeDecimal('Limit; empty for what is or becomes a market order.', '64250.10'),
  stopPrice: MaybeDecimal(
    'Trigger; of a trailing stop, the price from which it trails. Empty unless conditional.',
    '',
  ),
  trailingDelta: Type.String({
    pattern: '^[0-9]*$',
    description:
      'How far a trailing stop stays behind the best price, in basis points; empty for other types.',
    examples: [''],
  }),
  volume: MaybeDecimal('What was asked for; empty for a buy by total.', '0.015000'),
  total: MaybeDecimal('Quote amount asked for; empty unless a buy by total.', ''),
  visibleVolume: MaybeDecimal('Shown part of an iceberg; empty otherwise.', ''),
  filledVolume: Decimal('Traded so far.'),
  remainingVolume: Decimal('Still to trade; once final, what was not traded.'),
  preventedVolume: Decimal('Taken off by self-trade prevention.'),
  filledTotal: Decimal('Sum of price times volume over the trades.'),
  averagePrice: MaybeDecimal(
    'filledTotal / filledVolume, rounded half up to four decimals more than a price has; empty before the first trade.',
    '64250.1',
  ),
  fee: Decimal('Sum of the fees so far. Rebates are not in it; they stand in the ledger.'),
  feeCurrency: Type.String({ description: 'The coin that is received.', examples: ['btc'] }),
  status: Choice(ORDER_STATUSES, 'The last four are final.'),
  statusReason: Choice(STATUS_REASONS, 'Why it ended; may be empty.'),
  isWorking: Type.Boolean({
    description:
      'Whether it stands in the book. An order that waits for its trigger, or for the entry of its bracket, does not.',
  }),
  createdAt: Millis('When it was taken.'),
  updatedAt: Millis('When it last changed.'),
  lastTradeAt: MaybeMillis('When it last traded; may be empty.'),
  triggeredAt: MaybeMillis('When its condition was met; may be empty.'),
  expireTime: MaybeMillis('When it ends by itself; empty unless GTD.'),
  engineSeq: Count('The engine event that last changed it.'),
  selfTradeGroup: Type.Literal('0', {
    description: 'Among whose orders self-trades are kept out: 0, all of the account’s family.',
  }),
};

export const Order = Type.Object(FIELDS, { title: 'Order' });
export type Order = Static<typeof Order>;

export const OrderWithTrades = Type.Object(
  { ...FIELDS, trades: Type.Array(MyTrade, { description: 'Its trades, oldest first.' }) },
  { title: 'OrderWithTrades' },
);

export const AmendedOrder = Type.Object(
  {
    ...FIELDS,
    keptPriority: Type.Boolean({ description: 'Whether it kept its place in the queue.' }),
  },
  { title: 'AmendedOrder' },
);

/** The short answer to a placement. */
export const OrderAck = Type.Object(
  {
    orderId: FIELDS.orderId,
    clientOrderId: FIELDS.clientOrderId,
    symbol: FIELDS.symbol,
    createdAt: FIELDS.createdAt,
    engineSeq: FIELDS.engineSeq,
  },
  { title: 'OrderAck' },
);
export type OrderAck = Static<typeof OrderAck>;

const WORKING: ReadonlySet<string> = new Set(['open', 'partially_filled']);

export function toOrder(order: EngineOrder, pair: MarketCoins): Order {
  const { priceDecimals, volumeDecimals } = order;
  const price = (ticks: number) => (ticks === 0 ? '' : formatSteps(ticks, priceDecimals));
  const volume = (lots: number) => formatSteps(lots, volumeDecimals);
  const maybeVolume = (lots: number) => (lots === 0 ? '' : volume(lots));
  return {
    orderId: String(order.orderId),
    clientOrderId: order.clientOrderId,
    orderListId: maybeNumber(order.orderListId),
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    postOnly: order.postOnly,
    stpMode: order.stpMode,
    price: price(order.price),
    stopPrice: price(order.stopPrice),
    trailingDelta: maybeNumber(order.trailingDelta),
    volume: maybeVolume(order.volume),
    total: order.total === 0n ? '' : formatAmount(order.total),
    visibleVolume: maybeVolume(order.visibleVolume),
    filledVolume: volume(order.filledVolume),
    remainingVolume: volume(order.remainingVolume),
    preventedVolume: volume(order.preventedVolume),
    filledTotal: formatAmount(order.filledTotal),
    averagePrice: averagePrice(order),
    fee: formatAmount(order.fee),
    feeCurrency: order.side === 'buy' ? pair.base : pair.quote,
    status: order.status,
    statusReason: order.statusReason,
    isWorking: WORKING.has(order.status),
    createdAt: String(order.createdAt),
    updatedAt: String(order.updatedAt),
    lastTradeAt: maybeNumber(order.lastTradeAt),
    triggeredAt: maybeNumber(order.triggeredAt),
    expireTime: maybeNumber(order.expireTime),
    engineSeq: String(order.engineSeq),
    selfTradeGroup: '0',
  };
}

/**
 * The JSON text of `toOrder`, to the byte, without the object between: a placement answers nothing else, and building and
 * walking the object costs more than printing.
 */
export function printOrder(order: EngineOrder, pair: MarketCoins): string {
  const { priceDecimals, volumeDecimals, price, stopPrice, volume, visibleVolume, status } = order;
  const limit = price === 0 ? '' : formatSteps(price, priceDecimals);
  const stop = stopPrice === 0 ? '' : formatSteps(stopPrice, priceDecimals);
  const asked = volume === 0 ? '' : formatSteps(volume, volumeDecimals);
  const visible = visibleVolume === 0 ? '' : formatSteps(visibleVolume, volumeDecimals);
  const filled = formatSteps(order.filledVolume, volumeDecimals);
  const remaining = formatSteps(order.remainingVolume, volumeDecimals);
  const prevented = formatSteps(order.preventedVolume, volumeDecimals);
  const total = order.total === 0n ? '' : formatAmount(order.total);
  const feeCurrency = quote(order.side === 'buy' ? pair.base : pair.quote);
  const terms = `"orderId":"${order.orderId}","clientOrderId":${quote(order.clientOrderId)},"orderListId":"${maybeNumber(order.orderListId)}","symbol":${quote(order.symbol)},"side":"${order.side}","type":"${order.type}","timeInForce":"${order.timeInForce}","postOnly":${order.postOnly},"stpMode":"${order.stpMode}","price":"${limit}","stopPrice":"${stop}","trailingDelta":"${maybeNumber(order.trailingDelta)}","volume":"${asked}","total":"${total}","visibleVolume":"${visible}"`;
  const progress = `"filledVolume":"${filled}","remainingVolume":"${remaining}","preventedVolume":"${prevented}","filledTotal":"${formatAmount(order.filledTotal)}","averagePrice":"${averagePrice(order)}","fee":"${formatAmount(order.fee)}","feeCurrency":${feeCurrency},"status":"${status}","statusReason":"${order.statusReason}","isWorking":${WORKING.has(status)}`;
  const times = `"createdAt":"${order.createdAt}","updatedAt":"${order.updatedAt}","lastTradeAt":"${maybeNumber(order.lastTradeAt)}","triggeredAt":"${maybeNumber(order.triggeredAt)}","expireTime":"${maybeNumber(order.expireTime)}","engineSeq":"${order.engineSeq}","selfTradeGroup":"0"`;
  return `{${terms},${progress},${times}}`;
}

/** Characters that JSON writes as they are; names have no others today. */
const PLAIN = /^[\w.:/-]*$/;

const quote = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

export function toAck(order: EngineOrder): OrderAck {
  return {
    orderId: String(order.orderId),
    clientOrderId: order.clientOrderId,
    symbol: order.symbol,
    createdAt: String(order.createdAt),
    engineSeq: String(order.engineSeq),
  };
}

/** Prints orders of several markets, whose pairs were fetched before. */
export function orderPrinter(pairs: MarketPairs): (order: EngineOrder) => Order {
  return (order) => {
    const pair = pairs.get(order.symbol);
    assert(pair !== undefined, 'an order belongs to a market', { symbol: order.symbol });
    return toOrder(order, pair);
  };
}

/** Zero stands for "absent". */
const maybeNumber = (value: number) => (value === 0 ? '' : String(value));

/** Decimals that an average has beyond those of a price. */
const AVERAGE_EXTRA = 4;

export function averagePrice(
  order: Pick<EngineOrder, 'filledTotal' | 'filledVolume' | 'priceDecimals' | 'volumeDecimals'>,
): string {
  if (order.filledVolume === 0) return '';
  const decimals = Math.min(AMOUNT_DECIMALS, order.priceDecimals + AVERAGE_EXTRA);
  // total / 10^18 divided by lots / 10^volumeDecimals, in units of 10^-decimals.
  const numerator = order.filledTotal * 10n ** BigInt(order.volumeDecimals + decimals);
  const divisor = BigInt(order.filledVolume) * 10n ** BigInt(AMOUNT_DECIMALS);
  const units = (2n * numerator + divisor) / (2n * divisor);
  return formatAmount(units * 10n ** BigInt(AMOUNT_DECIMALS - decimals));
}
