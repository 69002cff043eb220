// Topics that are renamed as one row (decision 0106), beside a twin: a server that believes a process of an older release
// to run, and therefore rewrites every message. Both get the same requests at the same times, and must answer the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../testing/random.ts';
import { CHANNELS } from '../../../testing/chat/cast.ts';
import { isThorough } from '../../../testing/thorough.ts';
import { statementsOf } from '../../../testing/statements.ts';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import {
  fetchAll,
  fetchIds,
  ok,
  openMessageWorld,
  send,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import { edit, fillTopic, history } from './test-changes.ts';

const NAMES = ['lunch', 'release notes', 'harbour :)', 'plan %% b', 'notes'];
const WORDS = [
  'lunch',
  'release',
  'harbour',
  'notes',
  'crane',
  '5 %% more',
  'well :) then',
  'plan',
];
const SEARCHES = [
  'lunch',
  'release notes',
  'notes crane',
  '"release notes"',
  ':)',
  '%%',
  'plan lunch',
  'harbour crane',
];
const RESOLVED = '✔ ';

const clock = { ms: Date.now(), now: () => clock.ms };
const worlds: MessageWorld[] = [];

beforeAll(async () => {
  // A search that a busy machine ends would differ from the other.
  const options = { clock, settings: { SEARCH_MS: '60000' } };
  worlds.push(await openMessageWorld(options), await openMessageWorld(options));
  for (const { owner } of worlds) {
    const linkifier = { pattern: '(?P<id>notes)', url_template: 'https://example.com/{id}' };
    ok(await owner.client.post('/realm/filters', linkifier));
  }
  await worlds[1]?.server.owner.query(
    `INSERT INTO processes (id, roles, seen_at) VALUES ('older', '{api}', 'infinity')`,
  );
});
afterAll(async () => {
  for (const world of worlds) {
    await checkLoggedShapes(world.server);
    await world.close();
  }
});

type Who = 'owner' | 'ada' | 'bob' | 'guest';
type Where = 'publicId' | 'protectedId' | 'privateId';
const READERS: readonly Who[] = ['owner', 'ada', 'bob', 'guest'];
const PLACES: readonly Where[] = ['publicId', 'protectedId', 'privateId'];

const [keyed, twin] = [() => worlds[0] as MessageWorld, () => worlds[1] as MessageWorld];

/** The same in both worlds; returns the answer of the first after comparing both. */
async function both<T>(what: string, act: (world: MessageWorld) => Promise<T>): Promise<T> {
  const [one, other] = await Promise.all([act(keyed()), act(twin())]);
  expect(one, what).toEqual(other);
  return one;
}

const clientOf = (world: MessageWorld, who: Who) => world[who].client;
const statusOf = ({ body }: { body: unknown }) => {
  const { result, msg } = body as { result: string; msg: string };
  return { result, msg };
};

/** A topic that was renamed has one spelling for all messages: that is the one difference. */
async function spelled(where: Where, topic: string): Promise<{ topic: string; isRow: boolean }> {
  const { rows } = await keyed().server.owner.query<{ name: string }>(
    `SELECT t.name FROM topics t JOIN channels c USING (conversation_id)
      WHERE c.id = $1 AND lower(t.name) = lower($2)`,
    [keyed()[where], topic],
  );
  return { topic: rows[0]?.name ?? topic, isRow: rows[0] !== undefined };
}

const SHOWN = [
  'id',
  'subject',
  'topic_links',
  'edit_history',
  'last_moved_timestamp',
  'last_edit_timestamp',
  'flags',
  'stream_id',
  'match_subject',
] as const;

async function page(
  world: MessageWorld,
  who: Who,
  narrow: readonly unknown[],
  more = {},
): Promise<unknown> {
  const { body } = await clientOf(world, who).get('/messages', {
    anchor: 'newest',
    num_before: 500,
    num_after: 0,
    narrow,
    allow_empty_topic_name: true,
    ...more,
  });
  const { messages, msg, anchor } = body as {
    messages?: Record<string, unknown>[];
    msg: string;
    anchor: number;
  };
  return messages === undefined
    ? msg
    : [
        anchor,
        ...messages.map((one) => Object.fromEntries(SHOWN.map((name) => [name, one[name]]))),
      ];
}

async function stateOf(world: MessageWorld, who: Who): Promise<unknown> {
  const { body } = await clientOf(world, who).post('/register', {
    event_types: ['message', 'update_message_flags', 'user_topic'],
    fetch_event_types: ['message', 'update_message_flags', 'user_topic'],
  });
  const { unread_msgs, user_topics } = body as {
    unread_msgs: unknown;
    user_topics: { stream_id: number; topic_name: string; visibility_policy: number }[];
  };
  const settings = user_topics.map(
    (one) => `${one.stream_id} ${one.topic_name.toLowerCase()} ${one.visibility_policy}`,
  );
  return { unread_msgs, settings: settings.sort() };
}

const term = (operator: string, operand: unknown, negated = false) => ({
  operator,
  operand,
  negated,
});

/** Everything that somebody can see of topics. */
async function compare(random: Random, ids: readonly number[]): Promise<void> {
  const some = <T>(all: readonly T[], count: number) => random.shuffled(all).slice(0, count);
  for (const who of READERS) {
    await both(`state of ${who}`, (world) => stateOf(world, who));
    for (const where of PLACES) {
      await both(
        `topics of ${where} for ${who}`,
        async (world) => (await clientOf(world, who).get(`/users/me/${world[where]}/topics`)).body,
      );
    }
    const narrows = [
      [],
      [term('is', 'resolved')],
      [term('is', 'followed')],
      [term('is', 'muted')],
      [term('is', 'unread')],
      [term('channel', keyed().publicId)],
      [term('channel', keyed().publicId), term('is', 'resolved', true)],
      ...SEARCHES.map((text) => [term('search', text)]),
      [term('search', 'lunch'), term('search', 'notes')],
      [term('search', ':)'), term('search', 'crane')],
      [term('search', 'lunch', true), term('channel', keyed().publicId)],
    ];
    for (const narrow of some(narrows, 8)) {
      await both(`${JSON.stringify(narrow)} for ${who}`, (world) => page(world, who, narrow));
    }
    for (const text of some(SEARCHES, 2)) {
      for (const more of [
        { num_before: 2 },
        { anchor: 'oldest', num_before: 0, num_after: 3 },
        { anchor: 'first_unread' },
      ]) {
        await both(`${text} ${JSON.stringify(more)} for ${who}`, (world) =>
          page(world, who, [term('search', text)], more),
        );
      }
    }
    for (const name of some([...NAMES, ...NAMES.map((one) => RESOLVED + one), 'LUNCH'], 4)) {
      const ofTopic = [
        [term('channel', keyed().publicId), term('topic', name)],
        [term('channel', keyed().protectedId), term('topic', name)],
        [term('topic', name)],
        [term('channel', keyed().publicId), term('topic', name, true)],
      ];
      for (const narrow of some(ofTopic, 2)) {
        await both(`${JSON.stringify(narrow)} for ${who}`, (world) => page(world, who, narrow));
      }
    }
    for (const id of some(ids, 4)) {
      await both(
        `history of ${id} for ${who}`,
        async (world) => (await clientOf(world, who).get(`/messages/${id}/history`)).body,
      );
      await both(`with ${id} for ${who}`, (world) => page(world, who, [term('with', id)]));
      await both(`not with ${id} for ${who}`, (world) =>
        page(world, who, [term('with', id, true), term('channel', keyed().publicId)]),
      );
    }
  }
}

/** The newest message of each world's whole, from the database: also what nobody may read. */
const listIds = async (world: MessageWorld): Promise<number[]> => {
  const { rows } = await world.server.owner.query<{ id: string }>(
    'SELECT id FROM messages ORDER BY id',
  );
  return rows.map(({ id }) => Number(id));
};

async function step(random: Random, ids: readonly number[], log: string[]): Promise<void> {
  clock.ms += random.pick([1000, 61_000]);
  const who = random.pick(['owner', 'owner', 'ada', 'bob'] as const);
  const where = random.pick(['publicId', 'publicId', 'protectedId', 'privateId'] as const);
  const plain = random.pick(NAMES);
  const cased = random.pick([plain, plain, plain.toUpperCase(), RESOLVED + plain]);
  const { topic } = await spelled(where, cased);
  const id = random.pick(ids);
  const patch = async (fields: Record<string, unknown>) => {
    log.push(`${who} ${id} ${JSON.stringify(fields)}`);
    return both(log.at(-1) ?? '', async (world) =>
      statusOf(
        await clientOf(world, who).patch(`/messages/${id}`, {
          send_notification_to_new_thread: false,
          ...fields,
          ...('stream_id' in fields && { stream_id: world[fields['stream_id'] as Where] }),
        }),
      ),
    );
  };
  /** Where the message is, and its topic. */
  const at = async () => {
    const { rows } = await twin().server.owner.query<{ topic: string; channel: number }>(
      `SELECT m.topic, c.id AS channel FROM messages m JOIN channels c USING (conversation_id) WHERE m.id = $1`,
      [id],
    );
    const row = rows[0];
    const place = PLACES.find((one) => twin()[one] === row?.channel) ?? 'publicId';
    return { topic: row?.topic ?? '', where: place };
  };
  const to = async (name: string, mode: string) => {
    const here = await at();
    const { topic: wanted, isRow } = await spelled(here.where, name);
    // The spelling of a part cannot differ where the topic was renamed.
    if (isRow && wanted.toLowerCase() === here.topic.toLowerCase() && mode !== 'change_all')
      return undefined;
    const isSame = name.toLowerCase() === here.topic.toLowerCase();
    return patch({ topic: isSame ? name : wanted, propagate_mode: mode });
  };
  switch (random.below(13)) {
    case 0:
    case 1:
    case 2: {
      const text = `${random.pick(WORDS)} ${random.pick(WORDS)}`;
      log.push(`${who} sends ${text} to ${where} ${topic}`);
      await both(log.at(-1) ?? '', async (world) =>
        statusOf(
          await clientOf(world, who).post('/messages', {
            type: 'channel',
            to: world[where],
            topic,
            content: text,
            ...(random.below(1) === 0 && { client: 'website' }),
          }),
        ),
      );
      return;
    }
    case 3:
    case 4:
      await to(cased, 'change_all');
      return;
    case 5:
    case 6: {
      const here = await at();
      await to(
        here.topic.startsWith(RESOLVED) ? here.topic.slice(2) : RESOLVED + here.topic,
        'change_all',
      );
      return;
    }
    case 7: {
      const here = await at();
      if (who === 'owner' || here.where !== 'protectedId')
        await to(random.pick([here.topic.toUpperCase(), here.topic.toLowerCase()]), 'change_all');
      return;
    }
    case 8:
      await to(cased, random.pick(['change_one', 'change_later']));
      return;
    case 9: {
      const target = await spelled(where, (await at()).topic);
      const mode = random.pick(['change_one', 'change_later', 'change_all']);
      await patch({
        stream_id: where,
        propagate_mode: mode,
        ...(random.below(2) === 0
          ? { topic }
          : target.topic === (await at()).topic
            ? {}
            : { topic: target.topic }),
      });
      return;
    }
    case 10: {
      const visibility_policy = random.below(4);
      log.push(`${who} sets ${visibility_policy} for ${where} ${topic}`);
      await both(log.at(-1) ?? '', async (world) =>
        statusOf(
          await clientOf(world, who).post('/user_topics', {
            stream_id: world[where],
            topic,
            visibility_policy,
          }),
        ),
      );
      return;
    }
    case 11: {
      const choice = random.below(4);
      log.push(`${choice} of ${id} by ${who}`);
      if (choice === 0) {
        await both(log.at(-1) ?? '', async (world) =>
          statusOf(await clientOf(world, 'owner').delete(`/messages/${id}`)),
        );
      } else if (choice === 1) {
        await both(log.at(-1) ?? '', async (world) =>
          statusOf(
            await clientOf(world, who).post('/mark_topic_as_read', {
              stream_id: world[where],
              topic_name: cased,
            }),
          ),
        );
      } else if (choice === 2 && random.below(4) === 0) {
        await both(log.at(-1) ?? '', async (world) =>
          statusOf(
            await clientOf(world, 'owner').post(`/streams/${world[where]}/delete_topic`, {
              topic_name: cased,
            }),
          ),
        );
      } else {
        await patch({ content: `${random.pick(WORDS)} changed` });
      }
      return;
    }
    default: {
      const here = await at();
      const { topic: wanted } = await spelled(here.where, cased);
      await patch({
        content: `${random.pick(WORDS)} both`,
        topic: wanted,
        propagate_mode:
          wanted.toLowerCase() === here.topic.toLowerCase()
            ? 'change_all'
            : random.pick(['change_one', 'change_all']),
      });
    }
  }
}

describe('a topic that is renamed as a row', () => {
  const seeds = isThorough ? [1, 2, 3, 4, 5, 6] : [1];
  it.each(seeds)(
    'looks like one whose messages were rewritten, after random histories (%i)',
    async (seed) => {
      const random = createRandom(seed);
      const log: string[] = [];
      for (const world of worlds) {
        for (const where of PLACES) {
          await send(world.ada, world[where], (await spelled(where, 'lunch')).topic, 'first');
        }
      }
      // Somebody comes to the protected channel later, and cannot read what was there.
      try {
        for (let n = 0; n < 120; n += 1) {
          if (n === 20) {
            for (const world of worlds) {
              await world.ada.client.post('/users/me/subscriptions', {
                subscriptions: [{ name: CHANNELS.protected.name }],
                principals: [world.owner.id],
              });
            }
          }
          const ids = await listIds(keyed());
          expect(ids).toEqual(await listIds(twin()));
          await step(random, ids, log);
          if (n % 15 === 14) await compare(random, await listIds(keyed()));
        }
      } catch (error) {
        console.error(log.slice(-25).join('\n'));
        throw error;
      }
      const { rows } = await keyed().server.owner.query('SELECT FROM topic_renames');
      expect(rows.length).toBeGreaterThan(10);
    },
    600_000,
  );
});

/** Where each message is in the table, and how many rows of its own history it has: both change with every write. */
async function rowsOf({ server }: MessageWorld, ids: readonly number[]): Promise<unknown> {
  const { rows } = await server.owner.query<{ places: string; edits: string }>(
    `SELECT md5(string_agg(ctid::text || ' ' || topic, ',' ORDER BY id)) AS places,
            (SELECT count(*) FROM message_edits WHERE message_id = ANY ($1::bigint[])) AS edits
       FROM messages WHERE id = ANY ($1::bigint[])`,
    [ids],
  );
  return rows[0];
}

const topicsOf = async ({ ada }: MessageWorld, channelId: number) => {
  const { body } = await ada.client.get(`/users/me/${channelId}/topics`);
  return (body as { topics: { name: string }[] }).topics.map(({ name }) => name);
};
const subjectsOf = async ({ ada }: MessageWorld, channelId: number) =>
  Object.fromEntries(
    (await fetchAll(ada, [term('channel', channelId)])).map(({ id, subject }) => [id, subject]),
  );

describe('renaming a whole topic', () => {
  it('writes none of its messages, and as many statements for many as for few', async () => {
    const world = keyed();
    const { owner, ada, bob, server } = world;
    const place = await world.channel('large', [owner, ada, bob]);
    const fill = (topic: string, count: number) =>
      fillTopic(world, ada, { channelId: place, topic }, count);
    const few = await fill('few', 300);
    const many = await fill('many', isThorough ? 50_000 : 20_000);
    const pools = [server.ctx.database.pool, server.ctx.pooled('chat').database.pool];
    const resolve = (id: number | undefined, topic: string) =>
      statementsOf(pools, () =>
        ada.client.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' }),
      );
    await resolve(few[0], '✔ few');
    const before = [await rowsOf(world, few), await rowsOf(world, many)];
    const forFew = await resolve(few[7], 'few');
    const forMany = await resolve(many[7], '✔ many');
    expect([await rowsOf(world, few), await rowsOf(world, many)]).toEqual(before);
    // Each event tells of at most 5,000 messages.
    expect(forMany.length - forFew.length).toBeLessThan((many.length / 5000) * 12);
    expect(new Set(await topicsOf(world, place))).toEqual(new Set(['few', '✔ many']));
    const subjects = await subjectsOf(world, place);
    expect(many.slice(0, 100).map((id) => subjects[id])).toEqual(Array(100).fill('✔ many'));
    const { rows } = await server.owner.query<{ ids: string }>(
      `SELECT sum(json_array_length(payload::json -> 'message_ids')) AS ids FROM event_log
        WHERE type = 'update_message' AND payload::json ->> 'subject' = '✔ many'`,
    );
    expect(Number(rows[0]?.ids)).toBe(many.length);
  }, 120_000);

  it('leaves its old name free for another topic, which has no settings and no history', async () => {
    const world = keyed();
    const { owner, ada, bob } = world;
    const place = await world.channel('names', [owner, ada, bob]);
    const set = { stream_id: place, topic: 'tea', visibility_policy: 3 };
    const first = await send(ada, place, 'tea', 'one');
    ok(await ada.client.post('/user_topics', set));
    ok(await edit(ada, first, { topic: 'coffee', propagate_mode: 'change_all' }));
    const fresh = await send(bob, place, 'tea', 'two');
    expect(await subjectsOf(world, place)).toEqual({ [first]: 'coffee', [fresh]: 'tea' });
    expect(await fetchIds(ada, term('is', 'followed'), term('channel', place))).toEqual([first]);
    expect(await history(ada, fresh)).toHaveLength(1);
    // And back: now the name has messages, so this is a move into that topic.
    ok(await edit(ada, first, { topic: 'tea', propagate_mode: 'change_all' }));
    expect(await topicsOf(world, place)).toEqual(['tea']);
    expect(await history(ada, first)).toMatchObject([
      { topic: 'tea' },
      { topic: 'coffee', prev_topic: 'tea' },
      { topic: 'tea', prev_topic: 'coffee' },
    ]);
  });

  it('gives it one spelling, also for what is sent later in another', async () => {
    const world = keyed();
    const { owner, ada, bob, server } = world;
    const place = await world.channel('spelling', [owner, ada, bob]);
    const first = await send(ada, place, 'Soup', 'one');
    ok(await edit(ada, first, { topic: 'Bread', propagate_mode: 'change_all' }));
    const [events] = await verifyEvents(server, [bob], async () => {
      await send(ada, place, 'BREAD', 'two', { client: 'website' });
      await send(ada, place, 'bread', '@**Bob** three');
    });
    const sent = events?.filter(({ type }) => type === 'message') as unknown as {
      message: { subject: string };
    }[];
    expect(sent.map(({ message }) => message.subject)).toEqual(['Bread', 'Bread']);
    // Who changes it for one message changes it for all.
    ok(await edit(ada, first, { topic: 'BREAD' }));
    expect(new Set(Object.values(await subjectsOf(world, place)))).toEqual(new Set(['BREAD']));
  });

  it('while others send there loses no message, and each stands where its sender was told', async () => {
    const world = keyed();
    const { owner, ada, bob } = world;
    const place = await world.channel('race', [owner, ada, bob]);
    const first = await send(ada, place, 'a', 'first');
    for (const [from, to] of [
      ['a', 'b'],
      ['b', 'a'],
      ['a', '✔ a'],
    ] as const) {
      const [id = first] = await fetchIds(ada, term('channel', place), term('topic', from));
      const sending = Array.from({ length: 12 }, (_, n) =>
        send(n % 2 === 0 ? ada : bob, place, from, 'x', n % 3 === 0 ? {} : { client: 'website' }),
      );
      ok(await edit(owner, id, { topic: to, propagate_mode: 'change_all' }));
      const sent = await Promise.all(sending);
      const subjects = await subjectsOf(world, place);
      expect(sent.every((one) => [from, to].includes(subjects[one] as 'a'))).toBe(true);
      expect(subjects[id]).toBe(to);
      // What came after the rename stands under the old name, and nothing else does.
      const [early, late] = [to, from].map((name) => sent.filter((one) => subjects[one] === name));
      expect(Math.max(0, ...(early ?? []))).toBeLessThan(Math.min(Infinity, ...(late ?? [])));
      ok(await owner.client.post(`/streams/${place}/delete_topic`, { topic_name: from }));
    }
  });

  it('rewrites its messages as long as a process of an older release runs', async () => {
    const { ada, publicId, server } = twin();
    const id = await send(ada, publicId, 'older', 'x');
    ok(await edit(ada, id, { topic: 'newer', propagate_mode: 'change_all' }));
    const { rows } = await server.owner.query('SELECT topic FROM messages WHERE id = $1', [id]);
    expect(rows).toEqual([{ topic: 'newer' }]);
    expect((await server.owner.query('SELECT FROM topics')).rowCount).toBe(0);
  });
});
