// A plain message is decided by what the process remembers. Whatever right is lost, the next message is refused as if
// nothing was remembered; and whatever right is given, the next message is sent. The changes are made by another
// process, and no event ever reaches the one that sends: its consumer is held up for the whole test.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../../accounts/users/role-groups.ts';
import { ROLE } from '../../../../accounts/roles.ts';
import { chatClient, type Answer } from '../../../../testing/chat/client.ts';
import {
  ok,
  openMessageWorld,
  type Actor,
  type MessageWorld,
} from '../../../../testing/chat/world.ts';
import { clusterSettings } from '../../../../testing/context.ts';
import { startTestServer, type TestServer } from '../../../../testing/server.ts';
import { statementsOf } from '../../../../testing/statements.ts';

let world: MessageWorld;
/** The process that sends. It has no relay, and nothing numbers the events of the other one. */
let sending: TestServer;
let count = 0;

beforeAll(async () => {
  world = await openMessageWorld({ settings: clusterSettings(), withRelay: false });
  sending = await startTestServer({
    databaseUrl: world.server.databaseUrl,
    settings: { ...clusterSettings(), CHAT_RATE_LIMIT: '1000000' },
    withRelay: false,
  });
});
afterAll(async () => {
  await sending.close();
  await world.close();
});

const post = (who: Actor, channelId: number, topic = 'x'): Promise<Answer> =>
  chatClient(sending, who).post('/messages', {
    type: 'channel',
    to: channelId,
    topic,
    content: 'plain',
    client: 'website',
  });

/** Sends twice, so that the second message goes by memory, and shows that it did. */
async function warm(who: Actor, channelId: number, topic = 'x'): Promise<void> {
  ok(await post(who, channelId, topic));
  const statements = await statementsOf([sending.ctx.pooled('chat').database.pool], async () => {
    ok(await post(who, channelId, topic));
  });
  expect(statements.filter((text) => text.includes('post_messages'))).toHaveLength(1);
  expect(statements).not.toContain('commit');
}

interface Case {
  readonly who: Actor;
  readonly channelId: number;
}

/** A new member in a new channel that only its subscribers see. */
async function newCase(more: Record<string, unknown> = {}): Promise<Case> {
  count += 1;
  const who = await world.person({ role: ROLE.member });
  const channelId = await world.channel(`lost ${count}`, [world.owner, who], {
    invite_only: true,
    history_public_to_subscribers: true,
    ...more,
  });
  return { who, channelId };
}

const nobody = roleGroupId('role:nobody');
const everybody = roleGroupId('role:everyone');
const moderators = roleGroupId('role:moderators');

const setPosting = async (channelId: number, before: number, after: number): Promise<void> => {
  const change = JSON.stringify({ new: after, old: before });
  ok(await world.owner.client.patch(`/streams/${channelId}`, { can_send_message_group: change }));
};

