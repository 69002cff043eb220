// Drafts over HTTP: what they may be, who may touch them, and how they reach the author's other clients.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import { chatClient, type ChatClient } from '../../../testing/chat/client.ts';
import type { Draft } from './events.ts';

let server: TestServer;
let ada: Person;
let bob: Person;
let client: ChatClient;
let publicId: number;
let privateId: number;
let archivedId: number;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT: '100000' } });
  ada = await examplePerson(server.ctx);
  bob = await examplePerson(server.ctx);
  client = chatClient(server, ada);
  const channel = async (name: string, more: { inviteOnly?: boolean; isArchived?: boolean }) => {
    const { id } = await server.ctx.db
      .insertInto('channels')
      .values({ name, ...more })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  publicId = await channel('lobby', {});
  privateId = await channel('secret', { inviteOnly: true });
  archivedId = await channel('past', { isArchived: true });
});
afterAll(async () => {
  await checkLoggedShapes(server);
  await server.close();
});

const draft = (given: Record<string, unknown> = {}) => ({
  type: '',
  to: [],
  topic: '',
  content: 'hello',
  ...given,
});

async function create(given: Record<string, unknown>, by = client): Promise<number> {
  const { status, body } = await by.post('/drafts', { drafts: [draft(given)] });
  expect(body).toMatchObject({ result: 'success' });
  expect(status).toBe(200);
  return (body['ids'] as number[])[0] as number;
}

async function list(by = client): Promise<Draft[]> {
  const { body } = await by.get('/drafts');
  expect(body['count']).toBe((body['drafts'] as Draft[]).length);
  return body['drafts'] as Draft[];
}

const find = async (id: number) => (await list()).find((one) => one.id === id);

const refused = async (drafts: unknown) => {
  const before = await list();
  const { status, body } = await client.post('/drafts', { drafts });
  expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'BAD_REQUEST' });
  expect(await list()).toEqual(before);
  return body['msg'];
};

