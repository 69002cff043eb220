// Reactions, flags and edits are decided by what the process remembers. Whatever right is lost, the next one is refused as if
// nothing was remembered. The changes are made by another process, and no event ever reaches the one that acts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatClient, type Answer } from '../testing/chat/client.ts';
import {
  ok,
  openMessageWorld,
  send,
  type Actor,
  type MessageWorld,
} from '../testing/chat/world.ts';
import { clusterSettings } from '../testing/context.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { statementsOf } from '../testing/statements.ts';

let world: MessageWorld;
/** It has no relay, and nothing numbers the events of the other one. */
let acting: TestServer;
let count = 0;

beforeAll(async () => {
  world = await openMessageWorld({ settings: clusterSettings(), withRelay: false });
  acting = await startTestServer({
    databaseUrl: world.server.databaseUrl,
    settings: { ...clusterSettings(), CHAT_RATE_LIMIT: '1000000' },
    withRelay: false,
  });
});
afterAll(async () => {
  await acting.close();
  await world.close();
});

interface Case {
  readonly who: Actor;
  readonly channelId: number;
  /** One's own message, and somebody else's. */
  readonly own: number;
  readonly other: number;
}

/** A new member in a new channel that only its subscribers see. */
async function newCase(): Promise<Case> {
  count += 1;
  const who = await world.person();
  const channelId = await world.channel(`acts ${count}`, [world.owner, who], {
    invite_only: true,
    history_public_to_subscribers: true,
  });
  return {
    who,
    channelId,
    own: await send(who, channelId, 'x', 'own'),
    other: await send(world.owner, channelId, 'x', 'other'),
  };
}

type Act = (one: Case) => Promise<Answer>;

const client = ({ who }: Case) => chatClient(acting, who);
const flag =
  (name: string, op: string): Act =>
  (one) =>
    client(one).post('/messages/flags', { messages: [one.other], op, flag: name });

let edits = 0;
const ACTS: Readonly<Record<string, Act>> = {
  'a reaction': (one) => client(one).post(`/messages/${one.other}/reactions`, LIKE),
  'taking back a reaction': (one) => client(one).delete(`/messages/${one.other}/reactions`, LIKE),
  'a star': flag('starred', 'add'),
  'marking as unread': flag('read', 'remove'),
  'an edit': (one) =>
    client(one).patch(`/messages/${one.own}`, { content: `edit ${(edits += 1)}` }),
};
const LIKE = { emoji_name: 'octopus' };

/** Does everything twice, and shows that the second time went by memory. */
async function warm(one: Case): Promise<void> {
  const undo: Readonly<Record<string, Act>> = {
    'a reaction': (given) => client(given).delete(`/messages/${given.other}/reactions`, LIKE),
    'taking back a reaction': (given) =>
      client(given).post(`/messages/${given.other}/reactions`, LIKE),
  };
  ok(await flag('read', 'add')(one));
  for (let n = 0; n < 2; n += 1) {
    for (const [name, act] of Object.entries(ACTS)) {
      if (name === 'taking back a reaction') continue;
      const statements = await statementsOf([acting.ctx.pooled('chat').database.pool], async () => {
        ok(await act(one));
      });
      if (n === 1) expect(statements, name).not.toContain('commit');
      if (undo[name] !== undefined) ok(await undo[name](one));
      if (name === 'marking as unread') ok(await flag('read', 'add')(one));
      if (name === 'a star') ok(await flag('starred', 'remove')(one));
    }
  }
  ok(await (ACTS['a reaction'] as Act)(one));
}

const isRefused = async (act: Act, one: Case): Promise<void> => {
  const { body } = await act(one);
  expect(body).toMatchObject({ result: 'error' });
};

/** How often the person has reacted, flagged or edited. */
async function tracesOf({ who, own, other }: Case): Promise<unknown> {
  const { rows } = await world.server.owner.query(
    `SELECT (SELECT count(*)::int FROM reactions WHERE user_id = $1) AS reactions,
            (SELECT count(*)::int FROM message_flags WHERE user_id = $1) AS flags,
            (SELECT count(*)::int FROM message_edits WHERE message_id = $2) AS edits,
            (SELECT count(*)::int FROM messages WHERE id IN ($2, $3)) AS messages`,
    [who.id, own, other],
  );
  return rows[0];
}

type Loss = readonly [string, (one: Case) => Promise<unknown>];
const LOSSES: readonly Loss[] = [
  [
    'the person has left a private channel',
    async ({ who, channelId }) => {
      const { name } = ok(await world.owner.client.get(`/streams/${channelId}`))['stream'] as {
        name: string;
      };
      const left = { subscriptions: JSON.stringify([name]), principals: JSON.stringify([who.id]) };
      ok(await world.owner.client.delete('/users/me/subscriptions', left));
    },
  ],
  [
    'the account has ended',
    async ({ who }) => ok(await world.owner.client.delete(`/users/${who.id}`)),
  ],
  [
    'the messages have moved to where the person may not read them',
    async ({ own, other }) => {
      const hidden = await world.channel(`hidden ${count}`, [world.owner], { invite_only: true });
      for (const id of [own, other]) {
        const move = { stream_id: hidden, send_notification_to_new_thread: false };
        ok(await world.owner.client.patch(`/messages/${id}`, move));
      }
    },
  ],
  [
    'the messages are deleted',
    async ({ own, other }) => {
      for (const id of [own, other]) ok(await world.owner.client.delete(`/messages/${id}`));
    },
  ],
];

