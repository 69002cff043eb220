// Outgoing-webhook bots: who calls them, what they are sent, and what happens to the answer or to a failure.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import { chatClient } from '../../../testing/chat/client.ts';
import {
  fetchAll,
  ok,
  refused,
  send,
  sendDirect,
  useMessageWorld,
  type Actor,
} from '../../../testing/chat/world.ts';
import { ANSWER_BYTES_MAX, startBotCalls } from './calls.ts';
import { CALLS_WAITING_MAX, takeCall } from '../bot-services/store.ts';

const TIMEOUT_MS = 1500;
const WAIT = { timeout: 30_000, interval: 50 };

const world = useMessageWorld({
  settings: {
    BOT_WEBHOOK_ALLOW_PRIVATE: 'true',
    BOT_WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
    DUE_POLL_MS: '50',
  },
});

interface Asked {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

type Handler = (request: Asked, response: ServerResponse) => void | Promise<void>;

const asked: Asked[] = [];
const handlers = new Map<string, Handler>();
const program = createServer((request: IncomingMessage, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const path = request.url ?? '';
    const type = request.headers['content-type'] ?? '';
    const one = { path, type, body: Buffer.concat(parts).toString() };
    asked.push(one);
    void (handlers.get(path) ?? ((_one, answer) => answer.end()))(one, response);
  });
});

let base = '';
let calls: ReturnType<typeof startBotCalls>;
const begin = (more: Partial<Context['config']> = {}) => {
  const { ctx, origin } = world.server;
  calls = startBotCalls({
    ...ctx,
    config: { ...ctx.config, ...more },
    publicUrl: () => origin,
  });
};

