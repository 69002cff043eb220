// Zulip's JavaScript client from npm against our server: the server understands its requests, and
// it gets the answers it expects.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import zulip, { type Answer, type Client } from 'zulip-js';
import { ROLE } from '../server/src/accounts/roles.ts';
import { startDeployment, type TestDeployment } from '../server/src/testing/deployment.ts';
import { examplePerson, type Person } from '../server/src/testing/example.ts';
import { giveTotp } from '../server/src/testing/factors.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';

const BOT = fileURLToPath(new URL('zulip-js-bot.ts', import.meta.url));
const PASSWORD = 'a long enough secret';
const HARBOUR = 'harbour & quay';
/** The bot's loop pauses for a second between two requests, and the machine may be busy. */
const PATIENCE = { timeout: 30_000, interval: 100 };

let deployment: TestDeployment;
let server: RialtoProcess;
let ada: Person;
let bob: Person;
let adas: Client;
let bobs: Client;
let harbour: number;

beforeAll(async () => {
  deployment = await startDeployment({});
  server = await startRialtoProcess('api,relay', deployment.environment);
  ada = await examplePerson(deployment.ctx, { role: ROLE.owner, password: PASSWORD });
  bob = await examplePerson(deployment.ctx);
  const realm = server.origin;
  adas = await zulip({ realm, username: ada.email, password: PASSWORD });
  bobs = await zulip({ realm, username: bob.email, apiKey: bob.chatKey });
  const subscriptions = [{ name: HARBOUR, description: 'Ships' }];
  await accepted(adas.users.me.subscriptions.add({ subscriptions }));
  await accepted(bobs.users.me.subscriptions.add({ subscriptions: [{ name: HARBOUR }] }));
  harbour = Number((await accepted(adas.streams.getStreamId(HARBOUR)))['stream_id']);
});
afterAll(async () => {
  await server.stop();
  await deployment.close();
});

/** The answer, which must not be a refusal. */
async function accepted(call: Promise<Answer>): Promise<Answer> {
  const answer = await call;
  expect(answer).toMatchObject({ result: 'success', msg: '' });
  return answer;
}

async function send(from: Client, params: Record<string, unknown>): Promise<number> {
  return Number((await accepted(from.messages.send(params)))['id']);
}

const sendToHarbour = (from: Client, topic: string, content: string): Promise<number> =>
  send(from, { type: 'stream', to: HARBOUR, topic, content });

const messagesOf = (answer: Answer) => answer['messages'] as readonly Answer[];

async function read(by: Client, narrow: readonly unknown[]): Promise<readonly Answer[]> {
  const params = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
  return messagesOf(await accepted(by.messages.retrieve(params)));
}

