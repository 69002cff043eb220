// Reminders: requested over HTTP, delivered by the notification bot.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDueRunner, type DueRunner } from '../../../platform/due/runner.ts';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import {
  fetchAll,
  ok,
  openMessageWorld,
  refused,
  send,
  sendDirect,
  unsubscribe,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import { dueReminders } from './actions.ts';
import type { Reminder } from './events.ts';

let world: MessageWorld;
let worker: DueRunner;
beforeAll(async () => {
  world = await openMessageWorld({ settings: { DUE_POLL_MS: '20' } });
  const { ctx, origin } = world.server;
  worker = startDueRunner(ctx, dueReminders({ ...ctx, publicUrl: () => origin }));
});
afterAll(async () => {
  await worker.stop();
  await checkLoggedShapes(world.server);
  await world.close();
});

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
const post = (params: FormInput, { client } = world.ada) =>
  client.post('/reminders', { scheduled_delivery_timestamp: inAnHour(), ...params });
const remindOf = async (messageId: number, more: FormInput = {}, actor = world.ada) =>
  Number(ok(await post({ message_id: messageId, ...more }, actor))['reminder_id']);
const list = async ({ client } = world.ada): Promise<Reminder[]> =>
  ok(await client.get('/reminders'))['reminders'] as Reminder[];

/** Makes the reminder due, `ago` before now, and waits until the worker has delivered it. */
async function comeTrue(id: number, ago = '1 second'): Promise<void> {
  const { pool } = world.server.ctx.database;
  await pool.query(
    `UPDATE reminders SET deliver_at = now() - $2::interval, next_try_at = now() - $2::interval
      WHERE id = $1`,
    [id, ago],
  );
  const left = async () => {
    const sql = 'SELECT FROM reminders WHERE id = $1 AND next_try_at IS NOT NULL';
    return (await pool.query(sql, [id])).rowCount;
  };
  await expect.poll(left, { interval: 10 }).toBe(0);
}
async function lastToAda() {
  const direct = [{ operator: 'is', operand: 'dm' }];
  return (await fetchAll(world.ada, direct, { apply_markdown: false })).at(-1);
}

it('reminders are listed in the order of time, and deleted; the person’s own clients follow, nobody else’s', async () => {
  const { server, ada, bob, publicId } = world;
  const messageId = await send(bob, publicId, 'plans', 'Buy **milk**');
  const ids: number[] = [];
  const [own, other] = await verifyEvents(server, [ada, bob], async () => {
    ids.push(
      await remindOf(messageId, {
        note: ' today ',
        scheduled_delivery_timestamp: inAnHour() + 3600,
      }),
    );
    ids.push(await remindOf(messageId));
  });
  expect(own).toMatchObject(
    ids.map((id) => ({ type: 'reminders', op: 'add', reminders: [{ reminder_id: id }] })),
  );
  expect(other).toEqual([]);
  expect(await list(bob)).toEqual([]);
  const [second, first] = await list();
  expect(second).toMatchObject({ reminder_id: ids[1], failed: false });
  expect(first).toEqual({
    reminder_id: ids[0],
    type: 'private',
    to: [ada.id],
    content: expect.stringContaining('today'),
    rendered_content: expect.stringContaining('<strong>milk</strong>'),
    scheduled_delivery_timestamp: expect.any(Number),
    failed: false,
    reminder_target_message_id: messageId,
  });
  for (const answer of [
    await bob.client.delete(`/reminders/${ids[0]}`),
    await ada.client.delete('/reminders/99999999999'),
  ]) {
    expect([answer.status, answer.body['msg']]).toEqual([404, 'Reminder does not exist']);
  }
  const [gone] = await verifyEvents(server, [ada], async () => {
    for (const id of ids) ok(await ada.client.delete(`/reminders/${id}`));
  });
  expect(gone).toMatchObject(ids.map((id) => ({ op: 'remove', reminder_id: id })));
});

it('reminders come from the notification bot, with the message’s present text, a link and the note', async () => {
  const { server, ada, bob, publicId } = world;
  const messageId = await send(bob, publicId, 'plans', 'Buy milk');
  const id = await remindOf(messageId, { note: 'before @**Bob** leaves' });
  ok(await bob.client.patch(`/messages/${messageId}`, { content: 'Buy ```` bread @**Ada**' }));
  const [own, other] = await verifyEvents(server, [ada, bob], () => comeTrue(id));
  expect(own?.map(({ type }) => type).sort()).toEqual(['message', 'reminders']);
  expect(other).toEqual([]);
  const told = await lastToAda();
  expect(told).toMatchObject({ sender_full_name: 'Notification Bot', flags: [] });
  expect(told?.content).toBe(
    'You requested a reminder for #**general>plans**. **Note:**\n' +
      '```` quote\nbefore @**Bob** leaves\n````\n\n' +
      `@_**Bob|${bob.id}** [said](/#narrow/channel/${publicId}-general/topic/plans/near/${messageId}):\n` +
      '````` quote\nBuy ```` bread @**Ada**\n`````',
  );
  expect(await list()).toEqual([]);
});

it('reminders of direct messages say so, and come however late', async () => {
  const { ada, bob } = world;
  const messageId = await sendDirect(bob, [ada], 'Psst');
  await comeTrue(await remindOf(messageId), '3 days');
  const told = await lastToAda();
  expect(told?.content).toBe(
    'You requested a reminder for the following direct message.\n\n' +
      `@_**Bob|${bob.id}** [said](/#narrow/dm/${ada.id},${bob.id}-dm/near/${messageId}):\n` +
      '```` quote\nPsst\n````',
  );
});

it('reminders never quote a message that the person may no longer read', async () => {
  const { ada, bob, protectedId } = world;
  const messageId = await send(bob, protectedId, 'hidden', 'before');
  const id = await remindOf(messageId, { note: 'look' });
  await unsubscribe(ada, 'vault');
  ok(await bob.client.patch(`/messages/${messageId}`, { content: 'canary of the vault' }));
  await comeTrue(id);
  const told = await lastToAda();
  expect(told?.content).toBe(
    'You requested a reminder for a message that you can no longer read. **Note:**\n' +
      '```` quote\nlook\n````',
  );
});

it('reminders are not delivered to deactivated people', async () => {
  const gone = await world.person();
  const messageId = await sendDirect(gone, [gone], 'to myself');
  const id = await remindOf(messageId, {}, gone);
  ok(await world.owner.client.delete(`/users/${gone.id}`));
  await comeTrue(id);
  const { rows } = await world.server.ctx.database.pool.query(
    'SELECT FROM reminders WHERE id = $1',
    [id],
  );
  expect(rows).toHaveLength(1);
});

it('reminders are refused for unreadable messages, for the past, and with a note that is too long', async () => {
  const { bob, privateId, publicId, stranger } = world;
  const secret = await send(bob, privateId, 'x', 'secret');
  const open = await send(bob, publicId, 'x', 'open');
  for (const message_id of [secret, 900_000_000, -1]) {
    expect(refused(await post({ message_id }, stranger))).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Invalid message(s)',
    });
  }
  const message = async (params: FormInput) =>
    refused(await post({ message_id: open, ...params })).msg;
  expect(await message({ scheduled_delivery_timestamp: 1 })).toBe(
    'Scheduled delivery time must be in the future.',
  );
  expect(await message({ note: 'x'.repeat(1001) })).toBe(
    'note is too long (limit: 1000 characters)',
  );
  expect(refused(await world.ada.client.post('/reminders', { message_id: open })).msg).toBe(
    "Missing 'scheduled_delivery_timestamp' argument",
  );
});
