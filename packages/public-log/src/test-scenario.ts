// A short honest log of one market, and ways to tamper with it. Tests of cheating begin from it.
import type { Order } from '@rialto/matching';
import { Venue } from '../../matching/sim/example.ts';
import { bookHash, bookText } from './books.ts';
import { Chain } from './chain.ts';
import type { PublicEvent } from './events.ts';
import { readQueues } from './read-queues.ts';
import { Recorder } from './recorder.ts';
import { LogWriter } from './test-log.ts';

/** A line of the file form, with the event parsed. */
export interface Entry {
  event?: PublicEvent;
  book?: string;
  head?: { time: string };
}

class RecordedVenue extends Venue {
  readonly entries: Entry[] = [];
  recorder: Recorder | undefined;

  /** Begins the log: what the venue did before is in the first checkpoint. */
  begin(): void {
    this.recorder = new Recorder(readQueues(this.state));
    this.checkpoint();
  }

  checkpoint(): void {
    const { books } = this.recorder!;
    const time = String(this.state.time);
    const engineSeq = String(this.state.engineSeq);
    const event: PublicEvent = { time, type: 'checkpoint', engineSeq, bookHash: bookHash(books) };
    this.entries.push({ event }, { book: bookText(books) }, { head: { time } });
  }

  override do(...given: Parameters<Venue['do']>): ReturnType<Venue['do']> {
    const result = super.do(...given);
    for (const step of this.last!.steps) {
      for (const event of this.recorder?.take(step) ?? []) this.entries.push({ event });
    }
    return result;
  }
}

export interface Scenario {
  entries: Entry[];
  orders: Record<'early' | 'best' | 'late' | 'iceberg' | 'bid', Order>;
}

/**
 * Four asks, one of them an iceberg that shows 2 of 6; a buyer takes the best and part of the next;
 * one ask is amended and loses its place; the iceberg shows its next slice; a bid shrinks; the market
 * halts and goes on.
 */
export function honestScenario(): Scenario {
  const venue = new RecordedVenue();
  venue.begin();
  const early = venue.sell(1, 1010, 5);
  const best = venue.sell(2, 1005, 5);
  const late = venue.sell(2, 1010, 5);
  const iceberg = venue.sell(1, 1010, 6, { visibleVolume: 2 });
  venue.buy(3, 1010, 7);
  venue.do({ type: 'amend', account: 2, orderId: late.orderId, volume: 8, volumeDecimals: 2 });
  venue.buy(3, 1010, 4);
  venue.buy(3, 1010, 1);
  const bid = venue.buy(3, 990, 4);
  venue.do({ type: 'amend', account: 3, orderId: bid.orderId, volume: 2, volumeDecimals: 2 });
  venue.checkpoint();
  venue.buy(3, 1010, 3);
  const other = venue.buy(1, 980, 2);
  venue.do({ type: 'cancel', account: 1, orderId: other.orderId });
  venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'halted' });
  venue.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' });
  venue.sell(1, 990, 3);
  venue.checkpoint();
  return { entries: venue.entries, orders: { early, best, late, iceberg, bid } };
}

/** The entries as lines, with the chain and the venue's signatures made anew. */
export function writeLines(entries: readonly Entry[], chain = new Chain()): string[] {
  const writer = new LogWriter(chain);
  for (const { event, book, head } of entries) {
    if (event !== undefined) writer.event(event);
    else if (book !== undefined) writer.book(book);
    else if (head !== undefined) writer.head(head.time);
  }
  return writer.lines;
}
