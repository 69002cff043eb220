// What a person has entered into the order form, and which parts of it count. Numbers are kept as they were read; nothing
// typed is ever rewritten.
import type { MarketDetail, OrderCreateParams } from '@rialto/sdk';
import type { Reading } from '../../i18n/digits.ts';

export type Side = 'buy' | 'sell';
export type OrderType = OrderCreateParams['type'];
/** The types of the venue, and its two kinds of lists. */
export type Kind = OrderType | 'oco' | 'bracket';
export type TimeInForce = NonNullable<OrderCreateParams['timeInForce']>;
export type StpMode = NonNullable<OrderCreateParams['stpMode']>;

/** What says how large the order is; the others follow from it. */
export type Driver = 'amount' | 'total' | 'percent';

export type Field =
  | 'price'
  | 'amount'
  | 'total'
  /** The trigger: of a stop, of the stop of a list; of a trailing stop, where it begins to trail. */
  | 'stopPrice'
  /** The limit of a list's stop. */
  | 'stopLimit'
  | 'takeProfit'
  /** How far a trailing stop stays behind, in percent. */
  | 'delta'
  | 'visible';

export interface Draft {
  readonly side: Side;
  readonly kind: Kind;
  /** Of a bracket. */
  readonly entry: 'limit' | 'market';
  readonly fields: Readonly<Record<Field, Reading>>;
  readonly driver: Driver;
  /** Of what is available, in percent, while it drives. */
  readonly percent: string;
  readonly timeInForce: TimeInForce;
  /** When a GTD order ends, in milliseconds since 1970. */
  readonly expiresMs: number | undefined;
  readonly isPostOnly: boolean;
  /** Undefined: the market's own. */
  readonly stpMode: StpMode | undefined;
}

export const EMPTY: Reading = { kind: 'empty' };

export const emptyDraft = (side: Side = 'buy', kind: Kind = 'limit'): Draft => ({
  side,
  kind,
  entry: 'limit',
  fields: {
    price: EMPTY,
    amount: EMPTY,
    total: EMPTY,
    stopPrice: EMPTY,
    stopLimit: EMPTY,
    takeProfit: EMPTY,
    delta: EMPTY,
    visible: EMPTY,
  },
  driver: 'amount',
  percent: '',
  timeInForce: 'GTC',
  expiresMs: undefined,
  isPostOnly: false,
  stpMode: undefined,
});

/** Amount and total become the driver when they are typed; every other field leaves the driver as it is. */
export function type(draft: Draft, field: Field, reading: Reading): Draft {
  const fields = { ...draft.fields, [field]: reading };
  return field === 'amount' || field === 'total'
    ? { ...draft, fields, driver: field, percent: '' }
    : { ...draft, fields };
}

export const choosePercent = (draft: Draft, percent: string): Draft => ({
  ...draft,
  driver: 'percent',
  percent,
});

/** What the venue needs of an order of this kind. */
export interface Shape {
  readonly price: 'required' | 'optional' | 'none';
  readonly stopPrice: 'required' | 'optional' | 'none';
  readonly stopLimit: 'required' | 'optional' | 'none';
  readonly hasTakeProfit: boolean;
  readonly hasDelta: boolean;
  /** It trades at the prices of the book, or will once it is triggered. */
  readonly isMarket: boolean;
  /** It waits for a trigger. */
  readonly isConditional: boolean;
  /** How its size can be given. A market buy takes either; one that waits takes a total; a market sell takes an amount. */
  readonly sizes: 'both' | 'amount' | 'total';
  readonly hasTimeInForce: boolean;
  /** Post-only and iceberg. */
  readonly canRest: boolean;
}

const CONDITIONAL: ReadonlySet<Kind> = new Set([
  'stop_limit',
  'stop_market',
  'take_profit_limit',
  'take_profit_market',
  'trailing_stop',
]);
const MARKET: ReadonlySet<Kind> = new Set(['market', 'stop_market', 'take_profit_market']);

export function shapeOf({ kind, side, entry, fields, timeInForce }: Draft): Shape {
  const isTrailing = kind === 'trailing_stop';
  const isList = kind === 'oco' || kind === 'bracket';
  const isConditional = CONDITIONAL.has(kind);
  const isMarket =
    MARKET.has(kind) ||
    (isTrailing && fields.price.kind === 'empty') ||
    (kind === 'bracket' && entry === 'market');
  const exitSide = kind === 'bracket' ? opposite(side) : side;
  const stop = isConditional || isList ? 'required' : 'none';
  const canLimit = kind === 'limit' || (kind === 'bracket' && !isMarket);
  return {
    price: isTrailing ? 'optional' : isMarket ? 'none' : 'required',
    stopPrice: isTrailing ? 'optional' : stop,
    // Only a sell can become a market order of a volume: a buy would have no cost that could be held.
    stopLimit: !isList ? 'none' : exitSide === 'buy' ? 'required' : 'optional',
    hasTakeProfit: kind === 'bracket',
    hasDelta: isTrailing,
    isMarket,
    isConditional,
    sizes: !isMarket ? 'both' : side === 'sell' ? 'amount' : isConditional ? 'total' : 'both',
    hasTimeInForce: !isMarket && kind !== 'oco',
    canRest: canLimit && (timeInForce === 'GTC' || timeInForce === 'GTD'),
  };
}

/** The driver, if the shape knows it; else the one that it has. */
export function driverOf({ driver }: Draft, { sizes }: Shape): Driver {
  return driver === 'percent' || sizes === 'both' ? driver : sizes;
}

export const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

/** The kinds that a market takes, in the order in which they are offered. Lists need limits and stops. */
export function kindsOf({ orderTypes }: Pick<MarketDetail, 'orderTypes'>): readonly Kind[] {
  const ORDER: readonly OrderType[] = [
    'limit',
    'market',
    'stop_limit',
    'stop_market',
    'take_profit_limit',
    'take_profit_market',
    'trailing_stop',
  ];
  const taken = ORDER.filter((one) => orderTypes.includes(one));
  const hasLists = taken.includes('limit') && taken.includes('stop_limit');
  return hasLists ? [...taken, 'oco', 'bracket'] : taken;
}