describe('[M134] [M135] POST /drafts', () => {
  it('returns the ids in the order of the request', async () => {
    const drafts = ['one', 'two', 'three'].map((content) => draft({ content }));
    const { body } = await client.post('/drafts', { drafts });
    const ids = body['ids'] as number[];
    const stored = await list();
    expect(ids.map((id) => stored.find((one) => one.id === id)?.content)).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it('answers an empty request with an empty list of ids', async () => {
    expect((await client.post('/drafts')).body).toEqual({ result: 'success', msg: '', ids: [] });
    expect((await client.post('/drafts', { drafts: 'null' })).body['ids']).toEqual([]);
  });

  it('refuses a channel draft that does not name exactly one channel', async () => {
    const text = 'Must specify exactly 1 channel ID for channel messages';
    expect(await refused([draft({ type: 'stream', to: [] })])).toBe(text);
    expect(await refused([draft({ type: 'stream', to: [publicId, privateId] })])).toBe(text);
  });

  it('saves the whole batch or nothing', async () => {
    expect(await refused([draft(), draft({ type: 'stream', to: [privateId] })])).toBe(
      'Invalid channel ID',
    );
    expect(await refused([draft(), draft({ content: ' ' })])).toBe(
      'drafts[1]["content"] cannot be blank',
    );
  });

  it('refuses a value that is not a list of drafts', async () => {
    expect(await refused('x')).toBe('drafts is not valid JSON');
    expect(await refused({})).toBe('drafts is not a list');
    expect(await refused([5])).toBe('drafts[0] is not a dict');
    expect(await refused(Array.from({ length: 1001 }, () => draft()))).toBe(
      'drafts is too long (limit: 1000 items)',
    );
  });
});

describe('a draft', () => {
  it('[M011] gets its id from the server; a client may not send one', async () => {
    const id = await create({});
    expect(await find(id)).toMatchObject({ id });
    expect(await refused([draft({ id: 5 })])).toBe(
      'Argument "id" at drafts[0]["id"] is unexpected',
    );
    expect((await client.patch(`/drafts/${id}`, { draft: draft({ id }) })).body['msg']).toBe(
      'Argument "id" at draft["id"] is unexpected',
    );
  });

  it('[M012] is unaddressed, for a channel, or direct', async () => {
    for (const [type, to] of [
      ['', []],
      ['stream', [publicId]],
      ['private', [bob.id]],
    ] as const) {
      expect(await find(await create({ type, to }))).toMatchObject({ type, to });
    }
    expect(await refused([draft({ type: 'channel' })])).toBe('Invalid drafts[0]["type"]');
    expect(await refused([draft({ type: 5 })])).toBe('Invalid drafts[0]["type"]');
    const { type: _type, ...untyped } = draft();
    expect(await refused([untyped])).toBe('drafts[0]["type"] field is missing: Field required');
  });

  it('[M013] to a channel needs the right to write there', async () => {
    expect(await refused([draft({ type: 'stream', to: [privateId] })])).toBe('Invalid channel ID');
    expect(await refused([draft({ type: 'stream', to: [archivedId] })])).toBe('Invalid channel ID');
    expect(await refused([draft({ type: 'stream', to: [999_999] })])).toBe('Invalid channel ID');
    expect(await refused([draft({ type: 'stream', to: [2 ** 40] })])).toBe('Invalid channel ID');
    await server.ctx.db
      .insertInto('subscriptions')
      .values({ userId: ada.id, channelId: privateId })
      .execute();
    expect(await find(await create({ type: 'stream', to: [privateId] }))).toBeDefined();
    const guest = await examplePerson(server.ctx, { role: ROLE.guest });
    const { body } = await chatClient(server, guest).post('/drafts', {
      drafts: [draft({ type: 'stream', to: [publicId] })],
    });
    expect(body['msg']).toBe('Invalid channel ID');
    const admin = await examplePerson(server.ctx, { role: ROLE.administrator });
    const byAdmin = await chatClient(server, admin).post('/drafts', {
      drafts: [draft({ type: 'stream', to: [privateId] })],
    });
    expect(byAdmin.body['msg']).toBe('Invalid channel ID');
  });

  it('to people lists the others once, without its author; a note to self lists the author', async () => {
    const direct = async (to: number[]) => (await find(await create({ type: 'private', to })))?.to;
    const carl = await examplePerson(server.ctx);
    expect(await direct([carl.id, bob.id, ada.id, bob.id])).toEqual([bob.id, carl.id]);
    expect(await direct([ada.id])).toEqual([ada.id]);
    expect(await refused([draft({ type: 'private', to: [bob.id, 999_999] })])).toBe(
      'Invalid user ID 999999',
    );
    expect(await refused([draft({ type: 'private', to: [2 ** 40] })])).toBe(
      `Invalid user ID ${2 ** 40}`,
    );
    expect(await refused([draft({ type: 'private', to: ['x'] })])).toBe(
      'drafts[0]["to"][0] is not an integer',
    );
  });

  it('to nobody yet keeps the type direct; an unaddressed one drops its recipients', async () => {
    const id = await create({ type: 'private', to: [], topic: 'x' });
    expect(await find(id)).toMatchObject({ type: 'private', to: [], topic: '' });
    const again = draft({ type: 'private', to: [], content: 'still for nobody' });
    expect((await client.patch(`/drafts/${id}`, { draft: again })).status).toBe(200);
    expect(await find(id)).toMatchObject({ type: 'private', to: [], content: again['content'] });
    expect(await find(await create({ to: [123_456], topic: 'x' }))).toMatchObject({
      to: [],
      topic: '',
    });
    const { to: _to, ...without } = draft();
    expect(await refused([without])).toBe('drafts[0]["to"] field is missing: Field required');
  });

  it('[M014] has a topic by the usual rules if it is for a channel, none otherwise', async () => {
    const topicOf = async (given: Record<string, unknown>) =>
      (await find(await create(given)))?.topic;
    const to = [publicId];
    expect(await topicOf({ type: 'stream', to, topic: ' lunch ' })).toBe('lunch');
    expect(await topicOf({ type: 'stream', to, topic: '(no topic)' })).toBe('');
    expect(await topicOf({ type: 'stream', to, topic: 'general chat' })).toBe('');
    expect(await topicOf({ type: 'stream', to, topic: 't'.repeat(61) })).toBe(
      `${'t'.repeat(57)}...`,
    );
    expect(await topicOf({ type: 'private', to: [bob.id], topic: 'x' })).toBe('');
    for (const type of ['', 'stream', 'private']) {
      expect(await refused([draft({ type, to, topic: 'a\0b' })])).toBe(
        'Topic must not contain null bytes',
      );
    }
    const { topic: _topic, ...without } = draft();
    expect(await refused([without])).toBe('drafts[0]["topic"] field is missing: Field required');
  });

  it('[M015] has a text that is trimmed, not blank, without NUL and not too long', async () => {
    const textOf = async (content: string) => (await find(await create({ content })))?.content;
    expect(await textOf('\n  hi \n')).toBe('hi');
    expect(await textOf('x'.repeat(10_001))).toBe(
      `${'x'.repeat(10_000 - 20)}\n[message truncated]`,
    );
    expect(await textOf('سلام 🎉')).toBe('سلام 🎉');
    expect(await refused([draft({ content: '' })])).toBe('drafts[0]["content"] cannot be blank');
    expect(await refused([draft({ content: 'a\0b' })])).toBe('Message must not contain null bytes');
    expect(await refused([draft({ content: 5 })])).toBe('drafts[0]["content"] is not a string');
    expect(await refused([draft({ content: '\ud800' })])).toBe(
      'drafts[0]["content"] is not valid Unicode text',
    );
    const { content: _content, ...without } = draft();
    expect(await refused([without])).toBe('drafts[0]["content"] field is missing: Field required');
  });

  it('[M016] has the time of its last edit, which the server fills in', async () => {
    const now = Math.floor(Date.now() / 1000);
    expect((await find(await create({})))?.timestamp).toBeGreaterThanOrEqual(now - 1);
    expect((await find(await create({ timestamp: 1_595_479_019 })))?.timestamp).toBe(1_595_479_019);
    expect((await find(await create({ timestamp: 0 })))?.timestamp).toBe(0);
    expect(await refused([draft({ timestamp: -1 })])).toBe('Timestamp must not be negative.');
    for (const timestamp of ['5', 1.5, null]) {
      expect(await refused([draft({ timestamp })])).toBe(
        'drafts[0]["timestamp"] is not an integer',
      );
    }
    expect(await refused([draft({ timestamp: 1e15 })])).toBe('drafts[0]["timestamp"] is too large');
  });
});

describe('the other draft routes', () => {
  it('GET returns your own drafts, the one edited longest ago first', async () => {
    const author = await examplePerson(server.ctx);
    const own = chatClient(server, author);
    await create({ content: 'b', timestamp: 200 }, own);
    await create({ content: 'c', timestamp: 300 }, own);
    await create({ content: 'a', timestamp: 100 }, own);
    expect((await list(own)).map(({ content }) => content)).toEqual(['a', 'b', 'c']);
  });

  it('PATCH replaces a draft', async () => {
    const id = await create({ content: 'before', timestamp: 100 });
    const answer = await client.patch(`/drafts/${id}`, {
      draft: draft({ type: 'private', to: [bob.id], content: 'after' }),
    });
    expect(answer.body).toEqual({ result: 'success', msg: '' });
    expect(await find(id)).toMatchObject({ type: 'private', to: [bob.id], content: 'after' });
    expect((await find(id))?.timestamp).toBeGreaterThan(100);
    expect((await client.patch(`/drafts/${id}`)).body).toMatchObject({ var_name: 'draft' });
    const bad = await client.patch(`/drafts/${id}`, {
      draft: draft({ type: 'stream', to: [1, 2] }),
    });
    expect(bad.status).toBe(400);
    expect(await find(id)).toMatchObject({ content: 'after' });
  });

  it('DELETE removes a draft', async () => {
    const id = await create({});
    expect((await client.delete(`/drafts/${id}`)).body).toEqual({ result: 'success', msg: '' });
    expect(await find(id)).toBeUndefined();
  });

  it('PATCH and DELETE answer the same for drafts of others and for drafts that do not exist', async () => {
    const foreign = await create({}, chatClient(server, bob));
    for (const id of [foreign, 999_999, '99999999999999999999']) {
      for (const answer of [
        await client.patch(`/drafts/${id}`, { draft: draft() }),
        await client.delete(`/drafts/${id}`),
      ]) {
        expect(answer.status).toBe(404);
        expect(answer.body).toEqual({
          result: 'error',
          msg: 'Draft does not exist',
          code: 'BAD_REQUEST',
        });
      }
    }
    expect(await list(chatClient(server, bob))).toHaveLength(1);
  });

  it('refuse people who do not synchronise drafts', async () => {
    const loner = await examplePerson(server.ctx);
    const own = chatClient(server, loner);
    const id = await create({}, own);
    await own.patch('/settings', { enable_drafts_synchronization: false });
    for (const answer of [
      await own.get('/drafts'),
      await own.post('/drafts', { drafts: [draft()] }),
      await own.patch(`/drafts/${id}`, { draft: draft() }),
      await own.delete(`/drafts/${id}`),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body['msg']).toBe('User has disabled synchronizing drafts.');
    }
    await own.patch('/settings', { enable_drafts_synchronization: true });
    expect(await list(own)).toEqual([]);
  });
});

describe('[M201] events', () => {
  it('about added drafts go to the author only, and an empty request sends none', async () => {
    const [mine, theirs] = await verifyEvents(server, [ada, bob], () =>
      client.post('/drafts', { drafts: [draft({ content: 'x' }), draft({ content: 'y' })] }),
    );
    expect(mine).toMatchObject([
      { type: 'drafts', op: 'add', drafts: [{ content: 'x' }, { content: 'y' }] },
    ]);
    expect(theirs).toEqual([]);
    const [empty] = await verifyEvents(server, [ada], async () => {
      await client.post('/drafts');
      await client.post('/drafts', { drafts: [] });
    });
    expect(empty).toEqual([]);
  });

  it('report an edited and a deleted draft', async () => {
    const id = await create({ timestamp: 50 });
    const [edited] = await verifyEvents(server, [ada], () =>
      client.patch(`/drafts/${id}`, { draft: draft({ content: 'new' }) }),
    );
    expect(edited).toMatchObject([{ type: 'drafts', op: 'update', draft: { id, content: 'new' } }]);
    const [removed] = await verifyEvents(server, [ada], () => client.delete(`/drafts/${id}`));
    expect(removed).toMatchObject([{ type: 'drafts', op: 'remove', draft_id: id }]);
  });

  it('are not sent for refused requests', async () => {
    const [events] = await verifyEvents(server, [ada], async () => {
      await client.post('/drafts', { drafts: [draft(), draft({ content: '' })] });
      await client.delete('/drafts/999999');
    });
    expect(events).toEqual([]);
  });

  it('report that drafts are no longer synchronised', async () => {
    const author = await examplePerson(server.ctx);
    const own = chatClient(server, author);
    await create({}, own);
    const [events] = await verifyEvents(server, [author], () =>
      own.patch('/settings', { enable_drafts_synchronization: false }),
    );
    expect(events).toMatchObject([
      { type: 'user_settings', property: 'enable_drafts_synchronization', value: false },
    ]);
  });
});