describe.each(LOSSES)('when %s', (_name, lose) => {
  it('nothing is changed any more', async () => {
    const one = await newCase();
    await warm(one);
    await lose(one);
    const before = await tracesOf(one);
    for (const act of Object.values(ACTS)) await isRefused(act, one);
    expect(await tracesOf(one)).toEqual(before);
  });
});

it('in a channel that has ended nothing is changed any more, but one can still read', async () => {
  const one = await newCase();
  await warm(one);
  ok(await world.owner.client.delete(`/streams/${one.channelId}`));
  const before = await tracesOf(one);
  for (const name of ['a reaction', 'taking back a reaction', 'a star', 'an edit']) {
    await isRefused(ACTS[name] as Act, one);
  }
  expect(await tracesOf(one)).toEqual(before);
  ok(await flag('read', 'remove')(one));
});

it('an emoji that has been taken away is no reaction any more', async () => {
  const one = await newCase();
  const { rows } = await world.server.owner.query<{ id: number }>(
    `INSERT INTO custom_emoji (name, source_url) VALUES ('ours', '/x.png') RETURNING id`,
  );
  const path = `/messages/${one.other}/reactions`;
  for (let n = 0; n < 2; n += 1) {
    ok(await client(one).post(path, { emoji_name: 'ours' }));
    ok(await client(one).delete(path, { emoji_name: 'ours' }));
  }
  await world.server.owner.query('UPDATE custom_emoji SET is_deactivated = true WHERE id = $1', [
    rows[0]?.id,
  ]);
  expect((await client(one).post(path, { emoji_name: 'ours' })).body).toMatchObject({
    result: 'error',
  });
});

it('an edit is refused when the organization has turned editing off, or the time is up', async () => {
  const one = await newCase();
  await warm(one);
  ok(await world.owner.client.patch('/realm', { allow_message_editing: false }));
  await isRefused(ACTS['an edit'] as Act, one);
  ok(await world.owner.client.patch('/realm', { allow_message_editing: true }));
  ok(await (ACTS['an edit'] as Act)(one));
  await world.server.owner.query(
    `UPDATE messages SET sent_at = now() - interval '1 day' WHERE id = $1`,
    [one.own],
  );
  ok(await world.owner.client.patch('/realm', { message_content_edit_limit_seconds: 60 }));
  await isRefused(ACTS['an edit'] as Act, one);
  ok(
    await world.owner.client.patch('/realm', {
      message_content_edit_limit_seconds: JSON.stringify('unlimited'),
    }),
  );
});

it('an alert word that has just been added counts for an edited text', async () => {
  const one = await newCase();
  await warm(one);
  const { owner } = world;
  ok(await owner.client.post('/users/me/alert_words', { alert_words: JSON.stringify(['edit']) }));
  ok(await (ACTS['an edit'] as Act)(one));
  const { message } = ok(await owner.client.get(`/messages/${one.own}`));
  expect((message as { flags: string[] }).flags).toContain('has_alert_word');
  ok(await owner.client.delete('/users/me/alert_words', { alert_words: JSON.stringify(['edit']) }));
});

it('an edit of a text that has changed meanwhile is refused, and many at once keep every version', async () => {
  const one = await newCase();
  await warm(one);
  const stale = { content: 'new', prev_content_sha256: '0'.repeat(64) };
  expect((await client(one).patch(`/messages/${one.own}`, stale)).body).toMatchObject({
    code: 'EXPECTATION_MISMATCH',
  });
  const [before] = [(await tracesOf(one)) as { edits: number }];
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      client(one).patch(`/messages/${one.own}`, { content: `at once ${n}` }),
    ),
  );
  const done = answers.filter(({ body }) => body['result'] === 'success').length;
  expect(done).toBeGreaterThan(0);
  const after = (await tracesOf(one)) as { edits: number };
  expect(after.edits - before.edits).toBe(done);
  const { rows } = await world.server.owner.query<{ chain: boolean }>(
    `SELECT count(DISTINCT prev_content) = count(*) AS chain FROM message_edits WHERE message_id = $1`,
    [one.own],
  );
  expect(rows[0]?.chain).toBe(true);
});

it('reactions, stars and marks of many at once are each there once', async () => {
  const one = await newCase();
  await warm(one);
  ok(await (ACTS['taking back a reaction'] as Act)(one));
  const same = await Promise.all(
    Array.from({ length: 12 }, () => (ACTS['a reaction'] as Act)(one)),
  );
  expect(same.filter(({ body }) => body['result'] === 'success')).toHaveLength(1);
  for (let n = 0; n < 6; n += 1) {
    await Promise.all([
      flag('read', 'add')(one),
      flag('read', 'remove')(one),
      flag('starred', n % 2 === 0 ? 'add' : 'remove')(one),
      send(world.owner, one.channelId, 'x', 'more'),
    ]).then((answers) => answers.slice(0, 3).forEach((answer) => ok(answer as Answer)));
  }
  ok(await flag('read', 'add')(one));
  const { rows } = await world.server.owner.query<{ type: string }>(
    `SELECT payload::json ->> 'op' AS type FROM outbox
      WHERE type = 'update_message_flags' AND payload::json ->> 'flag' = 'read'
        AND audience = jsonb_build_object('users', jsonb_build_array($1::int)) ORDER BY id`,
    [one.who.id],
  );
  // Each event tells of a change: what is read is not read again.
  const turns = rows.map(({ type }) => type);
  expect(turns.every((type, n) => n === 0 || type !== turns[n - 1])).toBe(true);
});
