// Marking everything as read when that takes longer than one request may.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { settle } from '../../testing/verify-events.ts';
import {
  fetchIds,
  ok,
  openMessageWorld,
  send,
  sendDirect,
  type MessageWorld,
} from '../messages/test-world.ts';

let world: MessageWorld;
beforeAll(async () => {
  // One conversation at a time, and no time for a second one.
  world = await openMessageWorld({
    settings: { CHAT_MARK_ALL_BATCH: '1', CHAT_MARK_ALL_MS: '0' },
  });
});
afterAll(() => world.close());

it('[M070] [M133] marks the newest conversation first, says that there is more, and goes on when asked again', async () => {
  const { server, ada, bob, publicId, privateId } = world;
  const isUnread = { operator: 'is', operand: 'unread' };
  ok(await bob.client.post('/mark_all_as_read'));
  while (ok(await bob.client.post('/mark_all_as_read'))['complete'] !== true) {
    // What the making of the world left unread.
  }
  const ids = [
    await send(ada, publicId, 'a', 'oldest'),
    await sendDirect(ada, [bob], 'between'),
    await send(ada, privateId, 'a', 'newer'),
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
  const answers: unknown[] = [];
  const left: number[][] = [];
  for (let n = 0; n < 3; n += 1) {
    answers.push(ok(await bob.client.post('/mark_all_as_read'))['complete']);
    left.push(await fetchIds(bob, isUnread));
    if (n === 1) expect(await events()).toEqual([]);
  }
  expect(left).toEqual([ids.slice(0, 2), ids.slice(0, 1), []]);
  expect(answers).toEqual([false, false, true]);
  await expect
    .poll(events)
    .toMatchObject([{ op: 'add', operation: 'add', flag: 'read', messages: [], all: true }]);
  expect(ok(await bob.client.post('/mark_all_as_read', { anything: 1 }))).toMatchObject({
    complete: true,
    ignored_parameters_unsupported: ['anything'],
  });
});