describe('who one is', () => {
  it('a client with address and password gets its key, and works with it', async () => {
    expect(adas.config.apiKey).toBe(ada.chatKey);
    expect(await accepted(adas.accounts.retrieve())).toMatchObject({ api_key: ada.chatKey });
    const me = await accepted(adas.users.me.getProfile());
    expect(me).toMatchObject({ user_id: ada.id, email: ada.email, full_name: ada.fullName });
  });

  it('a wrong password gives no key, and requests without one are refused in JSON', async () => {
    const nobody = await zulip({
      realm: server.origin,
      username: ada.email,
      password: 'not the secret',
    });
    expect(nobody.config.apiKey).toBeUndefined();
    expect(await nobody.users.me.getProfile()).toMatchObject({
      result: 'error',
      code: 'UNAUTHORIZED',
    });
    const sent = await nobody.messages.send({ type: 'private', to: [bob.id], content: 'It is me' });
    expect(sent).toMatchObject({ result: 'error', code: 'UNAUTHORIZED' });
  });

  it('[I19] with a second factor the password gives no key but a reason, and a key works as before', async () => {
    const cyd = await examplePerson(deployment.ctx, { password: PASSWORD });
    const realm = server.origin;
    const before = await zulip({ realm, username: cyd.email, password: PASSWORD });
    expect(before.config.apiKey).toBe(cyd.chatKey);
    await giveTotp(deployment.ctx, cyd);
    const after = await zulip({ realm, username: cyd.email, password: PASSWORD });
    expect(after.config.apiKey).toBeUndefined();
    expect(await after.accounts.retrieve()).toMatchObject({
      result: 'error',
      code: 'SECOND_FACTOR_REQUIRED',
      msg: 'This account needs a second step: sign in with the browser, or use a key from your settings.',
    });
    const withKey = await zulip({ realm, username: cyd.email, apiKey: cyd.chatKey });
    expect(await accepted(withKey.users.me.getProfile())).toMatchObject({ user_id: cyd.id });
  });

  it('knows the server and its people, and unknown ones are refused in JSON', async () => {
    const settings = await accepted(bobs.server.settings());
    expect(settings['zulip_feature_level']).toEqual(expect.any(Number));
    const { members } = await accepted(bobs.users.retrieve());
    const ids = (members as readonly Answer[]).map((member) => member['user_id']);
    expect(ids).toEqual(expect.arrayContaining([ada.id, bob.id]));
    const answer = await bobs.callEndpoint('/no/such/thing', 'GET');
    expect(answer).toMatchObject({ result: 'error', msg: expect.any(String) as string });
  });
});

describe('channels', () => {
  const namesOf = (answer: Answer, key: string) =>
    (answer[key] as readonly Answer[]).map((channel) => channel['name']);

  it('are created by subscribing, listed, left and joined again', async () => {
    const name = 'lighthouse';
    const made = await accepted(adas.users.me.subscriptions.add({ subscriptions: [{ name }] }));
    expect(made).toMatchObject({ subscribed: { [ada.id]: [name] }, already_subscribed: {} });
    expect(namesOf(await accepted(bobs.streams.retrieve()), 'streams')).toContain(name);
    const subscribed = async () =>
      namesOf(await accepted(bobs.streams.subscriptions.retrieve()), 'subscriptions');
    expect(await subscribed()).not.toContain(name);
    await accepted(bobs.users.me.subscriptions.add({ subscriptions: [{ name }] }));
    expect(await subscribed()).toContain(name);
    // Only POST encodes lists as JSON; the manual tells callers of the others to do it themselves.
    const left = bobs.users.me.subscriptions.remove({ subscriptions: JSON.stringify([name]) });
    expect(await accepted(left)).toMatchObject({ removed: [name], not_removed: [] });
    expect(await subscribed()).not.toContain(name);
  });

  it('are archived by their administrators, and by nobody else', async () => {
    const name = 'pier';
    await accepted(adas.users.me.subscriptions.add({ subscriptions: [{ name }] }));
    const stream_id = Number((await accepted(adas.streams.getStreamId(name)))['stream_id']);
    expect(await bobs.streams.deleteById({ stream_id })).toMatchObject({ result: 'error' });
    await accepted(adas.streams.deleteById({ stream_id }));
    expect(namesOf(await accepted(adas.streams.retrieve()), 'streams')).not.toContain(name);
  });
});

