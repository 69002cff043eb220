// Event queues over HTTP: no event is lost or comes twice, and nobody reads another's queue.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { clusterSettings } from '../../../testing/context.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { settle } from '../../../testing/verify-events.ts';
import { chatClient, type Answer, type ChatClient } from '../../../testing/chat/client.ts';
import { EVENT_SHAPES, isChatEvent } from './catalog.ts';
import { MEASURED } from '../../../testing/measured.ts';

let server: TestServer;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT: '100000' } });
  ada = await examplePerson(server.ctx);
  bob = await examplePerson(server.ctx);
});
afterAll(() => server.close());

interface Event {
  id: number;
  type: string;
  op: string;
  drafts?: { id: number; content: string }[];
}

interface Queue {
  queue_id: string;
  last_event_id: number;
}

async function open(client: ChatClient, params: Record<string, unknown> = {}): Promise<Queue> {
  const { body } = await client.post('/register', { fetch_event_types: [], ...params });
  expect(body['result']).toBe('success');
  return { queue_id: String(body['queue_id']), last_event_id: Number(body['last_event_id']) };
}

const poll = (client: ChatClient, queue: Queue, more: Record<string, unknown> = {}) =>
  client.get('/events', { ...queue, ...more });

const eventsOf = ({ body }: Answer): Event[] => body['events'] as Event[];
const contentsOf = (answer: Answer): string[] =>
  eventsOf(answer).flatMap(({ drafts = [] }) => drafts.map(({ content }) => content));

const write = (client: ChatClient, content: string) =>
  client.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content }] });

const badQueue = (queueId: string) => ({
  result: 'error',
  msg: `Bad event queue ID: ${queueId}`,
  code: 'BAD_EVENT_QUEUE_ID',
  queue_id: queueId,
});

