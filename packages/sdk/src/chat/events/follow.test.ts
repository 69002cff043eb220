// The event loop against a server that answers as it is told: resuming, starting again, ending.
import { describe, expect, it } from 'vitest';
import { startScripted, type Received, type Script, type Told } from '../../test-server.ts';
import { Chat } from '../client.ts';
import type { AnyEvent, EventsOptions, QueuePosition } from './shapes.ts';

const succeed = (fields: object): Told => ({ body: { result: 'success', msg: '', ...fields } });
const gone: Told = {
  status: 400,
  body: { result: 'error', code: 'BAD_EVENT_QUEUE_ID', msg: 'Bad event queue id: q1' },
};

/** Registers q1, q2 and so on; each poll is answered by `poll`. */
const withQueues = (poll: (request: Received, number: number) => ReturnType<Script>): Script => {
  let queues = 0;
  let polls = 0;
  return (request) => {
    if (request.path.endsWith('/register')) {
      queues += 1;
      return succeed({ queue_id: `q${queues}`, last_event_id: -1, idle_queue_timeout_secs: 600 });
    }
    if (request.method === 'DELETE') return succeed({});
    polls += 1;
    return poll(request, polls);
  };
};

const event = (id: number, type = 'message') => ({ id, type });

async function open(script: Script) {
  const server = await startScripted(script);
  const chat = new Chat({ url: server.url, email: 'a@b.example', apiKey: 'k' });
  /** The events until `count` were taken. */
  const take = async (count: number, options: EventsOptions = {}): Promise<AnyEvent[]> => {
    const taken: AnyEvent[] = [];
    for await (const one of chat.events(options)) {
      taken.push(one);
      if (taken.length === count) break;
    }
    return taken;
  };
  return { server, chat, take };
}

const summary = (all: readonly AnyEvent[]) =>
  all.map((one) =>
    'state' in one ? `${one.type} ${one.state.queue_id}` : `${one.type} ${one.id}`,
  );

