// What the checks remember of the step that is being read.
import type { LogSide } from '../events.ts';
import type { MarketBook, Place } from '../queues.ts';
import type { AuctionCheck } from './auction.ts';

/** What one step of the engine has done so far. */
export interface OpenStep {
  engineSeq: number;
  time: number;
  /** The last line that belongs to it. */
  line: number;
  /** A phase or a checkpoint came: nothing of the step may follow. */
  isOver: boolean;
  /** The order that trades with the book, its side, and the worst price it accepted. */
  taker: { orderId: number; side: LogSide; book: MarketBook; worst: number } | undefined;
  /** Markets in which an order joined or traded. */
  changed: Set<MarketBook>;
  /** Orders that gave up their place for an amendment. */
  amended: Map<number, LogSide>;
  /** The orders that the last event used up: an iceberg may show its next slice now. */
  usedUp: Place[];
  auction: AuctionCheck | undefined;
}

export const newStep = (engineSeq: number, time: number): OpenStep => ({
  engineSeq,
  time,
  line: 0,
  isOver: false,
  taker: undefined,
  changed: new Set(),
  amended: new Map(),
  usedUp: [],
  auction: undefined,
});
