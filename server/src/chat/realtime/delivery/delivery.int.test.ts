// Who gets events when rights change while a node is late: a lost right stops deliveries, and a gained right brings
// nothing from before it, however late the node is.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import { parseDatabaseSnapshot } from '../../../platform/db/snapshot.ts';
import type { Audience } from '../../../platform/events/event.ts';
import { readBounds } from '../../../platform/events/log.ts';
import { startHub, type Hub } from '../../../platform/realtime/hub.ts';
import { insertQueue } from '../../../platform/realtime/store.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { castEverybody, makeChannel, sure, type Cast } from '../../../testing/chat/cast-world.ts';
import { chatClient } from '../../../testing/chat/client.ts';
import { createDirectory } from './directory.ts';

let server: TestServer;
let cast: Cast;
const nodes: Node[] = [];

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT: '100000' } });
  cast = await castEverybody(server);
});
afterEach(async () => {
  for (const node of nodes.splice(0)) {
    node.goOn();
    await node.hub.stop();
  }
});
afterAll(() => server.close());

/** A node that can be held up: it then hears, reads and answers nothing. */
interface Node {
  readonly hub: Hub;
  holdUp(): void;
  goOn(): void;
}

async function openNode(): Promise<Node> {
  const { ctx } = server;
  let opened = Promise.resolve();
  let open = () => {};
  const passed = async <T>(work: () => Promise<T>): Promise<T> => {
    await opened;
    const result = await work();
    await opened;
    return result;
  };
  const pool = new Proxy(ctx.database.pool, {
    get: (target, name) =>
      name === 'query'
        ? (...args: unknown[]) =>
            passed(() => (target.query as (...a: unknown[]) => Promise<unknown>)(...args))
        : Reflect.get(target, name, target),
  });
  // The missed events come slowly, one by one, so that earlier ones could be handed out before later ones.
  const bus: Bus = {
    ...ctx.bus,
    subscribe: (subject, handler) => {
      let heard = Promise.resolve();
      return ctx.bus.subscribe(subject, (payload) => {
        heard = heard
          .then(() => opened)
          .then(() => sleep(20))
          .then(() => handler(payload));
      });
    },
  };
  const hub = await startHub({
    pool,
    readers: pool,
    bus,
    log: ctx.log,
    metrics: ctx.metrics,
    clock: ctx.clock,
    // The node learns of events only by the bus.
    pollMs: 60_000,
    heartbeatMs: 30_000,
    replayMax: ctx.config.QUEUE_REPLAY_MAX,
    wantedByDefault: () => true,
    directory: createDirectory({
      config: ctx.config,
      db: ctx.db,
      inTransaction: (work, options) => passed(() => ctx.inTransaction(work, options)),
    }),
  });
  const node: Node = {
    hub,
    holdUp() {
      opened = new Promise((resolve) => {
        open = resolve;
      });
    },
    goOn: () => open(),
  };
  nodes.push(node);
  return node;
}

/** The number of a test's own event, or the content of a message. */
type Word = number | string;

interface Client {
  /** What has arrived, in order. */
  readonly heard: Word[];
  stop(): Promise<void>;
}

interface Heard {
  readonly id: number;
  readonly type: string;
  readonly n?: number;
  readonly message?: { readonly content: string };
}

