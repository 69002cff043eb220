// A process remembers who has which key. Whatever happens to the key or to its holder, the next call is answered as if
// nothing was remembered. The changes are made by another process, and no event ever reaches the one that answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChatKey } from '../../accounts/chat-keys/key.ts';
import { insertChatKey } from '../../accounts/chat-keys/store.ts';
import { ROLE } from '../../accounts/roles.ts';
import { chatClient, type Answer } from '../../testing/chat/client.ts';
import { ok, openMessageWorld, type Actor, type MessageWorld } from '../../testing/chat/world.ts';
import { clusterSettings } from '../../testing/context.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { statementsOf } from '../../testing/statements.ts';

let world: MessageWorld;
let other: TestServer;

beforeAll(async () => {
  world = await openMessageWorld({ settings: clusterSettings(), withRelay: false });
  other = await startTestServer({
    databaseUrl: world.server.databaseUrl,
    settings: {
      ...clusterSettings(),
      CHAT_RATE_LIMIT: '1000000',
      CHAT_RATE_LIMIT_ANONYMOUS: '1000000',
    },
    withRelay: false,
  });
});
afterAll(async () => {
  await other.close();
  await world.close();
});

type Keyed = Pick<Actor, 'basic'>;

const post = (who: Keyed, more: Record<string, string> = {}): Promise<Answer> =>
  chatClient(other, who).post('/messages', {
    type: 'channel',
    to: world.publicId,
    topic: 'keys',
    content: 'plain',
    client: 'website',
    ...more,
  });
const page = (who: Keyed): Promise<Answer> =>
  chatClient(other, who).get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 });
const me = (who: Keyed): Promise<Answer> => chatClient(other, who).get('/users/me');

const CALLS = { post, page, me };

const LOOKUP = /^SELECT k\.lookup/;

/** Calls until the caller is remembered, and shows that the next call does not look the key up. */
async function warm(who: Keyed, call: (who: Keyed) => Promise<Answer>): Promise<void> {
  ok(await call(who));
  ok(await call(who));
  const statements = await statementsOf([other.ctx.pooled('chat').database.pool], async () => {
    ok(await call(who));
  });
  expect(statements.filter((text) => LOOKUP.test(text))).toEqual([]);
}

const run = (statement: string, ...values: unknown[]) =>
  world.server.ctx.database.pool.query(statement, values);

/** A member with one more key. */
async function holder(): Promise<{ who: Actor; keyed: Keyed; keyId: bigint }> {
  const who = await world.person({ role: ROLE.member });
  const { ctx } = world.server;
  const { key, stored } = createChatKey(ctx.secrets);
  const keyId = await ctx.inTransaction((tx) =>
    insertChatKey(tx, {
      userId: who.id,
      kind: 'own',
      lookup: stored.chatKeyLookup,
      label: 'test',
      can: ['read', 'write'],
      channelIds: null,
      direct: true,
      addresses: null,
      expiresAt: null,
    }),
  );
  const basic = `Basic ${Buffer.from(`${who.email}:${key}`).toString('base64')}`;
  return { who, keyed: { basic }, keyId };
}

