// Marking everything as read when it takes longer than the time for one request.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { settle } from '../../../testing/verify-events.ts';
import {
  fetchIds,
  ok,
  openMessageWorld,
  send,
  sendDirect,
  type MessageWorld,
} from '../../../testing/chat/world.ts';

let world: MessageWorld;
beforeAll(async () => {
  // One message per batch, and no time for a second batch.
  world = await openMessageWorld({
    settings: { CHAT_MARK_ALL_BATCH: '1', CHAT_MARK_ALL_MS: '0' },
  });
});
afterAll(() => world.close());

it('[M070] [M133] marking everything starts with the newest messages, sends an event per batch, says that there is more, and continues on the next request', async () => {
  const { server, ada, bob, publicId, privateId } = world;
  const isUnread = { operator: 'is', operand: 'unread' };
  while (ok(await bob.client.post('/mark_all_as_read'))['complete'] !== true) {
    // Messages from the set-up are read first.
  }
  // The newest conversation has the oldest message as well.
  const ids = [
    await send(ada, privateId, 'a', 'oldest'),
    await send(ada, publicId, 'a', 'older'),
    await sendDirect(ada, [bob], 'newer'),
    await send(ada, privateId, 'b', 'newest'),
  ];
  await settle(server);
  const queue = ok(await bob.client.post('/register', { event_types: ['update_message_flags'] }));
  const events = async () => {
    await settle(server);
    const { queue_id, last_event_id } = queue;
    const given = { queue_id: String(queue_id), last_event_id: Number(last_event_id) };
    return ok(await bob.client.get('/events', { ...given, dont_block: true }))['events'];
  };
  const told = (messages: readonly number[], all = false) => ({
    op: 'add',
    flag: 'read',
    messages,
    all,
  });
  for (let left = 3; left > 0; left -= 1) {
    expect(ok(await bob.client.post('/mark_all_as_read'))['complete']).toBe(false);
    expect(await fetchIds(bob, isUnread)).toEqual(ids.slice(0, left));
    await expect.poll(events, { timeout: 20_000 }).toMatchObject(
      ids
        .slice(left)
        .reverse()
        .map((id) => told([id])),
    );
  }
  expect(ok(await bob.client.post('/mark_all_as_read'))['complete']).toBe(true);
  expect(await fetchIds(bob, isUnread)).toEqual([]);
  await expect
    .poll(events, { timeout: 20_000 })
    .toMatchObject([...ids.toReversed().map((id) => told([id])), told([], true)]);
  expect(ok(await bob.client.post('/mark_all_as_read', { anything: 1 }))).toMatchObject({
    complete: true,
    ignored_parameters_unsupported: ['anything'],
  });
});