/** Opens a queue for events of the type `test` at the node, and polls it without pause. */
async function listen(
  { hub }: Node,
  person: Person,
  filter = {},
  eventTypes = ['test'],
): Promise<Client> {
  const id = randomUUID();
  const description = await server.ctx.inTransaction(
    async (tx) => {
      const { rows } = await sql<{ position: bigint; snapshot: string }>`
        SELECT position, pg_current_snapshot()::text AS snapshot FROM event_head`.execute(tx);
      const { position, snapshot } = rows[0] as { position: bigint; snapshot: string };
      const queue = { id, userId: person.id, startPosition: Number(position), idleSeconds: 600 };
      await insertQueue(tx, { ...queue, snapshot, eventTypes, filter });
      return {
        ...queue,
        snapshot: parseDatabaseSnapshot(snapshot),
        eventTypes: new Set(eventTypes),
        filter,
      };
    },
    { isolation: 'repeatable read' },
  );
  await hub.adopt(description);
  const heard: Word[] = [];
  const stopping = new AbortController();
  const running = (async () => {
    let lastEventId = -1;
    while (!stopping.signal.aborted) {
      const { signal } = stopping;
      const poll = { queueId: id, userId: person.id, lastEventId, dontBlock: false, signal };
      const result = await hub.poll(poll);
      if (result === 'bad queue') return;
      for (const { id: eventId, type, n, message } of JSON.parse(result.events) as Heard[]) {
        lastEventId = eventId;
        heard.push(n ?? message?.content ?? type);
      }
      await sleep(5);
    }
  })();
  return {
    heard,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

const say = (n: number, audience: Audience) =>
  server.ctx.inTransaction(async (tx) =>
    tx.emit({ type: 'test', n } as { type: string }, audience),
  );

const sureAs = (person: Person) => sure(chatClient(server, person));
const add = (by: Person, name: string, ...people: Person[]) =>
  sureAs(by).post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: people.map(({ id }) => id),
  });
const remove = (by: Person, name: string, ...people: Person[]) =>
  sureAs(by).delete('/users/me/subscriptions', {
    subscriptions: [name],
    principals: people.map(({ id }) => id),
  });

async function caughtUp({ hub }: Node): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await sql`SELECT FROM outbox LIMIT 1`.execute(server.ctx.db);
        return (
          rows.length === 0 && hub.position() >= (await readBounds(server.ctx.database.pool)).head
        );
      },
      { timeout: 10_000 },
    )
    .toBe(true);
  // Gives delivered events time to reach the clients.
  await sleep(150);
}

it('a right lost or gained counts from its position in the log, with the node held up for five seconds', async () => {
  const [stayer, leaver, joiner, passer] = (await Promise.all(
    Array.from({ length: 4 }, () => examplePerson(server.ctx)),
  )) as [Person, Person, Person, Person];
  const { id, name } = await makeChannel(server, cast.member, { invite_only: true });
  await add(cast.member, name, stayer, leaver);
  const node = await openNode();
  const clients = await Promise.all(
    [stayer, leaver, joiner, passer].map((person) => listen(node, person)),
  );
  const audience = { channel: id, who: 'subscribers' } as const;
  await say(1, audience);
  await caughtUp(node);
  expect(clients.map(({ heard }) => heard)).toEqual([[1], [1], [], []]);

  node.holdUp();
  await say(2, audience);
  await remove(cast.member, name, leaver);
  await say(3, audience);
  await add(cast.member, name, joiner);
  await say(4, audience);
  await add(cast.member, name, passer);
  await say(5, audience);
  await remove(cast.member, name, passer);
  await say(6, audience);
  await sleep(5000);
  expect(clients.map(({ heard }) => heard)).toEqual([[1], [1], [], []]);
  node.goOn();
  await caughtUp(node);

  // The leaver had the right to 2 when it was sent, but not when it could be handed out.
  expect(clients.map(({ heard }) => heard)).toEqual([[1, 2, 3, 4, 5, 6], [1], [4, 5, 6], []]);
  await Promise.all(clients.map((client) => client.stop()));
}, 30_000);