beforeAll(async () => {
  await new Promise<void>((done) => program.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(program.address() as AddressInfo).port}`;
  begin();
});
afterAll(async () => {
  await calls.stop();
  program.closeAllConnections();
  program.close();
});
beforeEach(() => {
  asked.length = 0;
});

let count = 0;

interface Bot extends Actor {
  readonly path: string;
}

/** A bot of `owner` whose program answers with `handler`. */
async function makeBot(owner: Actor, handler: Handler, given: FormInput = {}): Promise<Bot> {
  count += 1;
  const path = `/hook${count}`;
  handlers.set(path, handler);
  const fullName = `Hook ${count}`;
  const body = ok(
    await owner.client.post('/bots', {
      full_name: fullName,
      short_name: `hook${count}`,
      bot_type: 3,
      payload_url: JSON.stringify(base + path),
      ...given,
    }),
  );
  const id = Number(body['user_id']);
  const email = `hook${count}-bot@${new URL(world.server.origin).hostname}`;
  const basic = `Basic ${Buffer.from(`${email}:${String(body['api_key'])}`).toString('base64')}`;
  const bot = { id, email, fullName, basic, path } as unknown as Bot;
  return Object.assign(bot, { client: chatClient(world.server, bot) });
}

const says =
  (answer: unknown, status = 200): Handler =>
  (_request, response) => {
    response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  };

const requestsOf = ({ path }: Bot) => asked.filter((one) => one.path === path);
const wordsOf = async (bot: Bot, reader: Actor = world.ada) =>
  (await fetchAll(reader, [], { apply_markdown: false })).filter((one) => one.sender_id === bot.id);
const idle = () =>
  expect
    .poll(async () => (await world.server.owner.query('SELECT FROM bot_calls')).rowCount, WAIT)
    .toBe(0);
const noticesTo = async (owner: Actor, bot: Bot) =>
  (await fetchAll(owner, [{ operator: 'is', operand: 'dm' }], { apply_markdown: false })).filter(
    ({ content }) => content.includes(`|${bot.id}**`) && content.includes('outgoing webhook'),
  );

describe('making an outgoing-webhook bot', () => {
  it('gives it an address and a token; its owner and administrators see every change', async () => {
    const { server, owner, ada, bob } = world;
    const admin = await world.person({ role: ROLE.administrator });
    let bot = {} as Bot;
    const servicesOf = async (who: Actor) => {
      const { realm_bots } = ok(
        await who.client.post('/register', { fetch_event_types: ['realm_bot'] }),
      );
      const rows = realm_bots as { user_id: number; services: unknown[] }[];
      return rows.find(({ user_id }) => user_id === bot.id)?.services;
    };
    const [mine = [], theirs = []] = await verifyEvents(server, [ada, bob, admin], async () => {
      bot = await makeBot(ada, says({}));
    });
    const first = { base_url: base + bot.path, interface: 1, token: expect.any(String) };
    expect(mine.at(-1)).toMatchObject({ type: 'realm_bot', bot: { services: [first] } });
    expect(theirs.filter(({ type }) => type === 'realm_bot')).toEqual([]);
    const [before] = (await servicesOf(ada)) as [{ token: string }];
    expect(before.token).toMatch(/^[\w-]{32}$/);
    await verifyEvents(server, [ada, admin], async () => {
      const answer = ok(
        await ada.client.patch(`/bots/${bot.id}`, {
          service_payload_url: `${base}/elsewhere`,
          service_interface: 2,
        }),
      );
      expect(answer).toMatchObject({
        service_payload_url: `${base}/elsewhere`,
        service_interface: 2,
      });
    });
    const moved = { base_url: `${base}/elsewhere`, interface: 2, token: before.token };
    expect(await servicesOf(admin)).toEqual([moved]);
    // Somebody who learned the key may have learned the token.
    await verifyEvents(server, [ada, admin], () =>
      owner.client.post(`/bots/${bot.id}/api_key/regenerate`),
    );
    const [renewed] = (await servicesOf(ada)) as [{ token: string }];
    expect(renewed.token).not.toBe(before.token);
    await verifyEvents(server, [ada, bob, admin], () =>
      owner.client.patch(`/bots/${bot.id}`, { bot_owner_id: bob.id }),
    );
    const [given] = (await servicesOf(bob)) as [{ token: string }];
    expect(given.token).not.toBe(renewed.token);
    expect(await servicesOf(ada)).toBeUndefined();
  });

  it.each([
    ['with an embedded type', { bot_type: 4 }, 'Embedded bots are not enabled.'],
    ['with an invalid address', { payload_url: 'no address' }, 'payload_url is not a URL'],
    ['with an empty address', { payload_url: '' }, 'payload_url is not a URL'],
    [
      'with an FTP address',
      { payload_url: 'ftp://example.com/' },
      'payload_url cannot be called by this server',
    ],
    [
      'with a password in the address',
      { payload_url: 'https://a:b@example.com/' },
      'holds a name or a password',
    ],
    [
      'with an address that is too long',
      { payload_url: `https://a.example/${'x'.repeat(3000)}` },
      'payload_url is too long',
    ],
    ['with an unknown format', { interface_type: 3 }, 'Invalid interface type'],
  ])('%s is refused', async (_what, given, expected) => {
    const answer = await world.ada.client.post('/bots', {
      full_name: 'Refused',
      short_name: 'refused',
      bot_type: 3,
      payload_url: 'https://example.com/',
      ...given,
    });
    expect(refused(answer).msg).toContain(expected);
  });

  it('and changing its address need the right to manage it; other kinds of bots have no address', async () => {
    const { ada, bob } = world;
    const bot = await makeBot(ada, says({}));
    const change = { service_payload_url: `${base}/stolen` };
    expect(refused(await bob.client.patch(`/bots/${bot.id}`, change)).msg).toBe(
      'Insufficient permission',
    );
    const plain = await world.person({ botType: 1, botOwnerId: ada.id });
    expect(refused(await ada.client.patch(`/bots/${plain.id}`, change)).msg).toContain(
      'Only a bot of type 3',
    );
    const bad = await ada.client.patch(`/bots/${bot.id}`, { service_interface: 9 });
    expect(refused(bad).msg).toBe('Invalid interface type');
  });
});