describe('a right that is lost', () => {
  it('by leaving a private channel', async () => {
    const { who, channelId } = await newCase();
    await warm(who, channelId);
    const subscriptions = JSON.stringify([`lost ${count}`]);
    const left = { subscriptions, principals: JSON.stringify([who.id]) };
    ok(await world.owner.client.delete('/users/me/subscriptions', left));
    expect((await post(who, channelId)).body).toMatchObject({ result: 'error' });
  });

  it('by a permission of the channel', async () => {
    const { who, channelId } = await newCase();
    await warm(who, channelId);
    await setPosting(channelId, everybody, moderators);
    expect((await post(who, channelId)).body['msg']).toBe(
      'You do not have permission to post in this channel.',
    );
  });

  it('by a group of the channel that the person leaves', async () => {
    const { who, channelId } = await newCase();
    const group = { name: `desk ${count}`, description: '', members: JSON.stringify([who.id]) };
    const groupId = Number(
      ok(await world.owner.client.post('/user_groups/create', group))['group_id'],
    );
    await setPosting(channelId, everybody, groupId);
    await warm(who, channelId);
    const out = { delete: JSON.stringify([who.id]) };
    ok(await world.owner.client.post(`/user_groups/${groupId}/members`, out));
    expect((await post(who, channelId)).body).toMatchObject({ result: 'error' });
  });

  it('by the role of the person', async () => {
    const { who, channelId } = await newCase();
    ok(await world.owner.client.patch(`/users/${who.id}`, { role: ROLE.moderator }));
    await setPosting(channelId, everybody, moderators);
    await warm(who, channelId);
    ok(await world.owner.client.patch(`/users/${who.id}`, { role: ROLE.member }));
    expect((await post(who, channelId)).body).toMatchObject({ result: 'error' });
  });

  it('by the end of the account', async () => {
    const { who, channelId } = await newCase();
    await warm(who, channelId);
    ok(await world.owner.client.delete(`/users/${who.id}`));
    expect((await post(who, channelId)).status).toBe(401);
  });

  it('by the end of the channel', async () => {
    const { who, channelId } = await newCase();
    await warm(who, channelId);
    ok(await world.owner.client.delete(`/streams/${channelId}`));
    expect((await post(who, channelId)).body).toMatchObject({ result: 'error' });
  });

  it('by a channel that wants a topic now', async () => {
    const { who, channelId } = await newCase();
    await warm(who, channelId, '');
    const policy = { topics_policy: JSON.stringify('disable_empty_topic') };
    ok(await world.owner.client.patch(`/streams/${channelId}`, policy));
    expect((await post(who, channelId, '')).body).toMatchObject({ result: 'error' });
  });

  it('while messages are under way: none is written after the person has left', async () => {
    const { who, channelId } = await newCase();
    await warm(who, channelId);
    const subscriptions = JSON.stringify([`lost ${count}`]);
    const left = { subscriptions, principals: JSON.stringify([who.id]) };
    const answers = await Promise.all([
      ...Array.from({ length: 30 }, () => post(who, channelId)),
      world.owner.client.delete('/users/me/subscriptions', left),
      ...Array.from({ length: 30 }, () => post(who, channelId)),
    ]);
    expect(answers.some(({ body }) => body['result'] === 'error')).toBe(true);
    const { rows } = await sending.ctx.database.pool.query<{ late: number; sent: number }>(
      `SELECT count(*)::int AS sent, (count(*) FILTER (WHERE NOT s.received @> m.seq))::int AS late
         FROM messages m JOIN channels c ON c.conversation_id = m.conversation_id
         JOIN subscriptions s ON s.channel_id = c.id AND s.user_id = m.sender_id
        WHERE m.sender_id = $1`,
      [who.id],
    );
    expect(rows[0]?.late).toBe(0);
    expect(rows[0]?.sent).toBeGreaterThanOrEqual(2);
  });
});

it('a right that is given counts for the next message', async () => {
  const { who, channelId } = await newCase();
  await setPosting(channelId, everybody, nobody);
  expect((await post(who, channelId)).body).toMatchObject({ result: 'error' });
  await setPosting(channelId, nobody, everybody);
  ok(await post(who, channelId));
});

it('a linkifier that is added makes links in the next message', async () => {
  const { who, channelId } = await newCase();
  await warm(who, channelId);
  const linkifier = { pattern: 'plain', url_template: 'https://example.com/plain' };
  ok(await world.owner.client.post('/realm/filters', linkifier));
  const id = Number(ok(await post(who, channelId))['id']);
  const { body } = await chatClient(sending, who).get(`/messages/${id}`);
  expect((body['message'] as { content: string }).content).toContain('https://example.com/plain');
});

it('an alert word and a mute that are added count for the next message', async () => {
  const { who, channelId } = await newCase();
  await warm(who, channelId);
  const { owner } = world;
  ok(await owner.client.post('/users/me/alert_words', { alert_words: JSON.stringify(['plain']) }));
  const flagsOf = async (id: number): Promise<unknown> =>
    ((await owner.client.get(`/messages/${id}`)).body['message'] as { flags: string[] }).flags;
  const alerted = Number(ok(await post(who, channelId))['id']);
  expect(await flagsOf(alerted)).toContain('has_alert_word');
  ok(await owner.client.post(`/users/me/muted_users/${who.id}`));
  const muted = Number(ok(await post(who, channelId))['id']);
  expect(await flagsOf(muted)).toContain('read');
});