describe('[M203] a queue', () => {
  it('delivers what one client does to the other client of the same person, and to nobody else', async () => {
    const phone = chatClient(server, ada);
    const laptop = chatClient(server, ada);
    const queue = await open(laptop);
    const others = await open(chatClient(server, bob));
    const waiting = poll(laptop, queue);
    await write(phone, 'from the phone');
    const answer = await waiting;
    expect(contentsOf(answer)).toEqual(['from the phone']);
    expect(answer.body['queue_id']).toBe(queue.queue_id);
    const [event] = eventsOf(answer);
    expect(event?.id).toBeGreaterThan(queue.last_event_id);
    const theirs = await poll(chatClient(server, bob), others, { dont_block: true });
    expect(eventsOf(theirs)).toEqual([]);
  });

  it('wakes a waiting poll at once', MEASURED, async () => {
    const client = chatClient(server, ada);
    const times: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const queue = await open(client);
      const waiting = poll(client, queue);
      await sleep(20);
      const startedMs = performance.now();
      await write(client, 'now');
      await waiting;
      times.push(performance.now() - startedMs);
    }
    const median = times.sort((a, b) => a - b)[5] ?? Infinity;
    // Far below the quarter of a second that a lost wake-up would cost.
    expect(median).toBeLessThan(200);
  });

  it('answers at once when told not to wait', MEASURED, async () => {
    const client = chatClient(server, ada);
    const queue = await open(client);
    const startedMs = performance.now();
    const answer = await poll(client, queue, { dont_block: true });
    expect(answer.body).toEqual({
      result: 'success',
      msg: '',
      events: [],
      queue_id: queue.queue_id,
    });
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });

  it('keeps events until they are acknowledged, and gives them again to a client that goes back', async () => {
    const client = chatClient(server, ada);
    const queue = await open(client);
    await write(client, 'one');
    await settle(server);
    const first = await poll(client, queue);
    expect(contentsOf(first)).toEqual(['one']);
    expect(contentsOf(await poll(client, queue))).toEqual(['one']);
    const [one] = eventsOf(first);
    await write(client, 'two');
    const second = await poll(client, { ...queue, last_event_id: one?.id ?? 0 });
    expect(contentsOf(second)).toEqual(['two']);
    const last = eventsOf(second)[0]?.id ?? 0;
    await poll(client, { ...queue, last_event_id: last }, { dont_block: true });
    expect(contentsOf(await poll(client, queue))).toEqual(['one', 'two']);
    expect(contentsOf(await poll(client, { ...queue, last_event_id: -1 }))).toEqual(['one', 'two']);
  });

  it('loses nothing to parallel polls', async () => {
    const client = chatClient(server, ada);
    const queue = await open(client);
    const polls = [poll(client, queue), poll(client, queue), poll(client, queue)];
    await sleep(50);
    await write(client, 'for one of them');
    const answers = await Promise.all(polls);
    expect(answers.flatMap(contentsOf)).toContain('for one of them');
    expect(contentsOf(await poll(client, queue))).toEqual(['for one of them']);
  });

  it('gives every event once, in order, to a client that polls while many write', async () => {
    const client = chatClient(server, ada);
    const queue = await open(client);
    const expected = Array.from({ length: 60 }, (_value, i) => `draft ${i}`);
    const writing = Promise.all(expected.map((content) => write(client, content)));
    const got: string[] = [];
    let last = queue.last_event_id;
    while (got.length < expected.length) {
      const answer = await poll(client, { ...queue, last_event_id: last });
      for (const { id } of eventsOf(answer)) {
        expect(id).toBeGreaterThan(last);
        last = id;
      }
      got.push(...contentsOf(answer));
    }
    await writing;
    expect(got.sort()).toEqual(expected.sort());
  });

  it('takes an unknown id as an acknowledgement of all pending events', async () => {
    const client = chatClient(server, ada);
    const queue = await open(client);
    await write(client, 'seen');
    await settle(server);
    expect(contentsOf(await poll(client, queue))).toEqual(['seen']);
    const beyond = { ...queue, last_event_id: 2 ** 50 };
    expect(eventsOf(await poll(client, beyond, { dont_block: true }))).toEqual([]);
    // A new event is delivered, although its id is below the given one.
    const waiting = poll(client, beyond);
    await sleep(100);
    await write(client, 'after');
    expect(contentsOf(await waiting)).toEqual(['after']);
  });

  it('delivers only the types that it was opened for', async () => {
    const client = chatClient(server, ada);
    const queue = await open(client, { event_types: ['realm_user'] });
    const all = await open(client);
    await write(client, 'not wanted');
    await examplePerson(server.ctx);
    expect((await poll(client, queue)).body['events']).toMatchObject([
      { type: 'realm_user', op: 'add' },
    ]);
    await settle(server);
    const everything = eventsOf(await poll(client, all));
    expect(everything.map(({ type }) => type)).toContain('drafts');
  });

  it('sends a heartbeat after a silence', async () => {
    const quick = await startTestServer({ settings: { HEARTBEAT_SECONDS: '1' } });
    try {
      const person = await examplePerson(quick.ctx);
      const client = chatClient(quick, person);
      const queue = await open(client, { event_types: ['message'] });
      const first = await poll(client, queue);
      expect(first.body['events']).toMatchObject([{ type: 'heartbeat' }]);
      const id = eventsOf(first)[0]?.id ?? 0;
      expect(id).toBeGreaterThan(queue.last_event_id);
      const next = eventsOf(await poll(client, { ...queue, last_event_id: id }));
      expect(next[0]?.id).toBeGreaterThan(id);
    } finally {
      await quick.close();
    }
  });

  it('[M211] can be read by its owner only', async () => {
    const queue = await open(chatClient(server, ada));
    const thief = chatClient(server, bob);
    const unknown = '01234567-89ab-cdef-0123-456789abcdef';
    for (const queueId of [queue.queue_id, unknown, 'zzz', '']) {
      for (const answer of [
        await poll(thief, { ...queue, queue_id: queueId }),
        await thief.delete('/events', { queue_id: queueId }),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.body).toEqual(badQueue(queueId));
      }
    }
    expect((await poll(chatClient(server, ada), queue, { dont_block: true })).status).toBe(200);
  });

  it('requires its id and the last event id', async () => {
    const client = chatClient(server, ada);
    expect((await client.get('/events')).body).toMatchObject({
      msg: "Missing 'queue_id' argument",
      code: 'BAD_REQUEST',
    });
    expect((await client.get('/events', { queue_id: 'x' })).body).toMatchObject({
      msg: "Missing 'last_event_id' argument",
      code: 'BAD_REQUEST',
    });
    const wrong = await client.get('/events', { queue_id: 'x', last_event_id: 'y' });
    expect(wrong.body['msg']).toBe('last_event_id is not valid JSON');
  });

  it('stops waiting for a client that went away', async () => {
    const client = chatClient(server, ada);
    const queue = await open(client);
    const gone = new AbortController();
    const query = new URLSearchParams({
      queue_id: queue.queue_id,
      last_event_id: String(queue.last_event_id),
    });
    const waiting = client.raw(`/events?${query.toString()}`, { signal: gone.signal });
    await sleep(50);
    gone.abort();
    await expect(waiting).rejects.toThrow();
    await write(client, 'while it was away');
    expect(contentsOf(await poll(client, queue))).toEqual(['while it was away']);
  });
});