it('however a right is lost, no more events come from a node that was held up for five seconds', async () => {
  const [gone, grouped, outsider, subscriber, archivist] = (await Promise.all(
    Array.from({ length: 5 }, () => examplePerson(server.ctx)),
  )) as [Person, Person, Person, Person, Person];
  const { group_id: group } = await sureAs(cast.owner).post('/user_groups/create', {
    name: 'let in',
    description: '',
    members: [grouped.id],
  });
  const byGroup = await makeChannel(server, cast.member, {
    invite_only: true,
    can_subscribe_group: group,
  });
  const open = await makeChannel(server, cast.member);
  const closing = await makeChannel(server, cast.member);
  await add(cast.member, open.name, gone);
  await add(cast.member, closing.name, subscriber, archivist);
  const node = await openNode();
  const knowsArchived = { capabilities: { archived_channels: true } };
  const clients = await Promise.all([
    ...[gone, grouped, outsider, subscriber].map((person) => listen(node, person)),
    listen(node, archivist, knowsArchived),
  ]);
  const sayAll = async (n: number) => {
    await say(n, {
      channel: open.id,
      who: 'aware',
      except: [grouped.id, subscriber.id, archivist.id],
    });
    await say(n, { channel: byGroup.id, who: 'aware' });
    const others = [gone.id, grouped.id, outsider.id];
    await say(n, { channel: closing.id, who: 'aware', except: others });
  };
  await sayAll(1);
  await caughtUp(node);
  expect(clients.map(({ heard }) => heard)).toEqual([[1], [1], [1], [1], [1]]);

  node.holdUp();
  await sayAll(2);
  await sureAs(cast.owner).delete(`/users/${gone.id}`);
  await sureAs(cast.owner).post(`/user_groups/${String(group)}/members`, { delete: [grouped.id] });
  await sureAs(cast.member).patch(`/streams/${open.id}`, { is_private: true });
  await sureAs(cast.member).delete(`/streams/${closing.id}`);
  await sayAll(3);
  await sleep(5000);
  expect(clients.map(({ heard }) => heard)).toEqual([[1], [1], [1], [1], [1]]);
  node.goOn();
  await caughtUp(node);
  // Messages from before the archiving may still be read; later ones go only to clients that know of archived
  // channels.
  expect(clients.map(({ heard }) => heard)).toEqual([[1], [1], [1], [1, 2], [1, 2, 3]]);
  await Promise.all(clients.map((client) => client.stop()));
}, 30_000);

it('a node that was paused does not deliver a message that was deleted, or moved out of reach', async () => {
  const [insider, outsider] = (await Promise.all(
    Array.from({ length: 2 }, () => examplePerson(server.ctx)),
  )) as [Person, Person];
  const open = await makeChannel(server, cast.member);
  const secret = await makeChannel(server, cast.member, {
    invite_only: true,
    history_public_to_subscribers: true,
  });
  await add(cast.member, open.name, insider, outsider);
  await add(cast.member, secret.name, insider);
  const post = async (channel: number, topic: string, content: string) => {
    const form = { type: 'channel', to: channel, topic, content };
    return Number((await sureAs(cast.member).post('/messages', form))['id']);
  };
  const types = ['message', 'update_message', 'reaction', 'delete_message'];
  const node = await openNode();
  const clients = await Promise.all([
    listen(node, insider, {}, types),
    listen(node, outsider, {}, types),
    // A client without deletion events is not shown deleted messages either.
    listen(node, outsider, {}, ['message']),
  ]);
  node.holdUp();
  await post(open.id, 'weather', 'it rains');
  const moved = await post(open.id, 'plans', 'we meet at nine');
  await sureAs(cast.member).post(`/messages/${moved}/reactions`, { emoji_name: 'tada' });
  await sureAs(cast.member).patch(`/messages/${moved}`, { content: 'we meet at ten' });
  await sureAs(cast.member).patch(`/messages/${moved}`, {
    stream_id: secret.id,
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
  });
  await post(secret.id, 'plans', 'bring the maps');
  const deleted = await post(open.id, 'weather', 'the password is swordfish');
  await sureAs(cast.member).delete(`/messages/${deleted}`);
  await sleep(5000);
  node.goOn();
  await caughtUp(node);
  expect(clients.map(({ heard }) => heard)).toEqual([
    [
      'it rains',
      'we meet at nine',
      'reaction',
      'update_message',
      'update_message',
      'bring the maps',
      'delete_message',
    ],
    ['it rains', 'delete_message', 'delete_message'],
    ['it rains'],
  ]);
  await Promise.all(clients.map((client) => client.stop()));
}, 30_000);

