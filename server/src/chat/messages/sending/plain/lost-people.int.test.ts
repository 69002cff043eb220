// As lost-rights.int.test.ts, for direct messages and mentions: whatever right is lost, and whatever changes about the
// people whom a message goes to or names, counts for the next message. The changes are made by another process, and no
// event ever reaches the one that sends.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../../accounts/users/role-groups.ts';
import { EMAIL_VISIBILITY } from '../../../../accounts/users/sight.ts';
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

type Post = () => Promise<Answer>;

const poster =
  (who: Actor, given: Record<string, unknown>): Post =>
  () =>
    chatClient(sending, who).post('/messages', {
      client: 'website',
      content: 'x',
      ...given,
    });

const toPeople = (who: Actor, to: readonly (number | string)[], content = 'x'): Post =>
  poster(who, { type: 'direct', to: JSON.stringify(to), content });

const inChannel = (who: Actor, content: string): Post =>
  poster(who, { type: 'channel', to: world.publicId, topic: 'x', content });

/** Sends until it goes by memory, and shows that it does. */
async function warm(post: Post): Promise<void> {
  for (let n = 0; n < 3; n += 1) ok(await post());
  const statements = await statementsOf([sending.ctx.pooled('chat').database.pool], async () => {
    ok(await post());
  });
  expect(statements).toEqual([expect.stringContaining('post_messages')]);
}

const setRealm = async (name: string, groups: unknown): Promise<void> => {
  ok(await world.owner.client.patch('/realm', { [name]: JSON.stringify({ new: groups }) }));
};

async function flagsOf(who: Actor, id: number): Promise<readonly string[]> {
  const { message } = ok(await who.client.get(`/messages/${id}`));
  return (message as { flags: string[] }).flags;
}
const idOf = (answer: Answer): number => Number(ok(answer)['id']);
const everybody = roleGroupId('role:everyone');
const nobody = roleGroupId('role:nobody');

describe('a direct message is refused', () => {
  it('when the organization has ended them', async () => {
    const [ada, bob] = [await world.person(), await world.person()];
    const post = toPeople(ada, [bob.id]);
    await warm(post);
    await setRealm('direct_message_permission_group', nobody);
    expect((await post()).body['msg']).toBe('Direct messages are disabled in this organization.');
    await setRealm('direct_message_permission_group', everybody);
    ok(await post());
  });

  it('when nobody in the conversation may authorize it any more', async () => {
    const [ada, bob, cyd] = [await world.person(), await world.person(), await world.person()];
    const group = { name: 'authorizers', description: '', members: JSON.stringify([cyd.id]) };
    const groupId = Number(
      ok(await world.owner.client.post('/user_groups/create', group))['group_id'],
    );
    const post = toPeople(ada, [bob.id, cyd.id]);
    await warm(post);
    await setRealm('direct_message_permission_group', groupId);
    await warm(post);
    const out = { delete: JSON.stringify([cyd.id]) };
    ok(await world.owner.client.post(`/user_groups/${groupId}/members`, out));
    expect((await post()).body).toMatchObject({ result: 'error' });
    await setRealm('direct_message_permission_group', everybody);
  });

  it('when somebody there has gone', async () => {
    const [ada, bob] = [await world.person(), await world.person()];
    const post = toPeople(ada, [bob.id]);
    await warm(post);
    ok(await world.owner.client.delete(`/users/${bob.id}`));
    expect((await post()).body).toMatchObject({ result: 'error' });
  });

  it('when the sender has gone', async () => {
    const [ada, bob] = [await world.person(), await world.person()];
    const post = toPeople(ada, [bob.id]);
    await warm(post);
    ok(await world.owner.client.delete(`/users/${ada.id}`));
    expect((await post()).status).toBe(401);
  });

  it('when it goes to an address that is hidden now', async () => {
    const [ada, bob] = [await world.person(), await world.person()];
    const post = toPeople(ada, [bob.email]);
    await warm(post);
    const hidden = { email_address_visibility: EMAIL_VISIBILITY.nobody };
    ok(await bob.client.patch('/settings', hidden));
    expect((await post()).body).toMatchObject({ result: 'error' });
  });
});