describe('DELETE /events', () => {
  it('[M063] [M194] ends a queue, and answers the poll that waits on it', async () => {
    const client = chatClient(server, ada);
    const queue = await open(client);
    const waiting = poll(client, queue);
    await sleep(50);
    const answer = await client.delete('/events', { queue_id: queue.queue_id });
    expect(answer.body).toEqual({ result: 'success', msg: '' });
    expect(eventsOf(await waiting)).toEqual([]);
  });

  it('[M064] [M195] refuses a queue that was deleted or never existed', async () => {
    const client = chatClient(server, ada);
    const queue = await open(client);
    await client.delete('/events', { queue_id: queue.queue_id });
    for (const answer of [
      await client.delete('/events', { queue_id: queue.queue_id }),
      await poll(client, queue),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(badQueue(queue.queue_id));
    }
    expect((await client.delete('/events')).body).toMatchObject({ var_name: 'queue_id' });
  });
});

it('any process serves any queue, until the queue has been idle for too long', async () => {
  const settings = clusterSettings();
  const first = await startTestServer({ settings });
  const second = await startTestServer({ settings, databaseUrl: first.databaseUrl });
  try {
    const person = await examplePerson(first.ctx, { role: ROLE.owner });
    const here = chatClient(first, person);
    const there = chatClient(second, person);
    const queue = await open(here);
    const waiting = poll(there, queue);
    await write(here, 'across');
    expect(contentsOf(await waiting)).toEqual(['across']);
    expect(contentsOf(await poll(here, queue))).toEqual(['across']);
    await there.delete('/events', { queue_id: queue.queue_id });
    expect((await poll(here, queue, { dont_block: true })).body).toEqual(badQueue(queue.queue_id));

    const idle = await open(here, { idle_queue_timeout: 1 });
    const kept = await open(here);
    await first.ctx.database.pool.query(
      "UPDATE event_queues SET last_seen = now() - interval '5 minutes'",
    );
    expect((await poll(there, idle, { dont_block: true })).body).toEqual(badQueue(idle.queue_id));
    expect((await poll(there, kept, { dont_block: true })).status).toBe(200);

    // A changed role needs a new initial state, so an old queue is not rebuilt across the change.
    const crossed = await open(here);
    await examplePerson(first.ctx, { role: ROLE.owner });
    await here.patch(`/users/${person.id}`, { role: ROLE.administrator });
    await settle(first);
    await sleep(100);
    expect((await poll(there, crossed, { dont_block: true })).body).toEqual(
      badQueue(crossed.queue_id),
    );
    expect((await poll(here, crossed, { dont_block: true })).status).toBe(200);
  } finally {
    await second.close();
    await first.close();
  }
});

it('the catalog declares types and ops, and keeps internal ones from clients', () => {
  expect([...EVENT_SHAPES.keys()]).toEqual(
    expect.arrayContaining(['drafts/add', 'drafts/update', 'drafts/remove', 'realm_user/add']),
  );
  expect(isChatEvent('drafts')).toBe(true);
  expect(isChatEvent('chat_key_replaced')).toBe(false);
  expect(isChatEvent('order')).toBe(false);
});