describe('messages', () => {
  it('to a channel, by name and by id, are read by its other subscriber', async () => {
    const first = await sendToHarbour(adas, 'tides & winds', '**High** water at 5 = noon + ½ 🌊');
    const second = await send(bobs, {
      type: 'channel',
      to: harbour,
      topic: 'tides & winds',
      content: 'Thanks',
    });
    const found = await read(bobs, [
      { operator: 'channel', operand: HARBOUR },
      { operator: 'topic', operand: 'tides & winds' },
    ]);
    expect(found).toMatchObject([
      {
        id: first,
        type: 'stream',
        stream_id: harbour,
        display_recipient: HARBOUR,
        subject: 'tides & winds',
        sender_id: ada.id,
        content:
          '<p><strong>High</strong> water at 5 = noon + ½ <span aria-label="ocean" class="emoji emoji-1f30a" role="img" title="ocean">:ocean:</span></p>',
      },
      { id: second, sender_id: bob.id, content: '<p>Thanks</p>' },
    ]);
    const { topics } = await accepted(bobs.streams.topics.retrieve({ stream_id: harbour }));
    expect(topics).toContainEqual({ name: 'tides & winds', max_id: second });
  });

  it('to people, by address and by id, are read by them and by nobody else', async () => {
    const carol = await examplePerson(deployment.ctx);
    const carols = await zulip({
      realm: server.origin,
      username: carol.email,
      apiKey: carol.chatKey,
    });
    const ids = [
      await send(adas, { type: 'private', to: bob.email, content: 'One' }),
      await send(adas, { type: 'private', to: [bob.email], content: 'Two' }),
      await send(adas, { type: 'direct', to: [bob.id], content: 'Three' }),
    ];
    const found = await read(bobs, [{ operator: 'dm', operand: [ada.id] }]);
    expect(found.map(({ id, type }) => [id, type])).toEqual(ids.map((id) => [id, 'private']));
    expect(await read(carols, [{ operator: 'is', operand: 'dm' }])).toEqual([]);
    expect(await carols.messages.getById({ message_id: ids[0] })).toMatchObject({
      result: 'error',
    });
  });

  it('are rendered, changed, looked up and deleted', async () => {
    expect(await accepted(adas.messages.render('*Ahoy*'))).toMatchObject({
      rendered: '<p><em>Ahoy</em></p>',
    });
    const message_id = await sendToHarbour(adas, 'arrivals', 'The Alba');
    await accepted(
      adas.messages.update({ message_id, content: 'The Alba & the Brina, 100% sure' }),
    );
    const one = await accepted(bobs.messages.getById({ message_id }));
    expect(one['message']).toMatchObject({
      content: '<p>The Alba &amp; the Brina, 100% sure</p>',
      sender_id: ada.id,
    });
    const history = await accepted(bobs.messages.getHistoryById({ message_id }));
    expect(history['message_history']).toMatchObject([
      { content: 'The Alba' },
      { content: 'The Alba & the Brina, 100% sure' },
    ]);
    expect(await bobs.messages.update({ message_id, content: 'Mine' })).toMatchObject({
      result: 'error',
    });
    expect(await bobs.messages.deleteById({ message_id })).toMatchObject({ result: 'error' });
    await accepted(adas.messages.deleteById({ message_id }));
    expect(await bobs.messages.getById({ message_id })).toMatchObject({ result: 'error' });
  });

  it('get and lose flags', async () => {
    const id = await sendToHarbour(adas, 'arrivals', 'Mark this');
    const flagsOf = async () =>
      ((await accepted(bobs.messages.getById({ message_id: id })))['message'] as Answer)['flags'];
    const change = { messages: [id], flag: 'starred' };
    expect(await accepted(bobs.messages.flags.add(change))).toMatchObject({ messages: [id] });
    await accepted(bobs.messages.flags.add({ messages: [id], flag: 'read' }));
    expect(await flagsOf()).toEqual(expect.arrayContaining(['read', 'starred']));
    await accepted(bobs.messages.flags.remove(change));
    expect(await flagsOf()).toEqual(['read']);
  });

  it('get and lose reactions', async () => {
    const message_id = await sendToHarbour(adas, 'arrivals', 'The Corva');
    const reactions = async () => {
      const { message } = await accepted(adas.messages.getById({ message_id }));
      return (message as Answer)['reactions'];
    };
    await accepted(bobs.reactions.add({ message_id, emoji_name: 'anchor' }));
    const tada = { message_id, emoji_name: 'tada', emoji_code: '1f389' };
    await accepted(bobs.reactions.add({ ...tada, reaction_type: 'unicode_emoji' }));
    expect(await bobs.reactions.add(tada)).toMatchObject({ code: 'REACTION_ALREADY_EXISTS' });
    expect(await reactions()).toMatchObject([
      { emoji_name: 'anchor', user_id: bob.id, reaction_type: 'unicode_emoji' },
      { emoji_name: 'tada', user_id: bob.id, reaction_type: 'unicode_emoji' },
    ]);
    await accepted(bobs.reactions.remove({ message_id, emoji_name: 'anchor' }));
    await accepted(bobs.messages.deleteReactionById(tada));
    expect(await reactions()).toEqual([]);
  });
});

