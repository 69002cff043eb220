// What the address of the view says besides the market: Back, forward and a reload bring it back. Pure.

export const INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
export type Interval = (typeof INTERVALS)[number];

/** What the chart shows. */
export const CHARTS = ['candles', 'depth'] as const;
export type ChartKind = (typeof CHARTS)[number];

/** What a phone shows, one at a time. */
export const PARTS = ['chart', 'book', 'trades', 'orders', 'chat'] as const;
export type Part = (typeof PARTS)[number];

export interface TradeAddress {
  readonly interval: Interval;
  readonly chart: ChartKind;
  readonly part: Part;
  /** How far apart the rows of the book are: a decimal in the quote currency. Undefined: as the market has it. */
  readonly group: string | undefined;
  /** The market of the second pane. */
  readonly beside: string | undefined;
  /** The order that a link shows. */
  readonly order: string | undefined;
}

export type TradeChange = { readonly [K in keyof TradeAddress]?: TradeAddress[K] | undefined };

const DEFAULTS = { interval: '15m', chart: 'candles', part: 'chart' } as const;
const STEP = /^\d{1,12}(?:\.\d{1,18})?$/u;
const ORDER = /^[1-9]\d{0,18}$/u;
const SYMBOL = /^[a-z0-9]{2,40}$/u;

/** Whatever stands there, also what nobody of us wrote. */
export function readAddress(query: Readonly<Record<string, string>>): TradeAddress {
  const oneOf = <T extends string>(values: readonly T[], name: string): T | undefined =>
    values.find((value) => value === query[name]);
  const matching = (pattern: RegExp, name: string): string | undefined =>
    pattern.test(query[name] ?? '') ? query[name] : undefined;
  const order = matching(ORDER, 'order');
  return {
    interval: oneOf(INTERVALS, 'interval') ?? DEFAULTS.interval,
    chart: oneOf(CHARTS, 'chart') ?? DEFAULTS.chart,
    // Who follows a link to an order wants to see it.
    part: oneOf(PARTS, 'part') ?? (order === undefined ? DEFAULTS.part : 'orders'),
    group: matching(STEP, 'group'),
    beside: matching(SYMBOL, 'beside'),
    order,
  };
}

/** What has to be written for a change: nothing where it is the default. */
export function printChange(change: TradeChange): readonly [string, string | undefined][] {
  return Object.entries(change).map(([name, value]) => [
    name,
    value === (DEFAULTS as Readonly<Record<string, string>>)[name] ? undefined : value,
  ]);
}

/** What goes along to another market. Groups of prices belong to the market they were made for. */
export const carriedOver = ({ interval, chart, part, beside }: TradeAddress): TradeChange => ({
  interval,
  chart,
  part,
  beside,
});
