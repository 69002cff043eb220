// Signals between processes, over a real NATS: somebody types at one node and is seen at the other.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterSettings } from '../../../testing/context.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { pause } from '../../../platform/std/wait.ts';
import { chatClient, type FormInput } from '../../../testing/chat/client.ts';
import { ok, openMessageWorld, type MessageWorld } from '../../../testing/chat/world.ts';

let world: MessageWorld;
let other: TestServer;

beforeAll(async () => {
  world = await openMessageWorld({ settings: clusterSettings() });
  other = await startTestServer({
    databaseUrl: world.server.databaseUrl,
    settings: { CHAT_RATE_LIMIT: '1000000', ...clusterSettings() },
  });
});
afterAll(async () => {
  await other.close();
  await world.close();
});

interface Event {
  readonly id: number;
  readonly type: string;
}

/** Repeats `act` at one node until a queue at the other has received it. */
async function hear(act: () => Promise<unknown>): Promise<Event[]> {
  const client = chatClient(other, world.bob);
  const queue = ok(
    await client.post('/register', {
      event_types: ['typing', 'presence'],
      client_capabilities: { stream_typing_notifications: true },
    }),
  );
  const waiting = client.get('/events', {
    queue_id: queue['queue_id'],
    last_event_id: queue['last_event_id'],
  });
  let isHeard = false;
  const heard = waiting.finally(() => {
    isHeard = true;
  });
  // A signal may be lost while the connection is being made, so it is repeated.
  while (!isHeard) {
    await act();
    await pause(50);
  }
  return ok(await heard)['events'] as Event[];
}

it.each<[string, (params: { ada: number; bob: number; channel: number }) => FormInput, object]>([
  ['a direct message', ({ bob }) => ({ to: [bob] }), { type: 'typing', message_type: 'direct' }],
  [
    'a channel',
    ({ channel }) => ({ type: 'channel', stream_id: channel, topic: 'x' }),
    { type: 'typing', message_type: 'stream', topic: 'x' },
  ],
])('[M202] typing %s', async (_what, params, expected) => {
  const { ada, bob, privateId } = world;
  const form = params({ ada: ada.id, bob: bob.id, channel: privateId });
  const [first] = await hear(() => ada.client.post('/typing', { op: 'start', ...form }));
  expect(first).toMatchObject({ ...expected, sender: { user_id: ada.id } });
});

it('somebody who comes online at one node is seen at the other', async () => {
  const { person } = world;
  const [first] = await hear(async () => {
    const { client } = await person();
    ok(await client.post('/users/me/presence', { status: 'active', ping_only: true }));
  });
  expect(first).toMatchObject({ type: 'presence', presence: { website: { status: 'active' } } });
});
