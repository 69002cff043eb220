// A trade as one of its two sides sees it.
import type { Order as EngineOrder, Outcome } from '@rialto/matching';
import { Type, type Static } from 'typebox';
import { formatAmount, formatFixed, formatRate } from '../amount.ts';
import { Choice, Count, Decimal, Millis } from '../values.ts';
import type { OwnTrade } from '../batches/changes.ts';
import type { MarketCoins } from './pairs.ts';

export const MyTrade = Type.Object(
  {
    tradeId: Type.String({ description: 'The venue’s id.', examples: ['5550001'] }),
    orderId: Type.String({ description: 'The account’s order.', examples: ['1048577'] }),
    clientOrderId: Type.String({ description: 'Its id of the caller’s; may be empty.' }),
    symbol: Type.String({ description: 'Market symbol.', examples: ['btcusdt'] }),
    side: Choice(['buy', 'sell'], 'The account’s side.'),
    orderType: Type.String({ description: 'Type of the order.', examples: ['limit'] }),
    price: Decimal('Price of the trade.'),
    volume: Decimal('Volume of the trade.'),
    total: Decimal('Price times volume, in the quote coin.'),
    fee: Decimal('Fee of this side; below zero a rebate.'),
    feeCurrency: Type.String({ description: 'Coin of the fee.', examples: ['btc'] }),
    feeRate: Decimal('Rate that was applied; below zero a rebate.'),
    isMaker: Type.Boolean({ description: 'Whether the account’s order was the resting one.' }),
    time: Millis('When it happened.'),
    engineSeq: Count('The engine event it was part of.'),
  },
  { title: 'MyTrade' },
);
export type MyTrade = Static<typeof MyTrade>;

/** One side of a trade, from any source. */
export interface SideOfTrade {
  readonly tradeId: bigint;
  readonly orderId: bigint;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly orderType: string;
  readonly priceDecimals: number;
  readonly volumeDecimals: number;
  readonly price: bigint;
  readonly volume: bigint;
  readonly total: bigint;
  readonly feePpm: number;
  readonly fee: bigint;
  /** The maker's rebate out of the taker's fee, in the coin of that fee. */
  readonly rebate: bigint;
  readonly isMaker: boolean;
  readonly timeMs: bigint;
  readonly engineSeq: bigint;
}

export function toMyTrade(trade: SideOfTrade, pair: MarketCoins): MyTrade {
  const [received, given] =
    trade.side === 'buy' ? [pair.base, pair.quote] : [pair.quote, pair.base];
  // The taker's fee is in the coin that the taker received, which is the one that the maker gave.
  const isRebate = trade.isMaker && trade.feePpm < 0;
  return {
    tradeId: String(trade.tradeId),
    orderId: String(trade.orderId),
    clientOrderId: trade.clientOrderId,
    symbol: trade.symbol,
    side: trade.side,
    orderType: trade.orderType,
    price: formatFixed(trade.price, trade.priceDecimals),
    volume: formatFixed(trade.volume, trade.volumeDecimals),
    total: formatAmount(trade.total),
    fee: formatAmount(isRebate ? -trade.rebate : trade.fee),
    feeCurrency: isRebate ? given : received,
    feeRate: formatRate(trade.feePpm),
    isMaker: trade.isMaker,
    time: String(trade.timeMs),
    engineSeq: String(trade.engineSeq),
  };
}

/** The trades that an order made in one outcome, oldest first. */
export function tradesOf({ steps }: Outcome, order: EngineOrder): SideOfTrade[] {
  return steps.flatMap(({ trades, time: timeMs, engineSeq }) =>
    trades.flatMap((trade): SideOfTrade[] => {
      const own = order.side === 'buy' ? trade.buyer : trade.seller;
      if (own.orderId !== order.orderId) return [];
      const isMaker = trade.takerSide !== order.side;
      return [toSide({ trade, own, side: order.side, isMaker, timeMs, engineSeq }, order)];
    }),
  );
}

/** The side of a trade that an order had. */
export const toSide = (
  { trade, own, side, isMaker, timeMs, engineSeq }: OwnTrade,
  { orderId, clientOrderId, type }: Pick<EngineOrder, 'orderId' | 'clientOrderId' | 'type'>,
): SideOfTrade => ({
  tradeId: BigInt(trade.tradeId),
  orderId: BigInt(orderId),
  clientOrderId,
  symbol: trade.symbol,
  side,
  orderType: type,
  priceDecimals: trade.priceDecimals,
  volumeDecimals: trade.volumeDecimals,
  price: BigInt(trade.priceTicks),
  volume: BigInt(trade.lots),
  total: trade.total,
  feePpm: own.feePpm,
  fee: own.fee,
  rebate: trade.rebate,
  isMaker,
  timeMs: BigInt(timeMs),
  engineSeq: BigInt(engineSeq),
});