describe('a person who mentions it', () => {
  it('has its program called in the format of the API, and gets the answer in the same topic', async () => {
    const { ada, bob, publicId } = world;
    const bot = await makeBot(bob, says({ content: 'It **rains**.' }));
    const content = `@**${bot.fullName}** tomorrow?`;
    const id = await send(ada, publicId, 'weather', content);
    await expect.poll(() => wordsOf(bot), WAIT).toHaveLength(1);
    const [request] = requestsOf(bot);
    expect(request?.type).toBe('application/json');
    expect(JSON.parse(request?.body ?? '')).toEqual({
      bot_email: bot.email,
      bot_full_name: bot.fullName,
      data: content,
      token: expect.stringMatching(/^[\w-]{32}$/),
      trigger: 'mention',
      message: expect.objectContaining({
        id,
        type: 'stream',
        content,
        rendered_content: expect.stringContaining('user-mention'),
        display_recipient: 'general',
        stream_id: publicId,
        subject: 'weather',
        sender_id: ada.id,
        avatar_url: expect.stringMatching(/^http/),
      }),
    });
    expect((await wordsOf(bot))[0]).toMatchObject({
      content: 'It **rains**.',
      subject: 'weather',
      stream_id: publicId,
      client: 'OutgoingWebhookResponse',
    });
    await idle();
    expect(requestsOf(bot)).toHaveLength(1);
  });

  it('in a group conversation is answered there; an empty answer posts nothing', async () => {
    const { ada, bob } = world;
    const bot = await makeBot(ada, ({ body }, response) => {
      const { data } = JSON.parse(body) as { data: string };
      const isQuiet = data === 'hush';
      response.end(JSON.stringify(isQuiet ? { response_not_required: true } : { content: 'yes' }));
    });
    await sendDirect(ada, [bob, bot], 'are you there?');
    await expect.poll(() => wordsOf(bot, bob), WAIT).toHaveLength(1);
    const [words] = await wordsOf(bot, bob);
    expect(words?.display_recipient).toMatchObject(
      [ada.id, bob.id, bot.id].sort((a, b) => a - b).map((id) => ({ id })),
    );
    expect(JSON.parse(requestsOf(bot)[0]?.body ?? '')).toMatchObject({ trigger: 'direct_message' });
    await sendDirect(ada, [bot], 'hush');
    await idle();
    expect(requestsOf(bot)).toHaveLength(2);
    expect(await wordsOf(bot, bob)).toHaveLength(1);
  });

  it('has it called in the format of Slack, which knows no direct messages', async () => {
    const { ada, publicId } = world;
    const bot = await makeBot(ada, says({ text: 'slack says' }), { interface_type: 2 });
    await send(ada, publicId, 'work', `@**${bot.fullName}** deploy`);
    await expect.poll(() => wordsOf(bot), WAIT).toHaveLength(1);
    const [request] = requestsOf(bot);
    expect(request?.type).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toMatchObject({
      channel_id: `C${publicId}`,
      channel_name: 'general',
      user_id: `U${ada.id}`,
      user_name: 'Ada',
      text: `@**${bot.fullName}** deploy`,
      trigger_word: 'mention',
      service_id: String(bot.id),
    });
    await sendDirect(ada, [bot], 'and here?');
    await expect.poll(() => wordsOf(bot), WAIT).toHaveLength(2);
    expect((await wordsOf(bot)).at(-1)?.content).toContain("don't support direct messages");
    expect(requestsOf(bot)).toHaveLength(1);
  });

  it('calls it once per message, and only by its name', async () => {
    const { ada, publicId } = world;
    const bot = await makeBot(ada, says({}));
    const name = `@**${bot.fullName}**`;
    await send(ada, publicId, 'x', `${name} `.repeat(Math.floor(9_000 / (name.length + 1))));
    for (const content of ['@**all**', '@**topic**', `@_**${bot.fullName}**`, `\`${name}\``]) {
      await send(ada, publicId, 'x', content);
    }
    await idle();
    expect(requestsOf(bot)).toHaveLength(1);
  });
});

