// What one click on "Place" has come to. Pure: news go in, and what to do next comes out. One click has one client id for
// its whole life, so that however often it is sent, the venue has one order.
import { decimal, type Order } from '@rialto/sdk';
import type { Placement } from '../form/params.ts';

export interface Refusal {
  readonly code: string;
  /** The venue's own sentence. */
  readonly message: string;
  readonly reference: string | undefined;
}

export interface Intent {
  /** The client id of the order; of a list, of its first order. */
  readonly id: string;
  readonly placement: Placement;
  readonly clickedMs: number;
  /** When it was last sent; undefined before the first time. */
  readonly sentMs: number | undefined;
  readonly sends: number;
  readonly asks: number;
  /** A copy was sent of which nobody knows what it did. */
  readonly isInDoubt: boolean;
  /** When the last question or sending ended. */
  readonly heardMs: number;
  readonly phase: 'sending' | 'checking' | 'placed' | 'rejected' | 'absent';
  readonly order: Order | undefined;
  readonly refusal: Refusal | undefined;
}

export type News =
  /** The venue has the order: by an answer, a question or an event. */
  | { readonly kind: 'order'; readonly order: Order }
  /** Nothing was done, says the venue. */
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly mayRepeat: boolean }
  /** Nobody knows what was done. */
  | { readonly kind: 'lost' }
  /** The venue did not know the id when it was asked at that time. */
  | { readonly kind: 'unknown'; readonly askedMs: number }
  /** The question was not answered. */
  | { readonly kind: 'unanswered' }
  /** The page was loaded anew: what the last one heard is gone. */
  | { readonly kind: 'resumed' };

export type Next = { readonly act: 'send' | 'ask'; readonly atMs: number };

/** The same id is sent again only so long after the click; whoever clicked still waits for it. */
const REPEAT_WITHIN_MS = 5000;
/** The venue takes no copy that is older than 5 s. A second later, what it does not know was never placed. */
const SETTLED_AFTER_MS = 6000;
const PAUSE_MS = 500;
const PAUSE_MAX_MS = 5000;

export const beginIntent = (id: string, placement: Placement, nowMs: number): Intent => ({
  id,
  placement,
  clickedMs: nowMs,
  sentMs: undefined,
  sends: 0,
  asks: 0,
  isInDoubt: false,
  heardMs: nowMs,
  phase: 'sending',
  order: undefined,
  refusal: undefined,
});

export const isSettled = ({ phase }: Intent): boolean =>
  phase !== 'sending' && phase !== 'checking';

/** It goes to the venue now. */
export const sent = (intent: Intent, nowMs: number): Intent => ({
  ...intent,
  sentMs: nowMs,
  sends: intent.sends + 1,
});

export function take(intent: Intent, news: News, nowMs: number): Intent {
  if (news.kind === 'order') {
    const isOlder =
      intent.order !== undefined &&
      decimal.compare(news.order.engineSeq, intent.order.engineSeq) < 0;
    const order = isOlder ? intent.order : news.order;
    return { ...intent, phase: 'placed', order, refusal: undefined, heardMs: nowMs };
  }
  if (isSettled(intent)) return intent;
  const heard = { ...intent, heardMs: nowMs };
  switch (news.kind) {
    case 'refused': {
      const { refusal } = news;
      const isWorthIt = news.mayRepeat && nextOf({ ...heard, refusal }, nowMs)?.act === 'send';
      // A copy that was lost before may stand although this one was refused: then the venue is asked.
      const isSure = !intent.isInDoubt && !isWorthIt;
      return { ...heard, phase: isSure ? 'rejected' : 'checking', refusal };
    }
    case 'unknown': {
      // Only a question that began after the last copy was too old says anything.
      const isOver = news.askedMs - (intent.sentMs ?? intent.clickedMs) >= SETTLED_AFTER_MS;
      if (!isOver) return { ...heard, phase: 'checking', asks: intent.asks + 1 };
      return { ...heard, phase: intent.refusal === undefined ? 'absent' : 'rejected' };
    }
    case 'unanswered':
      return { ...heard, phase: 'checking', asks: intent.asks + 1 };
    case 'lost':
    case 'resumed':
      return { ...heard, phase: 'checking', isInDoubt: true };
  }
}

/** What is to be done, and when; undefined once it is settled. */
export function nextOf(intent: Intent, nowMs: number): Next | undefined {
  if (isSettled(intent)) return undefined;
  const { sends, asks, heardMs, clickedMs, sentMs } = intent;
  if (sends === 0 && intent.phase === 'sending') return { act: 'send', atMs: nowMs };
  const againMs = Math.max(nowMs, heardMs + PAUSE_MS * Math.max(1, sends));
  if (againMs - clickedMs < REPEAT_WITHIN_MS) return { act: 'send', atMs: againMs };
  const pauseMs = Math.min(PAUSE_MS * 2 ** Math.min(asks, 10), PAUSE_MAX_MS);
  const settledMs = (sentMs ?? clickedMs) + SETTLED_AFTER_MS;
  const askMs = Math.max(nowMs, heardMs + pauseMs);
  // The question that decides is asked as soon as it can.
  const isEarly = asks > 0 && askMs < settledMs;
  return { act: 'ask', atMs: isEarly ? settledMs : askMs };
}

/** How much of it has traded, in whole percent, cut off. */
export function filledPercent(order: Order): string {
  const [done, all] =
    order.volume === '' ? [order.filledTotal, order.total] : [order.filledVolume, order.volume];
  if (all === '' || decimal.isZero(all)) return '0';
  return decimal.divide(decimal.multiply(done, '100'), all, 0);
}
