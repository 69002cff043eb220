// Retention: messages past their time are deleted for everybody, and no others.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '../../../platform/std/time.ts';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import { applyRetention } from './retention.ts';
import {
  fetchIds,
  ok,
  openMessageWorld,
  send,
  sendDirect,
  type MessageWorld,
} from '../../../testing/chat/world.ts';

let world: MessageWorld;
let offsetMs = 0;
beforeAll(async () => {
  world = await openMessageWorld({ clock: { now: () => Date.now() + offsetMs } });
});
afterAll(async () => {
  await checkLoggedShapes(world.server);
  await world.close();
});

const channel = (operand: number) => ({ operator: 'channel', operand });

it('retention deletes by the channel’s rule, or else by the organization’s, and sends events', async () => {
  const { server, owner, ada, bob, publicId, privateId, protectedId } = world;
  const run = () => applyRetention(server.ctx);
  const old = [await send(ada, publicId, 'a', 'old'), await send(ada, publicId, 'b', 'old too')];
  const kept = await send(ada, privateId, 'a', 'kept for ever');
  const vault = await send(ada, protectedId, 'a', 'old');
  const direct = await sendDirect(ada, [bob], 'old');
  ok(await bob.client.post('/messages/flags', { messages: [old[0]], op: 'add', flag: 'starred' }));
  offsetMs = 10 * DAY_MS;
  const fresh = await send(ada, publicId, 'a', 'fresh');
  // Clients never move a direct conversation back in their list, so its newest message must stay.
  const freshDirect = await sendDirect(ada, [bob], 'fresh');
  // By default nothing is deleted.
  expect(await run()).toBe(0);
  ok(await owner.client.patch('/realm', { message_retention_days: 5 }));
  ok(await owner.client.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] }));
  await server.ctx.db
    .updateTable('channels')
    .set({ messageRetentionDays: -1 })
    .where('id', '=', privateId)
    .execute();
  const [toBob, toOwner] = await verifyEvents(server, [bob, owner], async () => {
    expect(await run()).toBe(4);
  });
  expect(toBob?.filter(({ type }) => type === 'delete_message')).toHaveLength(4);
  expect(toOwner?.filter(({ type }) => type === 'delete_message')).toHaveLength(2);
  expect(await fetchIds(bob, channel(publicId))).toEqual([fresh]);
  expect(await fetchIds(bob, channel(privateId))).toEqual([kept]);
  expect(await fetchIds(bob, channel(protectedId))).not.toContain(vault);
  const directs = await fetchIds(bob, { operator: 'is', operand: 'dm' });
  expect(directs).toContain(freshDirect);
  expect(directs).not.toContain(direct);
  expect(await run()).toBe(0);
});

it('retention continues over several batches, and a channel’s shorter rule wins', async () => {
  const { server, owner, ada } = world;
  const id = await world.channel('fleeting', [owner, ada], { message_retention_days: 1 });
  const sent: number[] = [];
  for (let count = 0; count < 12; count += 1) sent.push(await send(ada, id, `t${count % 3}`, 'x'));
  offsetMs += 2 * DAY_MS;
  const last = await send(ada, id, 'now', 'x');
  expect(await applyRetention(server.ctx)).toBeGreaterThanOrEqual(sent.length);
  expect(await fetchIds(ada, channel(id))).toEqual([last]);
});