describe('a failure', () => {
  it('is reported where the bot was called; its owner learns why, but not every time', async () => {
    const { ada, bob, publicId } = world;
    const bot = await makeBot(bob, says('no such `thing`', 404));
    for (let n = 0; n < 3; n += 1) await send(ada, publicId, 'gone', `@**${bot.fullName}** ${n}`);
    await idle();
    expect((await wordsOf(bot)).map(({ content }) => content)).toEqual(
      Array.from({ length: 3 }, () => 'Failure! Third party responded with 404'),
    );
    const notices = await noticesTo(bob, bot);
    expect(notices).toHaveLength(1);
    expect(notices[0]?.content).toContain('status 404');
    expect(await noticesTo(ada, bot)).toEqual([]);
  });

  it('that may pass is retried, and the program answers once it is back', async () => {
    const { ada, publicId } = world;
    let tries = 0;
    const bot = await makeBot(ada, (_request, response) => {
      tries += 1;
      if (tries === 1) response.destroy();
      else if (tries === 2) response.writeHead(503).end();
      else response.end('{"content":"late"}');
    });
    await send(ada, publicId, 'again', `@**${bot.fullName}**`);
    const hurry = () =>
      world.server.owner.query(
        'UPDATE bot_calls SET next_try_at = now() WHERE running_until IS NULL',
      );
    await expect
      .poll(async () => {
        await hurry();
        return (await wordsOf(bot)).map(({ content }) => content);
      }, WAIT)
      .toEqual(['late']);
    expect(await noticesTo(ada, bot)).toEqual([]);
  });

  it('by timeout ends the call', async () => {
    const { ada, publicId } = world;
    const bot = await makeBot(ada, async (_request, response) => {
      // Sending a few bytes now and then must not extend the time limit.
      const drip = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(drip));
    });
    await send(ada, publicId, 'slow', `@**${bot.fullName}**`);
    await expect
      .poll(async () => {
        await world.server.owner.query(
          'UPDATE bot_calls SET next_try_at = now() WHERE running_until IS NULL',
        );
        return (await wordsOf(bot)).map(({ content }) => content);
      }, WAIT)
      .toEqual(['Failure! Bot is unavailable']);
    expect(requestsOf(bot)).toHaveLength(4);
    // The owner is told after the words were posted.
    await expect
      .poll(async () => (await noticesTo(ada, bot))[0]?.content ?? '', WAIT)
      .toContain('did not answer within');
  });

  it.each([
    [
      'too large',
      (_request: Asked, response: ServerResponse) => {
        response.end(`{"content":"${'x'.repeat(ANSWER_BYTES_MAX)}"}`);
      },
      ['Failure! Bot is unavailable'],
      'larger than',
    ],
    [
      'a redirect into our network',
      (_request: Asked, response: ServerResponse) => {
        response.writeHead(302, { location: `${base}/secret` }).end();
      },
      ['Failure! Third party responded with 302'],
      'status 302',
    ],
    ['no JSON', says('<html>'), [], 'Invalid JSON in response'],
    ['a list', says([1]), [], 'Invalid response format'],
    ['a content that is no text', says({ content: { a: 1 } }), [], 'Invalid response format'],
  ] as [string, Handler, string[], string][])(
    'by a bad answer ends the call: %s',
    async (_what, handler, said, told) => {
      const { ada, publicId } = world;
      const bot = await makeBot(ada, handler);
      await send(ada, publicId, 'bad', `@**${bot.fullName}**`);
      await idle();
      expect((await wordsOf(bot)).map(({ content }) => content)).toEqual(said);
      await expect
        .poll(async () => (await noticesTo(ada, bot))[0]?.content ?? '', WAIT)
        .toContain(told);
      expect(asked.map(({ path }) => path)).toEqual([bot.path]);
    },
  );

  it('is the end of a call into this server’s own network', async () => {
    const { ada, publicId } = world;
    const bot = await makeBot(ada, says({ content: 'reached' }));
    await calls.stop();
    begin({ BOT_WEBHOOK_ALLOW_PRIVATE: 'false' });
    try {
      await send(ada, publicId, 'inside', `@**${bot.fullName}**`);
      await idle();
      expect(asked).toEqual([]);
      expect((await wordsOf(bot)).map(({ content }) => content)).toEqual([
        'Failure! Bot is unavailable',
      ]);
    } finally {
      await calls.stop();
      begin();
    }
  });
});

