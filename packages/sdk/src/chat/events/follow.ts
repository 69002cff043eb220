// The event loop: one long poll after the other, from wherever the last one ended.
import { RialtoError } from '../../errors.ts';
import { pauseAfter, wait } from '../../http/wait.ts';
import type { ChatMethods } from '../methods.generated.ts';
import type { QueueEvent } from '../types.generated.ts';
import type { AnyEvent, EventsOptions, QueuePosition, QueueState } from './shapes.ts';

const SILENCE_MS = 90_000;
const PAUSE_MAX_MS = 30_000;
const DELETE_WITHIN_MS = 5000;

export async function* followQueue(
  chat: ChatMethods,
  options: EventsOptions,
): AsyncGenerator<AnyEvent, void, undefined> {
  const { signal, resume, silenceMs = SILENCE_MS } = options;
  let position: QueuePosition | undefined = resume;
  let hasStarted = resume !== undefined;
  let failures = 0;
  let restarts = 0;
  try {
    for (;;) {
      try {
        if (position === undefined) {
          const state = await register(chat, options);
          position = { queueId: state.queue_id, lastEventId: state.last_event_id };
          failures = 0;
          yield { type: hasStarted ? 'restarted' : 'started', state };
          hasStarted = true;
          options.onPosition?.(position);
        }
        const events = await poll(chat, position, { signal, silenceMs });
        failures = 0;
        restarts = 0;
        for (const event of events) {
          if ((event.type as string) !== 'heartbeat') yield event;
          // The consumer has come back for more, so it is done with this one.
          position = { ...position, lastEventId: event.id };
          options.onPosition?.(position);
        }
      } catch (error) {
        if (!(error instanceof RialtoError)) throw error;
        if (error.code === 'BAD_EVENT_QUEUE_ID') {
          position = undefined;
          restarts += 1;
          // A server that forgets a queue at once would otherwise be asked without end.
          if (restarts > 1) await wait(pauseAfter(restarts, PAUSE_MAX_MS), signal);
          continue;
        }
        if (!error.isRetryable) throw error;
        failures += 1;
        options.onTrouble?.(error);
        // A connection that ended while it waited is asked again at once: nothing is lost, and nobody is overloaded.
        const isFirst = failures === 1 && error.code === 'TIMEOUT';
        const pauseMs = isFirst
          ? 0
          : (error.retryAfterMs ?? 0) + pauseAfter(failures, PAUSE_MAX_MS);
        await wait(pauseMs, signal);
      }
    }
  } finally {
    if (position !== undefined && options.keepQueue !== true) await forget(chat, position);
  }
}

async function register(chat: ChatMethods, options: EventsOptions): Promise<QueueState> {
  const { types, signal } = options;
  const params = { ...options.register, ...(types !== undefined && { event_types: types }) };
  return (await chat.registerQueue(params, {
    ...(signal !== undefined && { signal }),
    retry: false,
  })) as QueueState;
}

async function poll(
  chat: ChatMethods,
  { queueId, lastEventId }: QueuePosition,
  { signal, silenceMs }: { signal: AbortSignal | undefined; silenceMs: number },
): Promise<readonly QueueEvent[]> {
  const { events } = await chat.getEvents(
    { queue_id: queueId, last_event_id: lastEventId },
    { ...(signal !== undefined && { signal }), timeoutMs: silenceMs, retry: false },
  );
  return events as unknown as readonly QueueEvent[];
}

/** The server would forget the queue by itself; this saves it the memory. */
async function forget(chat: ChatMethods, { queueId }: QueuePosition): Promise<void> {
  try {
    await chat.deleteQueue({ queue_id: queueId }, { retry: false, timeoutMs: DELETE_WITHIN_MS });
  } catch {
    // Already gone, or out of reach.
  }
}
