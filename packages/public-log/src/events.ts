// The events of the public log, and their one canonical text.

export type LogSide = 'buy' | 'sell';
export type RemoveReason = 'canceled' | 'expired' | 'amended' | 'prevented';

/**
 * An event before it has its number. Every value is text: a decimal with as many decimals as the
 * market's precision says, a whole number, or a word.
 */
export type PublicEvent =
  | {
      time: string;
      type: 'market';
      engineSeq: string;
      symbol: string;
      base: string;
      quote: string;
      basePrecision: string;
      quotePrecision: string;
      listingPrice: string;
    }
  | { time: string; type: 'market_phase'; symbol: string; phase: string }
  | {
      time: string;
      type: 'add';
      engineSeq: string;
      symbol: string;
      orderId: string;
      side: LogSide;
      price: string;
      volume: string;
    }
  | {
      time: string;
      type: 'reduce';
      engineSeq: string;
      symbol: string;
      orderId: string;
      volume: string;
    }
  | {
      time: string;
      type: 'remove';
      engineSeq: string;
      symbol: string;
      orderId: string;
      reason: RemoveReason;
    }
  | {
      time: string;
      type: 'trade';
      engineSeq: string;
      symbol: string;
      tradeId: string;
      price: string;
      volume: string;
      /** Empty in an uncross, where nobody takes. */
      takerSide: LogSide | '';
      buyOrderId: string;
      sellOrderId: string;
    }
  | {
      time: string;
      type: 'uncross';
      engineSeq: string;
      symbol: string;
      /** Empty if nothing crosses. */
      price: string;
      volume: string;
      /** Volume that could buy at the price, minus volume that could sell. */
      imbalance: string;
      referencePrice: string;
    }
  | { time: string; type: 'checkpoint'; engineSeq: string; bookHash: string };

export type EventType = PublicEvent['type'];

/** The members of each type, in the order in which they stand after `seq`, `time` and `type`. */
export const MEMBERS = {
  market: [
    'engineSeq',
    'symbol',
    'base',
    'quote',
    'basePrecision',
    'quotePrecision',
    'listingPrice',
  ],
  market_phase: ['symbol', 'phase'],
  add: ['engineSeq', 'symbol', 'orderId', 'side', 'price', 'volume'],
  reduce: ['engineSeq', 'symbol', 'orderId', 'volume'],
  remove: ['engineSeq', 'symbol', 'orderId', 'reason'],
  trade: [
    'engineSeq',
    'symbol',
    'tradeId',
    'price',
    'volume',
    'takerSide',
    'buyOrderId',
    'sellOrderId',
  ],
  uncross: ['engineSeq', 'symbol', 'price', 'volume', 'imbalance', 'referencePrice'],
  checkpoint: ['engineSeq', 'bookHash'],
} as const satisfies Readonly<Record<EventType, readonly string[]>>;

/** Values are plain words and numbers, so a quote or a backslash never needs to be escaped. */
const PLAIN = /^[\w.:-]*$/;

/** Writes members in the given order, without white space. Refuses a value that is not plain. */
export function canonicalText(members: ReadonlyArray<readonly [string, string]>): string {
  let text = '{';
  for (const [name, value] of members) {
    if (!PLAIN.test(value)) {
      throw new Error(
        `The public log takes letters, digits and ". : _ -" only, but ${name} is ${JSON.stringify(value)}.`,
      );
    }
    text += `${text === '{' ? '' : ','}"${name}":"${value}"`;
  }
  return `${text}}`;
}

/** The text of an event with its number: what is hashed, stored and published. */
export function eventText(seq: string, event: PublicEvent): string {
  const values = event as unknown as Readonly<Record<string, string>>;
  const members: Array<readonly [string, string]> = [
    ['seq', seq],
    ['time', event.time],
    ['type', event.type],
  ];
  for (const name of MEMBERS[event.type]) members.push([name, values[name] ?? '']);
  return canonicalText(members);
}