it('a pending event is not delivered one second after the right was lost', async () => {
  const [stayer, leaver, lowered, gone] = (await Promise.all(
    Array.from({ length: 4 }, () => examplePerson(server.ctx)),
  )) as [Person, Person, Person, Person];
  const secret = await makeChannel(server, cast.member, { invite_only: true });
  const open = await makeChannel(server, cast.member);
  await add(cast.member, secret.name, stayer, leaver, gone);
  const node = await openNode();
  const away = await Promise.all(
    [stayer, leaver, lowered, gone].map(async (person) => {
      const { stop } = await listen(node, person);
      await stop();
      return person.id;
    }),
  );
  // Clients that do not poll while the event arrives and while they lose the right to it.
  await say(1, { channel: secret.id, who: 'subscribers' });
  await say(2, { channel: open.id, who: 'aware' });
  await caughtUp(node);
  await remove(cast.member, secret.name, leaver);
  await sureAs(cast.owner).patch(`/users/${lowered.id}`, { role: ROLE.guest });
  await sureAs(cast.owner).delete(`/users/${gone.id}`);
  await sleep(1000);
  const rows = await server.ctx.db
    .selectFrom('eventQueues')
    .select(['id', 'userId'])
    .where('userId', 'in', away)
    .execute();
  const answers = new Map<number, readonly number[] | 'bad queue'>();
  for (const { id, userId } of rows) {
    const result = await node.hub.poll({
      queueId: id,
      userId,
      lastEventId: -1,
      dontBlock: true,
      signal: new AbortController().signal,
    });
    const heard =
      result === 'bad queue'
        ? result
        : (JSON.parse(result.events) as { n: number }[]).map(({ n }) => n);
    answers.set(userId, heard);
  }
  expect(answers.get(stayer.id)).toEqual([1, 2]);
  expect(answers.get(leaver.id)).toEqual([2]);
  // A guest sees other people and no addresses, so the client has to register again.
  expect(answers.get(lowered.id)).toBe('bad queue');
  expect(answers.get(gone.id)).toBe('bad queue');
});

it('a new node delivers to the same people as one that has followed the log all along', async () => {
  const [insider, outsider] = (await Promise.all(
    Array.from({ length: 2 }, () => examplePerson(server.ctx)),
  )) as [Person, Person];
  const { id, name } = await makeChannel(server, cast.member, { invite_only: true });
  const old = await openNode();
  await add(cast.member, name, insider);
  const fresh = await openNode();
  const clients = await Promise.all(
    [old, fresh].flatMap((node) => [listen(node, insider), listen(node, outsider)]),
  );
  await say(1, { channel: id, who: 'subscribers' });
  await say(2, { channel: id, who: 'aware', except: [insider.id] });
  await say(3, { channel: id, who: 'subscribers', also: [outsider.id] });
  await sureAs(cast.member).patch(`/streams/${id}`, { is_private: false });
  await say(4, { channel: id, who: 'aware' });
  await say(5, { channel: id, who: 'subscribers', also: [outsider.id] });
  await Promise.all([old, fresh].map(caughtUp));
  expect(clients.map(({ heard }) => heard)).toEqual([
    [1, 3, 4, 5],
    [4, 5],
    [1, 3, 4, 5],
    [4, 5],
  ]);
  await Promise.all(clients.map((client) => client.stop()));
});