it('a direct message shows people as they are called now', async () => {
  const [ada, bob] = [await world.person(), await world.person()];
  const post = toPeople(ada, [bob.id]);
  await warm(post);
  ok(await bob.client.patch('/settings', { full_name: 'Somebody New' }));
  const id = idOf(await post());
  const { rows } = await sending.ctx.database.pool.query<{ payload: string }>(
    `SELECT payload FROM outbox WHERE type = 'message' ORDER BY id DESC LIMIT 1`,
  );
  expect(JSON.parse(rows[0]?.payload ?? '')).toMatchObject({
    message: {
      id,
      display_recipient: expect.arrayContaining([
        expect.objectContaining({ full_name: 'Somebody New' }),
      ]),
    },
  });
});

it('a direct message arrives as read for somebody who has just muted its sender', async () => {
  const [ada, bob] = [await world.person(), await world.person()];
  const post = toPeople(ada, [bob.id]);
  await warm(post);
  ok(await bob.client.post(`/users/me/muted_users/${ada.id}`));
  expect(await flagsOf(bob, idOf(await post()))).toContain('read');
  await warm(post);
  ok(await bob.client.delete(`/users/me/muted_users/${ada.id}`));
  expect(await flagsOf(bob, idOf(await post()))).not.toContain('read');
});

describe('a mention', () => {
  async function subscribed(): Promise<readonly [Actor, Actor]> {
    const pair = [await world.person(), await world.person()] as const;
    const principals = JSON.stringify(pair.map(({ id }) => id));
    const subscriptions = JSON.stringify([{ name: 'general' }]);
    ok(await world.owner.client.post('/users/me/subscriptions', { subscriptions, principals }));
    return pair;
  }

  it('does not reach somebody who has left the channel', async () => {
    const [ada, bob] = await subscribed();
    const post = inChannel(ada, `@**${bob.fullName}|${bob.id}**`);
    await warm(post);
    expect(await flagsOf(bob, idOf(await post()))).toContain('mentioned');
    const subscriptions = JSON.stringify(['general']);
    ok(await bob.client.delete('/users/me/subscriptions', { subscriptions }));
    expect(await flagsOf(bob, idOf(await post()))).not.toContain('mentioned');
  });

  it('by a name reaches the person who has it now, and not the one who had it', async () => {
    const [ada, bob] = await subscribed();
    ok(await bob.client.patch('/settings', { full_name: 'Only Name' }));
    const post = inChannel(ada, '@**Only Name**');
    await warm(post);
    ok(await bob.client.patch('/settings', { full_name: 'Other Name' }));
    expect(await flagsOf(bob, idOf(await post()))).not.toContain('mentioned');
    const cyd = await world.person({ fullName: 'Only Name' });
    const { body } = await cyd.client.get(`/messages/${idOf(await post())}`);
    expect((body['message'] as { content: string }).content).toContain(`data-user-id="${cyd.id}"`);
  });

  it('makes nobody follow a topic who has just said that they do not want that', async () => {
    const [ada, bob] = await subscribed();
    const post = inChannel(ada, `@**${bob.fullName}|${bob.id}**`);
    await warm(post);
    const { pool } = sending.ctx.database;
    await pool.query('DELETE FROM user_topics WHERE user_id = $1', [bob.id]);
    ok(await bob.client.patch('/settings', { automatically_follow_topics_where_mentioned: false }));
    ok(await post());
    const followed = await pool.query('SELECT FROM user_topics WHERE user_id = $1', [bob.id]);
    expect(followed.rows).toHaveLength(0);
  });

  it('tells nobody whose account has ended', async () => {
    const [ada, bob] = await subscribed();
    const post = inChannel(ada, `@**${bob.fullName}|${bob.id}**`);
    await warm(post);
    ok(await world.owner.client.delete(`/users/${bob.id}`));
    const { body } = await ada.client.get(`/messages/${idOf(await post())}`);
    expect((body['message'] as { content: string }).content).toContain('silent');
  });
});