describe('the event loop', () => {
  it('gives the state first, then the events in order, and deletes the queue at the end', async () => {
    const { server, take } = await open(
      withQueues(({ query }) => {
        const last = Number(query.get('last_event_id'));
        return succeed({ queue_id: 'q1', events: [event(last + 1), event(last + 2)] });
      }),
    );
    const taken = await take(5, {
      types: ['message', 'order'],
      register: { apply_markdown: true },
    });
    expect(summary(taken)).toEqual([
      'started q1',
      'message 0',
      'message 1',
      'message 2',
      'message 3',
    ]);
    const [register] = server.received;
    expect(register?.form.get('event_types')).toBe('["message","order"]');
    expect(register?.form.get('apply_markdown')).toBe('true');
    expect(server.received.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/v1/events' });
    expect(server.received.at(-1)?.form.get('queue_id')).toBe('q1');
  });

  it('goes on where it was after cuts, silence and busy servers, and loses and doubles nothing', async () => {
    const troubles: unknown[] = [];
    const { server, take } = await open(
      withQueues(({ query }, number) => {
        const last = Number(query.get('last_event_id'));
        if (number === 2) return 'cut';
        if (number === 3) return 'silence';
        if (number === 4) return { status: 502, body: '<html>' };
        return succeed({ queue_id: 'q1', events: [event(last + 1)] });
      }),
    );
    const taken = await take(4, { silenceMs: 1500, onTrouble: (error) => troubles.push(error) });
    expect(summary(taken)).toEqual(['started q1', 'message 0', 'message 1', 'message 2']);
    expect(troubles).toMatchObject([
      { code: 'NETWORK' },
      { code: 'TIMEOUT' },
      { code: 'BAD_ANSWER' },
    ]);
    expect(server.received.filter(({ path }) => path.endsWith('/register'))).toHaveLength(1);
  });

  it('registers anew when the queue is gone, and says so with the new state', async () => {
    const { take } = await open(
      withQueues(({ query }, number) =>
        number === 2 ? gone : succeed({ queue_id: query.get('queue_id'), events: [event(0)] }),
      ),
    );
    expect(summary(await take(4))).toEqual([
      'started q1',
      'message 0',
      'restarted q2',
      'message 0',
    ]);
  });

  it('pauses when a new queue is gone as well', async () => {
    const times: number[] = [];
    const queues = withQueues((_request, number) =>
      number <= 2 ? gone : succeed({ events: [event(0)] }),
    );
    const { take } = await open((request, number) => {
      if (request.path.endsWith('/register')) times.push(performance.now());
      return queues(request, number);
    });
    expect(summary(await take(4))).toEqual([
      'started q1',
      'restarted q2',
      'restarted q3',
      'message 0',
    ]);
    const [, second = 0, third = 0] = times;
    expect(third - second).toBeGreaterThanOrEqual(200);
  });

  it('keeps heartbeats to itself, and acknowledges them', async () => {
    const { server, take } = await open(
      withQueues((_request, number) =>
        succeed({ events: [number === 1 ? event(5, 'heartbeat') : event(6)] }),
      ),
    );
    expect(summary(await take(2))).toEqual(['started q1', 'message 6']);
    const polls = server.received.filter(({ method }) => method === 'GET');
    expect(polls.map(({ query }) => query.get('last_event_id'))).toEqual(['-1', '5']);
  });

  it('acknowledges an event only after the loop has come back for the next', async () => {
    const positions: QueuePosition[] = [];
    const { chat } = await open(withQueues(() => succeed({ events: [event(0), event(1)] })));
    for await (const one of chat.events({ onPosition: (at) => positions.push(at) })) {
      if (one.type === 'message' && one.id === 1) break;
    }
    expect(positions.map(({ lastEventId }) => lastEventId)).toEqual([-1, 0]);
  });

  it('resumes a queue from before, and leaves it open if it is told to', async () => {
    const { server, take } = await open(
      withQueues(({ query }) =>
        succeed({ events: [event(Number(query.get('last_event_id')) + 1)] }),
      ),
    );
    const resume = { queueId: 'old', lastEventId: 41 };
    expect(summary(await take(2, { resume, keepQueue: true }))).toEqual([
      'message 42',
      'message 43',
    ]);
    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it('says that it has started again when the queue from before is gone', async () => {
    const { take } = await open(
      withQueues((_request, number) => (number === 1 ? gone : succeed({ events: [event(0)] }))),
    );
    const resume = { queueId: 'old', lastEventId: 41 };
    expect(summary(await take(2, { resume }))).toEqual(['restarted q1', 'message 0']);
  });

  it('ends with a refusal that will not pass', async () => {
    const { take } = await open(() => ({
      status: 401,
      body: { result: 'error', code: 'UNAUTHORIZED', msg: 'Invalid API key' },
    }));
    await expect(take(1)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('ends at once by its signal, while it waits too, and deletes the queue', async () => {
    const ending = new AbortController();
    const { server, take } = await open(
      withQueues(() => {
        setTimeout(() => ending.abort(new Error('enough')), 10);
        return 'silence';
      }),
    );
    await expect(take(9, { signal: ending.signal })).rejects.toThrow('enough');
    expect(server.received.at(-1)?.method).toBe('DELETE');
  });
});

describe('with a callback', () => {
  it('handles one event after the other, until it is stopped', async () => {
    let running = 0;
    const seen: string[] = [];
    const { server, chat } = await open(
      withQueues(({ query }, number) =>
        number > 3
          ? 'silence'
          : succeed({ events: [event(Number(query.get('last_event_id')) + 1)] }),
      ),
    );
    const enough = Promise.withResolvers<void>();
    const listening = chat.listen({}, async (one) => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => {
        setTimeout(resolve, 2);
      });
      seen.push(one.type);
      running -= 1;
      if (seen.length === 4) enough.resolve();
    });
    await enough.promise;
    await listening.stop();
    await listening.done;
    expect(seen).toEqual(['started', 'message', 'message', 'message']);
    expect(server.received.at(-1)?.method).toBe('DELETE');
  });

  it('ends with what the function throws', async () => {
    const { chat } = await open(withQueues(() => succeed({ events: [event(0)] })));
    const listening = chat.listen({}, () => {
      throw new Error('mine');
    });
    await expect(listening.done).rejects.toThrow('mine');
  });
});