describe('events', () => {
  it('come to a client’s own queue, until it is closed', async () => {
    const queue = await accepted(bobs.queues.register({ event_types: ['message'] }));
    const id = await sendToHarbour(adas, 'watch', 'Who is there?');
    const { queue_id, last_event_id } = queue;
    const { events } = await accepted(bobs.events.retrieve({ queue_id, last_event_id }));
    expect(events).toMatchObject([{ type: 'message', message: { id }, flags: [] }]);
    await accepted(bobs.queues.deregister({ queue_id }));
    expect(await bobs.events.retrieve({ queue_id, last_event_id })).toMatchObject({
      result: 'error',
      code: 'BAD_EVENT_QUEUE_ID',
    });
  });

  describe.each([
    { what: 'a bot that asks for everything', types: [] },
    { what: 'a bot that asks for messages', types: ['message'] },
  ])('$what', ({ types }) => {
    let folder: string;
    let bot: ChildProcess;
    const events: Answer[] = [];
    const contents = () =>
      events.flatMap(({ type, message }) =>
        type === 'message' ? [(message as Answer)['content']] : [],
      );

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'rialto-e2e-'));
      const zuliprc = join(folder, 'zuliprc');
      const lines = ['[api]', `email=${bob.email}`, `key=${bob.chatKey}`, `site=${server.origin}`];
      writeFileSync(zuliprc, lines.join('\n'), { mode: 0o600 });
      const before = await countQueues();
      // It reports a missing server on standard output, which is expected.
      bot = fork(BOT, [zuliprc, ...types], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      bot.on('message', (event) => events.push(event as Answer));
      // Messages from before it registered do not reach it.
      await vi.waitFor(async () => expect(await countQueues()).toBe(before + 1), PATIENCE);
    });
    afterAll(async () => {
      const isOver = once(bot, 'exit');
      bot.kill('SIGKILL');
      await isOver;
      rmSync(folder, { recursive: true, force: true });
    });

    async function countQueues(): Promise<number> {
      const { rows } = await deployment.ctx.database.pool.query<{ count: string }>(
        'SELECT count(*) FROM event_queues WHERE user_id = $1',
        [bob.id],
      );
      return Number(rows[0]?.count);
    }

    it('receives what another writes, in order and as written', async () => {
      const id = await sendToHarbour(adas, 'watch', 'All **well**');
      await accepted(adas.reactions.add({ message_id: id, emoji_name: 'anchor' }));
      await send(adas, { type: 'private', to: [bob.id], content: 'And you?' });
      // A queue gives the raw text, unless it asks for HTML.
      await expect.poll(contents, PATIENCE).toEqual(['All **well**', 'And you?']);
      expect(events.find(({ type }) => type === 'message')).toMatchObject({
        message: { id, sender_id: ada.id, sender_email: ada.email, display_recipient: HARBOUR },
      });
      expect(events.some(({ type }) => type === 'reaction')).toBe(types.length === 0);
    });

    it('continues after the server was killed and restarted, and has missed nothing', async () => {
      events.length = 0;
      const sent = ['Before'];
      await sendToHarbour(adas, 'watch', 'Before');
      server.kill('SIGKILL');
      await server.restart();
      for (const content of ['After', 'Later']) {
        await sendToHarbour(adas, 'watch', content);
        sent.push(content);
      }
      await expect.poll(contents, PATIENCE).toEqual(sent);
    });
  });
});
