// What createOrder is asked for, in the venue's parameters. The library's own words are translated; everything else in
// `params` is sent as it is.
import { ArgumentsRequired, BadRequest, Precise, type Dict } from 'ccxt';
import { toText, type Amount } from '../text.ts';

export interface OrderAsked {
  readonly symbol: string;
  readonly type: string;
  readonly side: string | undefined;
  readonly amount?: Amount | undefined;
  readonly price?: Amount | undefined;
  readonly params?: Dict | undefined;
}

/** Cuts and rounds to the steps of the market. */
export interface Steps {
  readonly id: string;
  amount(value: Amount): string;
  price(value: Amount): string;
  cost(value: Amount): string;
}

/** Words of the library that this file translates; none of them is sent. */
const TRANSLATED = [
  'cost',
  'expireTime',
  'icebergAmount',
  'postOnly',
  'selfTradePrevention',
  'stopLossPrice',
  'stopPrice',
  'takeProfitPrice',
  'test',
  'timeInForce',
  'trailingPercent',
  'trailingTriggerPrice',
  'triggerPrice',
];

/** The venue's parameters of one order. */
export function toOrderRequest(asked: OrderAsked, steps: Steps): Dict {
  const { params = {} } = asked;
  const { type, stopPrice } = toTrigger(asked);
  const price = asked.price;
  const isLimit = type.includes('limit');
  if (isLimit && price === undefined) {
    throw new ArgumentsRequired(`rialto createOrder() needs a price for an order of type ${type}.`);
  }
  const isPriced = isLimit || (type === 'trailing_stop' && price !== undefined);
  const given = Object.entries(params).filter(([name]) => !TRANSLATED.includes(name));
  return {
    symbol: steps.id,
    side: asked.side,
    type,
    price: isPriced && price !== undefined ? steps.price(price) : undefined,
    stopPrice: stopPrice === undefined ? undefined : steps.price(stopPrice),
    trailingDelta: toTrailingDelta(params['trailingPercent']),
    ...toSize(asked, steps),
    ...toValidity(params),
    visibleVolume: mapped(params['icebergAmount'], steps.amount),
    stpMode: params['selfTradePrevention']?.toLowerCase(),
    ...Object.fromEntries(given),
  };
}

const mapped = (value: Amount | undefined, map: (value: Amount) => string): string | undefined =>
  value === undefined ? undefined : map(value);

/** The venue's type, and the price that triggers it. A plain triggerPrice is a stop. */
function toTrigger({ type, price, params = {} }: OrderAsked): {
  type: string;
  stopPrice: Amount | undefined;
} {
  const { triggerPrice, stopPrice, stopLossPrice, takeProfitPrice, trailingPercent } = params;
  const asked = [triggerPrice ?? stopPrice, stopLossPrice, takeProfitPrice, trailingPercent];
  if (asked.filter((value) => value !== undefined).length > 1) {
    throw new BadRequest(
      'rialto createOrder() takes one of triggerPrice, stopLossPrice, takeProfitPrice and trailingPercent.',
    );
  }
  if (trailingPercent !== undefined) {
    return { type: 'trailing_stop', stopPrice: params['trailingTriggerPrice'] };
  }
  const stop = triggerPrice ?? stopPrice ?? stopLossPrice;
  // One of the venue's own types, such as stop_limit, stays what it is.
  const isPlain = type === 'limit' || type === 'market';
  if (!isPlain) return { type, stopPrice: stop ?? takeProfitPrice };
  const kind = type === 'limit' && price !== undefined ? 'limit' : type;
  if (takeProfitPrice !== undefined) {
    return { type: `take_profit_${kind}`, stopPrice: takeProfitPrice };
  }
  return stop === undefined ? { type, stopPrice: stop } : { type: `stop_${kind}`, stopPrice: stop };
}

/** A volume in the base coin, or for buys a total in the quote coin. */
function toSize({ amount, params = {} }: OrderAsked, steps: Steps): Dict {
  if (params['cost'] !== undefined) return { total: steps.cost(params['cost']) };
  if (amount === undefined) {
    throw new ArgumentsRequired('rialto createOrder() needs an amount, or params.cost for a buy.');
  }
  return { volume: steps.amount(amount) };
}

/** Until when the order is valid, and whether it may take. */
function toValidity(params: Dict): Dict {
  const { timeInForce, postOnly, expireTime } = params;
  const isPostOnly = postOnly === true || timeInForce === 'PO';
  const named: string | undefined = timeInForce === 'PO' ? undefined : timeInForce?.toUpperCase();
  return {
    timeInForce: named ?? (expireTime === undefined ? undefined : 'GTD'),
    expireTime,
    postOnly: isPostOnly ? true : undefined,
  };
}

/** The venue counts in hundredths of a percent. */
function toTrailingDelta(percent: Amount | undefined): string | undefined {
  if (percent === undefined) return undefined;
  const delta = Precise.stringMul(toText(percent), '100') ?? '';
  if (!/^\d+$/.test(delta)) {
    throw new BadRequest(
      `rialto takes trailingPercent with at most two decimals, not ${toText(percent)}.`,
    );
  }
  return delta;
}