it('events about protected history go only to people who received it; those about shared history go to all', async () => {
  const [early, late] = (await Promise.all(
    Array.from({ length: 2 }, () => examplePerson(server.ctx)),
  )) as [Person, Person];
  const { id, name } = await makeChannel(server, cast.member, { invite_only: true });
  const node = await openNode();
  await add(cast.member, name, early);
  const clients = await Promise.all([listen(node, early), listen(node, late)]);
  await sql`UPDATE conversation_counters SET seq = 7 WHERE conversation_id =
             (SELECT conversation_id FROM channels WHERE id = ${id})`.execute(server.ctx.db);
  await add(cast.member, name, late);
  // The audience of an event about message `seq`. Message 5 is older than the second person's subscription.
  const about = (seq: number) =>
    ({ channel: id, who: 'subscribers', heard: { channel: id, seq } }) as const;
  await say(5, about(5));
  await say(8, about(8));
  await caughtUp(node);
  expect(clients.map(({ heard }) => heard)).toEqual([[5, 8], [8]]);
  await sureAs(cast.member).patch(`/streams/${id}`, { history_public_to_subscribers: true });
  await say(50, about(5));
  await caughtUp(node);
  expect(clients.map(({ heard }) => heard)).toEqual([
    [5, 8, 50],
    [8, 50],
  ]);
  await Promise.all(clients.map((client) => client.stop()));
});

it('a client that follows all public channels gets their messages, and no others', async () => {
  const [follower, narrowed, guest] = [
    await examplePerson(server.ctx),
    await examplePerson(server.ctx),
    await examplePerson(server.ctx, { role: ROLE.guest }),
  ];
  const open = await makeChannel(server, cast.member);
  const secret = await makeChannel(server, cast.member, { invite_only: true });
  const node = await openNode();
  const wide = { allPublicChannels: true };
  const clients = await Promise.all([
    listen(node, follower, wide),
    listen(node, narrowed, { narrow: [{ operator: 'channel', operand: open.name }] }),
    listen(node, guest, wide),
  ]);
  await say(1, { channel: open.id, who: 'subscribers', isMessage: true });
  await say(2, { channel: open.id, who: 'subscribers' });
  await say(3, { channel: secret.id, who: 'subscribers', isMessage: true });
  await caughtUp(node);
  expect(clients.map(({ heard }) => heard)).toEqual([[1], [1], []]);
  await Promise.all(clients.map((client) => client.stop()));
});

it('with 100,000 subscribers, an event costs one row, and each node only the work for its own people', async () => {
  const person = await examplePerson(server.ctx);
  const { id, name } = await makeChannel(server, cast.member);
  for (let from = 1; from <= 100_000; from += 10_000) {
    await sql`
      WITH made AS (
        INSERT INTO users (email, full_name, role, chat_key_lookup, chat_key_sealed)
        SELECT 'many' || n || '@example.com', 'Many ' || n, 400,
               ('\\x' || md5('many' || n))::bytea, '\\x00'
          FROM generate_series(${from}::int, ${from + 9999}::int) n
        RETURNING id
      )
      INSERT INTO subscriptions (user_id, channel_id) SELECT id, ${id} FROM made`.execute(
      server.ctx.db,
    );
  }
  const node = await openNode();
  await add(cast.member, name, person);
  const client = await listen(node, person);
  await caughtUp(node);
  const before = await readBounds(server.ctx.database.pool);
  const startedMs = performance.now();
  for (let n = 1; n <= 200; n += 1) await say(n, { channel: id, who: 'subscribers' });
  await caughtUp(node);
  const tookMs = performance.now() - startedMs;
  expect(client.heard).toHaveLength(200);
  const { rows } = await sql<{ count: bigint; bytes: bigint }>`
    SELECT count(*) AS count, sum(length(payload) + length(audience::text)) AS bytes
      FROM event_log WHERE position > ${before.head}`.execute(server.ctx.db);
  expect(rows[0]?.count).toBe(200n);
  expect(Number(rows[0]?.bytes)).toBeLessThan(200 * 200);
  // Far below the time for touching every subscriber.
  expect(tookMs).toBeLessThan(10_000);
  await client.stop();
}, 120_000);
