// A trade of a family with itself that was prevented, as one of its accounts sees it.
import { STP_MODES } from '@rialto/matching';
import { Type, type Static } from 'typebox';
import { formatFixed } from '../../amount.ts';
import { Choice, Count, Decimal, Millis } from '../../values.ts';

const OTHERS = 'empty if it belongs to another account of the family';

export const PreventedMatch = Type.Object(
  {
    symbol: Type.String({ description: 'Market symbol.', examples: ['btcusdt'] }),
    takerOrderId: Type.String({ description: `The incoming order; ${OTHERS}.` }),
    makerOrderId: Type.String({ description: `The resting order; ${OTHERS}.` }),
    role: Choice(
      ['taker', 'maker', 'both'],
      'Which of the two orders is the account’s own; both, or only one of them.',
    ),
    price: Decimal('Price at which they would have traded.'),
    volume: Decimal('By which both orders shrank; zero in the modes that end an order.'),
    mode: Choice(STP_MODES, 'The `stpMode` of the incoming order, which decided.'),
    time: Millis('When it happened.'),
    engineSeq: Count('The engine event it was part of.'),
  },
  { title: 'PreventedMatch' },
);
export type PreventedMatch = Static<typeof PreventedMatch>;

export interface PreventedRow {
  readonly engineSeq: bigint;
  /** Counts within the engine event. */
  readonly number: number;
  readonly symbol: string;
  readonly takerOrderId: bigint;
  readonly makerOrderId: bigint;
  readonly takerAccountId: bigint;
  readonly makerAccountId: bigint;
  readonly price: bigint;
  readonly priceDecimals: number;
  readonly volume: bigint;
  readonly volumeDecimals: number;
  readonly mode: string;
  readonly timeMs: bigint;
}

/**
 * An order of another account of the family stays unnamed: a key of a sub-account tells nothing of its
 * siblings, and its own order shows already that there was one.
 */
export function toPreventedMatch(row: PreventedRow, accountId: bigint): PreventedMatch {
  const isTaker = row.takerAccountId === accountId;
  const isMaker = row.makerAccountId === accountId;
  return {
    symbol: row.symbol,
    takerOrderId: isTaker ? String(row.takerOrderId) : '',
    makerOrderId: isMaker ? String(row.makerOrderId) : '',
    role: isTaker && isMaker ? 'both' : isTaker ? 'taker' : 'maker',
    price: formatFixed(row.price, row.priceDecimals),
    volume: formatFixed(row.volume, row.volumeDecimals),
    // The projector wrote the core's own words.
    mode: row.mode as PreventedMatch['mode'],
    time: String(row.timeMs),
    engineSeq: String(row.engineSeq),
  };
}
