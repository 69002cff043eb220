// The event loop of a page against a scripted server.
import {
  ChatError,
  NetworkError,
  type Chat,
  type QueueEvent,
  type QueuePosition,
} from '@rialto/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startLoop, type Link } from './event-loop.ts';

const network = () =>
  new NetworkError({
    name: 'NETWORK',
    code: 'NETWORK',
    message: '',
    isRetryable: true,
    outcome: 'unknown',
  });
const refusal = (code: string, status: number) =>
  new ChatError({ name: code, code, message: code, status, isRetryable: false, outcome: 'none' });

type Poll = (params: { queue_id: string; last_event_id: number; dont_block?: boolean }) => unknown;

function open(polls: Poll[], resume?: QueuePosition) {
  const ending = new AbortController();
  const seen = {
    links: [] as Link[],
    events: [] as QueueEvent[],
    batches: 0,
    registers: 0,
    signedOut: 0,
  };
  const asked: { last: number; isWaiting: boolean; queueId: string }[] = [];
  const chat = {
    registerQueue: async () => {
      seen.registers += 1;
      return { queue_id: `q${seen.registers}`, last_event_id: 0 };
    },
    async getEvents(
      params: { queue_id: string; last_event_id: number; dont_block?: boolean },
      { signal }: { signal: AbortSignal },
    ) {
      asked.push({
        last: params.last_event_id,
        isWaiting: params.dont_block !== true,
        queueId: params.queue_id,
      });
      const poll = polls.shift();
      if (poll !== undefined) return { events: poll(params) };
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    },
  };
  const loop = startLoop({
    chat: chat as unknown as Chat,
    types: ['message'],
    register: {},
    resume,
    signal: ending.signal,
    onRegister: () => undefined,
    onEvents: (events) => {
      seen.batches += 1;
      seen.events.push(...events);
    },
    onLink: (link) => seen.links.push(link),
    onSignedOut: () => (seen.signedOut += 1),
  });
  loop.done.catch(() => undefined);
  return { loop, seen, asked, end: () => ending.abort() };
}

const events = (...ids: readonly number[]) => ids.map((id) => ({ id, type: 'message' }));
const raise = (error: Error) => () => {
  throw error;
};
const kinds = (links: readonly Link[]) => links.map(({ kind }) => kind);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the event loop', () => {
  it('hands over the events of one poll together, and asks for what follows them', async () => {
    const { seen, asked, end } = open([
      () => events(1, 2, 3),
      () => [{ id: 4, type: 'heartbeat' }],
    ]);
    await vi.advanceTimersByTimeAsync(10);
    expect(seen.batches).toBe(2);
    expect(seen.events).toHaveLength(3);
    expect(asked.map(({ last }) => last)).toEqual([0, 3, 4]);
    expect(new Set(kinds(seen.links))).toEqual(new Set(['live']));
    end();
  });

  it('asks without waiting after a cut, until nothing is left, and says so', async () => {
    const { seen, asked, end } = open([
      () => events(1),
      raise(network()),
      raise(network()),
      () => events(2, 3),
      () => [],
    ]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(kinds(seen.links)).toEqual([
      'live',
      'live',
      'reconnecting',
      'reconnecting',
      'replaying',
      'live',
    ]);
    expect(asked.map(({ isWaiting }) => isWaiting)).toEqual([
      true,
      true,
      false,
      false,
      false,
      true,
    ]);
    expect(seen.events.map(({ id }) => id)).toEqual([1, 2, 3]);
    end();
  });

  it('registers anew when the server has forgotten the queue', async () => {
    const { seen, asked, end } = open([raise(refusal('BAD_EVENT_QUEUE_ID', 400))]);
    await vi.advanceTimersByTimeAsync(10);
    expect(seen.registers).toBe(2);
    expect(asked.at(-1)?.queueId).toBe('q2');
    end();
  });

  it('goes on with a queue that another tab has opened', async () => {
    const { seen, asked, end } = open([() => []], { queueId: 'theirs', lastEventId: 7 });
    await vi.advanceTimersByTimeAsync(10);
    expect(seen.registers).toBe(0);
    expect(asked[0]).toEqual({ last: 7, isWaiting: false, queueId: 'theirs' });
    expect(kinds(seen.links)).toEqual(['live']);
    end();
  });

  it('gives up a poll when it is woken, and asks at once', async () => {
    const { loop, asked, end } = open([() => events(1)]);
    await vi.advanceTimersByTimeAsync(10);
    expect(asked).toHaveLength(2);
    loop.wake();
    await vi.advanceTimersByTimeAsync(10);
    expect(asked).toHaveLength(3);
    expect(asked[2]).toMatchObject({ last: 1, isWaiting: false });
    end();
  });

  it('applies very many events in parts, and counts them down', async () => {
    const ids = Array.from({ length: 600 }, (_, n) => n + 1);
    const { seen, end } = open([() => events(...ids)]);
    await vi.advanceTimersByTimeAsync(100);
    expect(seen.events).toHaveLength(600);
    expect(seen.links.flatMap((link) => ('left' in link ? [link.left] : []))).toEqual([600, 350]);
    end();
  });

  it('ends with the session', async () => {
    const { loop, seen } = open([raise(refusal('UNAUTHORIZED', 401))]);
    await expect(loop.done).rejects.toThrow('UNAUTHORIZED');
    expect(seen.signedOut).toBe(1);
  });

  it('ends with the session also when the answer wakes it', async () => {
    const polls: Poll[] = [() => events(1)];
    const { loop, seen } = open(polls);
    await vi.advanceTimersByTimeAsync(10);
    polls.push(() => {
      // Whoever hears of a refusal wakes the loop, so that it asks by itself.
      loop.wake();
      throw refusal('UNAUTHORIZED', 401);
    });
    const ended = expect(loop.done).rejects.toThrow('UNAUTHORIZED');
    loop.wake();
    await ended;
    expect(seen.signedOut).toBe(1);
  });
});
