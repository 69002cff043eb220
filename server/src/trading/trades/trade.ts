// A trade as the public sees it: no accounts, no orders.
import { Type, type Static } from 'typebox';
import { formatAmount, formatAtLeast } from '../amount.ts';
import type { Precision } from '../books/print.ts';
import { Choice, Count, Decimal, Millis } from '../values.ts';

export const PublicTrade = Type.Object(
  {
    tradeId: Count('Trade id; grows with time.'),
    price: Decimal('Price.'),
    volume: Decimal('Volume, in the base currency.'),
    total: Decimal('Price times volume, in the quote currency.'),
    takerSide: Choice(['buy', 'sell'], 'Side of the order that took.'),
    time: Millis('When it happened.'),
  },
  { title: 'PublicTrade' },
);
export type PublicTrade = Static<typeof PublicTrade>;

/** Amounts in units of 10^-18. */
export interface TradeOnTape {
  readonly tradeId: bigint;
  readonly price: bigint;
  readonly volume: bigint;
  readonly total: bigint;
  readonly takerSide: 'buy' | 'sell';
  readonly timeMs: bigint;
}

export const toPublicTrade = (
  trade: TradeOnTape,
  { quotePrecision, basePrecision }: Precision,
): PublicTrade => ({
  tradeId: String(trade.tradeId),
  price: formatAtLeast(trade.price, quotePrecision),
  volume: formatAtLeast(trade.volume, basePrecision),
  total: formatAmount(trade.total),
  takerSide: trade.takerSide,
  time: String(trade.timeMs),
});
