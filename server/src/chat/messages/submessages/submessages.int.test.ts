import { expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { MessageObject } from '../message/object.ts';
import { ok, useMessageWorld, refused, send, type Actor } from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const submit = (who: Actor, message_id: number, content: unknown, msg_type = 'widget') =>
  who.client.post('/submessage', { message_id, msg_type, content: JSON.stringify(content) });

it('a poll takes votes from everybody who can read it, and keeps its text', async () => {
  const { server, ada, bob, stranger, publicId, privateId } = world;
  const id = await send(ada, publicId, 'polls', '/poll Lunch?\nPizza\n- Soup');
  const [events] = await verifyEvents(server, [ada], async () => {
    ok(await submit(bob, id, { type: 'vote', key: 'canned,1', vote: 1 }));
  });
  expect(events).toMatchObject([{ type: 'submessage', message_id: id, sender_id: bob.id }]);
  const { body } = await bob.client.get(`/messages/${id}`);
  const { submessages } = body['message'] as MessageObject;
  expect(submessages.map(({ content }) => JSON.parse(content) as unknown)).toEqual([
    { widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['Pizza', 'Soup'] } },
    { type: 'vote', key: 'canned,1', vote: 1 },
  ]);
  expect(refused(await ada.client.patch(`/messages/${id}`, { content: 'x' })).msg).toBe(
    'Widgets cannot be edited.',
  );
  expect(refused(await submit(bob, id, { type: 'question', question: 'Dinner?' })).msg).toBe(
    "You can't edit a question unless you are the author.",
  );
  const plain = await send(ada, publicId, 'polls', 'no widget');
  expect(refused(await submit(ada, plain, { type: 'vote', key: 'canned,0', vote: 1 })).msg).toBe(
    'You cannot attach a submessage to this message.',
  );
  const hidden = await send(ada, privateId, 'polls', '/poll Secret?');
  expect(
    refused(await submit(stranger, hidden, { type: 'vote', key: 'canned,0', vote: 1 })).msg,
  ).toBe('Invalid message(s)');
});