describe('attacks', () => {
  it('two bots that mention each other stop after one answer each', async () => {
    const { ada, publicId } = world;
    const names: string[] = [];
    const loop: Handler = (_request, response) => {
      const content = names.map((name) => `@**${name}**`).join(' ');
      response.end(JSON.stringify({ content }));
    };
    const bots = [await makeBot(ada, loop), await makeBot(ada, loop)];
    names.push(...bots.map(({ fullName }) => fullName));
    await send(ada, publicId, 'loop', names.map((name) => `@**${name}**`).join(' '));
    await idle();
    for (const bot of bots) {
      expect(await wordsOf(bot)).toHaveLength(1);
      expect(requestsOf(bot)).toHaveLength(1);
    }
  });

  it('thousands of calls wait in a bounded queue, and a slow bot delays only itself', async () => {
    const { ada, publicId, server } = world;
    const slow = await makeBot(ada, () => {});
    const quick = await makeBot(ada, says({ content: 'here' }));
    const first = await send(ada, publicId, 'flood', `@**${slow.fullName}**`);
    // The largest number of calls that may wait, each for its own message.
    await server.owner.query(
      `WITH counted AS (
         UPDATE conversation_counters SET seq = seq + $3, last_seq = seq + $3
          WHERE conversation_id = (SELECT conversation_id FROM messages WHERE id = $2)
         RETURNING conversation_id, seq
       ), written AS (
         INSERT INTO messages (id, conversation_id, home_id, seq, place_seq, sender_id, topic, content,
                               rendered, client, sent_at, content_words)
         SELECT nextval('message_ids'), m.conversation_id, m.home_id, n, n, m.sender_id, m.topic,
                m.content, m.rendered, m.client, m.sent_at, ''
           FROM counted JOIN messages m ON m.id = $2,
                generate_series(counted.seq - $3 + 1, counted.seq) AS n
         RETURNING id
       )
       INSERT INTO bot_calls (bot_id, message_id, trigger) SELECT $1, id, 'mention' FROM written`,
      [slow.id, first, CALLS_WAITING_MAX],
    );
    const waiting = async () => {
      const { rowCount } = await server.owner.query('SELECT FROM bot_calls WHERE bot_id = $1', [
        slow.id,
      ]);
      return rowCount ?? 0;
    };
    const before = await waiting();
    for (let n = 0; n < 3; n += 1) await send(ada, publicId, 'flood', `@**${slow.fullName}** ${n}`);
    expect(await waiting()).toBeLessThanOrEqual(before);
    await send(ada, publicId, 'flood', `@**${quick.fullName}**`);
    await expect.poll(() => wordsOf(quick), WAIT).toHaveLength(1);
    ok(await ada.client.delete(`/bots/${slow.id}`));
    await server.owner.query('DELETE FROM bot_calls WHERE bot_id = $1', [slow.id]);
  });

  it('a bot that was deactivated, or whose message was deleted, is not called any more', async () => {
    const { ada, publicId } = world;
    await calls.stop();
    const gone = await makeBot(ada, says({ content: 'ghost' }));
    const bot = await makeBot(ada, says({ content: 'to nothing' }));
    await send(ada, publicId, 'late', `@**${gone.fullName}**`);
    const id = await send(ada, publicId, 'late', `@**${bot.fullName}**`);
    ok(await ada.client.delete(`/bots/${gone.id}`));
    ok(await ada.client.delete(`/messages/${id}`));
    begin();
    await idle();
    // Bots of other tests may still be called.
    expect([...requestsOf(gone), ...requestsOf(bot)]).toEqual([]);
    await send(ada, publicId, 'late', `@**${gone.fullName}**`);
    await idle();
    expect(requestsOf(gone)).toEqual([]);
  });

  it('a bot answers with the rights that it has at the time of the answer', async () => {
    const { owner, channel, person, bob } = world;
    const cleo = await person();
    const id = await channel('hooks here', [owner, cleo, bob], { invite_only: true });
    const bot = await makeBot(cleo, async (_request, response) => {
      const remove = { subscriptions: ['hooks here'], principals: [cleo.id] };
      ok(await owner.client.delete('/users/me/subscriptions', remove));
      response.end('{"content":"too late"}');
    });
    await send(bob, id, 'x', `@**${bot.fullName}**`);
    await idle();
    expect(requestsOf(bot)).toHaveLength(1);
    expect(await wordsOf(bot, bob)).toEqual([]);
    expect((await noticesTo(cleo, bot))[0]?.content).toContain('could not be sent');
  });

  it('a call that runs twice, because a worker died, is answered once', async () => {
    const { ada, publicId, server } = world;
    const bot = await makeBot(ada, says({ content: 'once' }));
    await calls.stop();
    const id = await send(ada, publicId, 'twice', `@**${bot.fullName}**`);
    // A worker takes the call, answers, and dies before it deletes the row.
    const taken = await takeCall(server.ctx.db, 0, 600);
    expect(taken).toMatchObject({ botId: bot.id, messageId: id, attempts: 1 });
    begin();
    await idle();
    await server.owner.query(
      `INSERT INTO bot_calls (id, bot_id, message_id, trigger) OVERRIDING SYSTEM VALUE
       VALUES ($1, $2, $3, 'mention')`,
      [taken?.id, bot.id, id],
    );
    await idle();
    expect(requestsOf(bot)).toHaveLength(2);
    expect(await wordsOf(bot)).toHaveLength(1);
  });
});