describe.each(Object.entries(CALLS))('after a change by another process, %s', (_name, call) => {
  it('refuses a key that its owner has replaced', async () => {
    const who = await world.person({ role: ROLE.member });
    await warm(who, call);
    ok(await who.client.post('/users/me/api_key/regenerate'));
    expect((await call(who)).status).toBe(401);
    expect((await call(who)).status).toBe(401);
  });

  it('refuses an account that has ended, and takes it back', async () => {
    const who = await world.person({ role: ROLE.member });
    await warm(who, call);
    ok(await world.owner.client.delete(`/users/${who.id}`));
    expect((await call(who)).body['msg']).toBe('Account is deactivated');
    ok(await world.owner.client.post(`/users/${who.id}/reactivate`));
    ok(await call(who));
  });

  it('refuses an address that its owner no longer has', async () => {
    const who = await world.person({ role: ROLE.member });
    await warm(who, call);
    await run(`UPDATE users SET email = 'moved.' || email WHERE id = $1`, who.id);
    expect((await call(who)).status).toBe(401);
  });

  it.each([
    ['was deleted', 'DELETE FROM chat_keys WHERE id = $1', 401],
    ['has ended', 'UPDATE chat_keys SET expires_at = now() WHERE id = $1', 401],
    [
      'is for another network',
      `UPDATE chat_keys SET addresses = '{203.0.113.0/24}' WHERE id = $1`,
      401,
    ],
  ])('refuses one more key that %s', async (_how, statement, status) => {
    const { who, keyed, keyId } = await holder();
    await warm(keyed, call);
    await run(statement, keyId);
    expect((await call(keyed)).status).toBe(status);
    // The main key goes on.
    ok(await call(who));
  });

  it('refuses a bot whose owner has left', async () => {
    const keeper = await world.person({ role: ROLE.member });
    const bot = await world.person({ role: ROLE.member });
    await run('UPDATE users SET bot_type = 1, bot_owner_id = $2 WHERE id = $1', bot.id, keeper.id);
    await warm(bot, call);
    ok(await world.owner.client.delete(`/users/${keeper.id}`));
    expect((await call(bot)).status).toBe(401);
  });
});

it('a key that may no longer write writes nothing', async () => {
  const { keyed, keyId } = await holder();
  await warm(keyed, post);
  await run(`UPDATE chat_keys SET can = '{read}' WHERE id = $1`, keyId);
  expect((await post(keyed)).body['code']).toBe('KEY_SCOPE');
  await run(`UPDATE chat_keys SET can = '{read,write}' WHERE id = $1`, keyId);
  ok(await post(keyed));
});

it('a key that ends by itself is not remembered', async () => {
  const { keyed, keyId } = await holder();
  await run(`UPDATE chat_keys SET expires_at = now() + interval '1 hour' WHERE id = $1`, keyId);
  ok(await post(keyed));
  const statements = await statementsOf([other.ctx.pooled('chat').database.pool], async () => {
    ok(await post(keyed));
  });
  expect(statements.filter((text) => LOOKUP.test(text))).toHaveLength(1);
});

it('messages under way while the key is replaced: none is written after it', async () => {
  const who = await world.person({ role: ROLE.member });
  await warm(who, post);
  const answers = await Promise.all([
    ...Array.from({ length: 30 }, () => post(who)),
    who.client.post('/users/me/api_key/regenerate'),
    ...Array.from({ length: 30 }, () => post(who)),
  ]);
  const sent = answers.filter(({ status }) => status === 200).length - 1;
  const { rows } = await run(
    'SELECT count(*)::int AS sent FROM messages WHERE sender_id = $1',
    who.id,
  );
  expect((rows as { sent: number }[])[0]?.sent).toBe(sent + 3);
  expect((await post(who)).status).toBe(401);
});

it('says wrong parameters only to somebody whose key still works', async () => {
  const who = await world.person({ role: ROLE.member });
  await warm(who, post);
  expect((await post(who, { type: 'pigeon' })).status).toBe(400);
  ok(await who.client.post('/users/me/api_key/regenerate'));
  expect((await post(who, { type: 'pigeon' })).status).toBe(401);
});

it('a new name stands in the next message, and a repeated message is found once', async () => {
  const who = await world.person({ role: ROLE.member });
  await warm(who, post);
  await run(`UPDATE users SET full_name = 'Renamed' WHERE id = $1`, who.id);
  const id = Number(ok(await post(who))['id']);
  const { body } = await chatClient(other, who).get(`/messages/${id}`);
  expect((body['message'] as { sender_full_name: string }).sender_full_name).toBe('Renamed');
  const local_id = '6e3c1a0e-5b1c-4e0e-9c7c-0d5d1c0b7a11';
  const first = ok(await post(who, { local_id }))['id'];
  expect(ok(await post(who, { local_id }))['id']).toBe(first);
  ok(await who.client.post('/users/me/api_key/regenerate'));
  expect((await post(who, { local_id })).status).toBe(401);
});
