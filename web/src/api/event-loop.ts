// The event loop of a page. It polls as the loop of the SDK does, and beyond that tells how the connection is, hands over
// the events of one poll together, can be woken, and asks without waiting while it recovers, so that the page says "live"
// only when it is.
import {
  RialtoError,
  type Chat,
  type QueueEvent,
  type QueuePosition,
  type QueueState,
} from '@rialto/sdk';
import { pause } from './pause.ts';

export type Link =
  | { readonly kind: 'live' }
  | { readonly kind: 'reconnecting' | 'offline'; readonly sinceMs: number }
  | { readonly kind: 'replaying'; readonly left: number };

export interface LoopOptions {
  readonly chat: Pick<Chat, 'registerQueue' | 'getEvents'>;
  readonly types: readonly string[];
  readonly register: Parameters<Chat['registerQueue']>[0];
  /** Goes on with a queue that is open already. */
  readonly resume: QueuePosition | undefined;
  readonly signal: AbortSignal;
  /** A new queue is open; `answer` takes the place of everything before. */
  readonly onRegister: (answer: QueueState, position: QueuePosition) => void;
  /** The events of one poll, or a part of very many. They are done when this returns. */
  readonly onEvents: (events: readonly QueueEvent[], position: QueuePosition) => void;
  readonly onLink: (link: Link) => void;
  /** The session has ended, or is another one: somebody signed in anew in this browser. The loop is over. */
  readonly onSignedOut: () => void;
}

export interface Loop {
  /** What is known may be old: asks at once. */
  wake(): void;
  readonly done: Promise<void>;
}

/** The server sends a heartbeat within 60 seconds. */
const SILENCE_MS = 90_000;
const ANSWER_MS = 15_000;
const PAUSE_MAX_MS = 30_000;
/** More events than this at once are applied in parts, so that the page can be used meanwhile. */
const PART = 250;

export function startLoop(options: LoopOptions): Loop {
  const { signal } = options;
  let waking = new AbortController();
  let position = options.resume;
  let isRecovering = true;
  let failures = 0;
  let restarts = 0;
  let troubleMs: number | undefined;

  const poll = async (): Promise<void> => {
    if (position === undefined) {
      position = await registerOnce(options);
      isRecovering = false;
      settle();
    }
    const { queueId, lastEventId } = position;
    const isWaiting = !isRecovering;
    const { events } = await options.chat.getEvents(
      {
        queue_id: queueId,
        last_event_id: lastEventId,
        ...(!isWaiting && { dont_block: true }),
      },
      {
        signal: AbortSignal.any([signal, waking.signal]),
        timeoutMs: isWaiting ? SILENCE_MS : ANSWER_MS,
        retry: false,
      },
    );
    restarts = 0;
    await take(events as unknown as readonly QueueEvent[], queueId);
    if (events.length === 0) isRecovering = false;
    if (!isRecovering) settle();
  };

  const settle = (): void => {
    failures = 0;
    troubleMs = undefined;
    options.onLink({ kind: 'live' });
  };

  const take = async (events: readonly QueueEvent[], queueId: string): Promise<void> => {
    for (let from = 0; from < events.length && !signal.aborted; from += PART) {
      const part = events.slice(from, from + PART);
      const left = events.length - from;
      if (isRecovering || left > PART) options.onLink({ kind: 'replaying', left });
      position = { queueId, lastEventId: part.at(-1)?.id ?? -1 };
      options.onEvents(part.filter(isNews), position);
      if (left > PART) await pause(0, signal);
    }
  };

  const recover = async (error: unknown): Promise<void> => {
    if (isEnded(error)) {
      options.onSignedOut();
      throw error;
    }
    if (waking.signal.aborted) return;
    if (!(error instanceof RialtoError)) throw error;
    isRecovering = true;
    if (error.code === 'BAD_EVENT_QUEUE_ID') {
      position = undefined;
      restarts += 1;
      // A server that forgets a queue at once would otherwise be asked without end.
      if (restarts > 1) await pause(pauseAfter(restarts), waking.signal);
      return;
    }
    failures += 1;
    // A connection that ended while it waited is asked again at once, and nobody needs to know.
    if (failures === 1 && error.code === 'TIMEOUT') return;
    troubleMs ??= Date.now();
    options.onLink({ kind: isOffline() ? 'offline' : 'reconnecting', sinceMs: troubleMs });
    await pause((error.retryAfterMs ?? 0) + pauseAfter(failures), waking.signal);
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await poll();
      } catch (error) {
        if (isOver(signal)) return;
        await recover(error);
      }
      if (waking.signal.aborted) waking = new AbortController();
    }
  };

  signal.addEventListener('abort', () => waking.abort(), { once: true });
  return {
    done: run(),
    wake() {
      isRecovering = true;
      waking.abort();
    },
  };
}

const isOver = (signal: AbortSignal): boolean => signal.aborted;

const isEnded = (error: unknown): boolean =>
  error instanceof RialtoError && (error.status === 401 || error.code === 'CSRF_FAILED');

/** Only what a browser says counts; nothing else says anything. */
const isOffline = (): boolean => 'onLine' in navigator && !navigator.onLine;

const isNews = (event: QueueEvent): boolean => (event.type as string) !== 'heartbeat';

async function registerOnce(options: LoopOptions): Promise<QueuePosition> {
  const { chat, types, register, signal, onRegister } = options;
  const answer = await chat.registerQueue(
    { ...register, event_types: types },
    { signal, retry: false },
  );
  const position = { queueId: answer.queue_id, lastEventId: answer.last_event_id };
  onRegister(answer as QueueState, position);
  return position;
}

/** Doubles with every failure; the random half keeps pages from coming back together. */
function pauseAfter(failures: number): number {
  const fullMs = Math.min(PAUSE_MAX_MS, 250 * 2 ** Math.min(failures - 1, 20));
  return Math.round(fullMs * (0.5 + Math.random() / 2));
}
