// Reports of messages reach the moderators, and show them no more than they need.
import { expect, it } from 'vitest';
import {
  fetchAll,
  ok,
  useMessageWorld,
  refused,
  send,
  sendDirect,
  type Actor,
} from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const report = ({ client }: Actor, id: number, type = 'spam', description = '') =>
  client.post(`/messages/${id}/report`, { report_type: type, description });

it('reports go to the configured channel, with the reason and the quoted message', async () => {
  const { owner, ada, bob, stranger, publicId, privateId } = world;
  const id = await send(bob, publicId, 'ads', 'Buy `now` ```');
  expect(refused(await report(ada, id)).msg).toBe(
    'Message reporting is not enabled in this organization.',
  );
  const channel = await world.channel('moderation', [owner], { invite_only: true });
  ok(await owner.client.patch('/realm', { moderation_request_channel_id: channel }));
  ok(await report(ada, id, 'spam', 'Third time'));
  expect(refused(await report(ada, id, 'other', ' ')).msg).toBe('An explanation is required.');
  expect(refused(await report(ada, id, 'boring')).code).toBe('BAD_REQUEST');
  const hidden = await send(bob, privateId, 'plans', 'between us');
  expect(refused(await report(stranger, hidden)).msg).toBe('Invalid message(s)');
  ok(await report(ada, hidden, 'harassment'));
  ok(await report(ada, await sendDirect(bob, [ada], 'psst'), 'other', 'Unwanted'));
  const narrow = [{ operator: 'channel', operand: channel }];
  const told = await fetchAll(owner, narrow, { apply_markdown: false });
  expect(told.map(({ subject }) => subject)).toEqual(['Bob', 'Bob', 'Bob']);
  const [open, closed, direct] = told.map(({ content }) => content);
  expect(open).toContain(`@_**Ada|${ada.id}** reported [a message](/#narrow/channel/${publicId}-`);
  expect(open).toContain('sent by @_**Bob|');
  expect(open).toContain('in #**general>ads**');
  expect(open).toContain('* **Reason:** Spam');
  expect(open).toContain('Third time');
  expect(open).toContain('Buy `now` ```');
  expect(closed).toContain('in a private channel');
  expect(closed).not.toMatch(/secret|plans|narrow/);
  expect(direct).toContain('reported a direct message sent by');
});
