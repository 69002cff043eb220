// What the log says about the order of a receipt: when it appeared, and where it stood.
import type { PublicEvent } from './events.ts';
import type { QueueBooks } from './queues.ts';
import { checkReceipt, parametersText } from './receipts.ts';
import type { AskedTerms, Receipt } from './receipts.ts';
import type { KeyRing } from './keys.ts';
import { toDecimal } from './decimal.ts';
import { verifyLog } from './verify/verify.ts';
import type { Verdict } from './verify/verify.ts';

export type ReceiptVerdict =
  | { ok: true; /** What was found out, as sentences. */ facts: string[] }
  | { ok: false; message: string };

/** Watches one order while a log is verified: `onEvent` goes to the verifier. */
export class OrderTrace {
  readonly #receipt: Receipt;
  readonly #terms: AskedTerms | undefined;
  readonly #facts: string[] = [];
  #wrong: string | undefined;
  #hasAppeared = false;
  #lastStep = 0;
  /** A younger order that acted although ours had not. */
  #passedBy: string | undefined;

  constructor(receipt: Receipt, terms?: AskedTerms) {
    this.#receipt = receipt;
    this.#terms = terms;
  }

  readonly onEvent = (event: PublicEvent & { seq: string }, books: QueueBooks): void => {
    if (!('engineSeq' in event) || event.type === 'checkpoint') return;
    const { orderId, engineSeq, time } = this.#receipt;
    this.#lastStep = Number(event.engineSeq);
    if (event.engineSeq === engineSeq && event.time !== time) {
      this.#wrong ??= `the receipt says that step ${engineSeq} happened at ${time}, the log says ${event.time} (event ${event.seq})`;
    }
    const actor = actorOf(event);
    if (actor === undefined || this.#hasAppeared) return;
    if (actor !== orderId) {
      const isLater = this.#lastStep > Number(engineSeq) && Number(actor) > Number(orderId);
      if (isLater) {
        this.#passedBy ??= `order ${actor} in step ${event.engineSeq} (event ${event.seq})`;
      }
      return;
    }
    this.#hasAppeared = true;
    this.#appear(event, books);
  };

  #appear(event: PublicEvent & { seq: string; engineSeq: string }, books: QueueBooks): void {
    const { orderId, engineSeq } = this.#receipt;
    if (Number(event.engineSeq) < Number(engineSeq)) {
      this.#wrong ??= `order ${orderId} was taken in step ${engineSeq}, but acts in step ${event.engineSeq} already (event ${event.seq})`;
      return;
    }
    const when =
      event.engineSeq === engineSeq
        ? 'in the step that took it'
        : `${Number(event.engineSeq) - Number(engineSeq)} steps after the one that took it`;
    if (event.type === 'trade') {
      this.#facts.push(`It traded at once, ${when} (event ${event.seq}).`);
    } else if (event.type === 'add') this.#join(event, books, when);
    if (this.#passedBy !== undefined && this.#isPlain) {
      this.#wrong ??= `order ${orderId} was taken in step ${engineSeq}, but came into the market only in step ${event.engineSeq}, after ${this.#passedBy}, which was taken later`;
    }
  }

  #join(
    event: Extract<PublicEvent, { type: 'add' }> & { seq: string },
    books: QueueBooks,
    when: string,
  ): void {
    const place = books.places.get(Number(event.orderId))!;
    let count = 0;
    let lots = 0;
    for (let ahead = place.previous; ahead !== undefined; ahead = ahead.previous) {
      count += 1;
      lots += ahead.shown;
    }
    const volume = toDecimal(lots, place.book.terms.basePrecision);
    const behind = count === 0 ? 'as the first' : `behind ${count} that show ${volume}`;
    this.#facts.push(
      `It joined the queue to ${event.side} at ${event.price} in ${event.symbol}, ${behind}, ${when} (event ${event.seq}).`,
    );
    const terms = this.#terms;
    if (terms === undefined) return;
    const asked = parametersText(terms);
    const as = (price: string): string =>
      parametersText({ ...terms, symbol: event.symbol, side: event.side, price });
    if (asked !== as(event.price) && this.#isPlain) {
      this.#wrong ??= `the order was to ${String(terms.side)} at ${String(terms.price)} in ${String(terms.symbol)}, but joined to ${event.side} at ${event.price} in ${event.symbol} (event ${event.seq})`;
    }
  }

  /** An order that comes into the market in the step that takes it. */
  get #isPlain(): boolean {
    const time = this.#terms?.timeInForce ?? '';
    return this.#terms?.type === 'limit' && (time === '' || time === 'GTC' || time === 'GTD');
  }

  verdict(): ReceiptVerdict {
    if (this.#wrong !== undefined) return { ok: false, message: this.#wrong };
    const facts = [...this.#facts];
    const { orderId, engineSeq } = this.#receipt;
    if (this.#lastStep < Number(engineSeq)) {
      facts.push(`The log ends before step ${engineSeq}, so it says nothing about the order.`);
    } else if (!this.#hasAppeared) {
      facts.push(
        `Order ${orderId} is not in this part of the log: it waits for its trigger, it was ended before it could trade or rest (as an order that would have met its own family), or this part begins after it.`,
      );
    }
    return { ok: true, facts };
  }
}

/** The order that comes into the market with this event. */
function actorOf(event: PublicEvent): string | undefined {
  if (event.type === 'add') return event.orderId;
  if (event.type !== 'trade' || event.takerSide === '') return undefined;
  return event.takerSide === 'buy' ? event.buyOrderId : event.sellOrderId;
}

/**
 * Checks a receipt: its signature, the terms it is for, and what a log says about its order. A log
 * that is wrong itself proves nothing and is reported as such.
 */
export function verifyReceipt(
  receipt: Receipt,
  keys: KeyRing,
  log?: Iterable<string>,
  parameters?: AskedTerms,
): ReceiptVerdict {
  const wrong = checkReceipt(receipt, keys, parameters);
  if (wrong !== undefined) return { ok: false, message: wrong };
  if (log === undefined) return { ok: true, facts: [] };
  const trace = new OrderTrace(receipt, parameters);
  const verdict = verifyLog(log, { keys, onEvent: trace.onEvent });
  return verdict.ok ? trace.verdict() : { ok: false, message: logFault(verdict) };
}

/** Says of a log that it is wrong itself. */
export const logFault = (verdict: Extract<Verdict, { ok: false }>): string =>
  `the log is wrong at line ${verdict.line}: ${verdict.message}`;
