// Reactions, flags and edits are decided by what is remembered and written by one statement. What that writes and tells is
// what the long way writes and tells: each act is done to two channels with the same past, once each way.
import { beforeAll, describe, expect, it } from 'vitest';
import { listUsersById } from '../accounts/users/access.ts';
import type { User } from '../accounts/user.ts';
import type { OriginContext } from '../platform/context.ts';
import { ok, send, useMessageWorld, type Actor } from '../testing/chat/world.ts';
import { forgetful } from '../testing/forgetful.ts';
import { statementsOf } from '../testing/statements.ts';
import { editMessage } from './messages/editing/edit.ts';
import { addReaction, removeReaction } from './messages/reactions/actions.ts';
import { changeFlags } from './messages/read-state/actions.ts';
import type { EditableFlag, FlagOperation } from './messages/read-state/choose.ts';

const world = useMessageWorld();
let count = 0;

const query = async <T extends object>(text: string, ...values: unknown[]): Promise<T[]> =>
  (await world.server.owner.query<T>(text, values)).rows;

/** So that the id of a message is no other number. */
const IDS_FROM = 5_000_000;
beforeAll(() => query(`SELECT setval('message_ids', ${IDS_FROM})`));

type Act = (ctx: OriginContext, actor: User, ids: readonly number[]) => Promise<unknown>;

interface Deed {
  /** Makes the messages of a channel. */
  readonly past: (channelId: number) => Promise<readonly number[]>;
  readonly who?: () => Actor;
  readonly act: Act;
  /** How many statements the short way takes. */
  readonly takes: number;
}

const asUser = async ({ id }: Actor): Promise<User> =>
  ((await listUsersById(world.server.ctx.db, [id])) as [User])[0];

async function head(): Promise<string> {
  await expect.poll(async () => (await query('SELECT FROM outbox')).length).toBe(0);
  const [row] = await query<{ at: string }>(
    'SELECT coalesce(max(position), 0)::text AS at FROM event_log',
  );
  return row?.at ?? '0';
}

/** Everything about these messages and what was told since, with numbers that do not depend on the channel. */
async function traceOf(channelId: number, ids: readonly number[], after: string): Promise<unknown> {
  await head();
  const [conversation] = await query<{ id: number }>(
    'SELECT conversation_id AS id FROM channels WHERE id = $1',
    channelId,
  );
  const found = {
    events: (
      await query<{ payload: string }>(
        'SELECT type, payload, audience, rights_of FROM event_log WHERE position > $1 ORDER BY position',
        after,
      )
    ).map((event) => ({ ...event, payload: JSON.parse(event.payload) as unknown })),
    messages: await query(
      `SELECT to_jsonb(m) - '{conversation_id,home_id,sent_at,edited_at}'::text[] AS row, m.edited_at IS NULL AS fresh
         FROM messages m WHERE id = ANY ($1) ORDER BY id`,
      ids,
    ),
    flags: await query(
      'SELECT user_id, message_id, flags FROM message_flags WHERE message_id = ANY ($1) ORDER BY 1, 2',
      ids,
    ),
    reactions: await query(
      `SELECT message_id, user_id, reaction_type, emoji_code, emoji_name FROM reactions
        WHERE message_id = ANY ($1) ORDER BY id`,
      ids,
    ),
    edits: await query(
      `SELECT message_id, user_id, prev_content, prev_rendered, prev_topic, topic, channel_id FROM message_edits
        WHERE message_id = ANY ($1) ORDER BY id`,
      ids,
    ),
    marks: await query(
      `SELECT user_id, read_through FROM read_marks WHERE home_id = $1 ORDER BY user_id`,
      conversation?.id,
    ),
    blocks: await query(
      `SELECT user_id, block, encode(bits, 'hex') AS bits FROM read_blocks WHERE home_id = $1 ORDER BY 1, 2`,
      conversation?.id,
    ),
  };
  const text = JSON.stringify(found, (key, value: unknown) => {
    if (['edit_timestamp', 'stream_id', 'channel', 'channel_id', 'home_channel_id'].includes(key)) {
      return typeof value === 'number' ? key : value;
    }
    return key === 'stream_name' ? key : value;
  });
  return JSON.parse(
    text.replaceAll(/"?\b(5\d{6})\b"?/g, (_all, id) => `"m${ids.indexOf(Number(id))}"`),
  );
}

async function compare({ past, who = () => world.ada, act, takes }: Deed): Promise<void> {
  const { ctx, origin } = world.server;
  const { owner, ada, bob, guest } = world;
  const short = { ...ctx, ...ctx.pooled('chat'), publicUrl: () => origin };
  const long = forgetful(short);
  const actor = await asUser(who());
  const traces: unknown[] = [];
  const results: unknown[] = [];
  for (const way of [short, long]) {
    count += 1;
    const channelId = await world.channel(`twin ${count}`, [owner, ada, bob, guest]);
    // Whatever the process has to read first about the channel, it reads for another message.
    const ids = await past(channelId);
    await changeFlags(way, actor, ids.slice(0, 1), 'remove', 'collapsed');
    const warm = await send(owner, channelId, 'warm', 'warm');
    for (let n = 0; n < 2; n += 1) {
      await addReaction(way, actor, warm, { name: 'octopus', code: undefined, type: undefined });
      await removeReaction(way, actor, warm, { name: 'octopus', code: undefined, type: undefined });
    }
    const before = await head();
    const texts = await statementsOf([short.database.pool], async () => {
      const result = await act(way, actor, ids);
      results.push(
        JSON.parse(
          JSON.stringify(result ?? null).replaceAll(
            /\b5\d{6}\b/g,
            (id) => `"m${ids.indexOf(Number(id))}"`,
          ),
        ),
      );
    });
    if (way === short) expect(texts.length, texts.join('\n')).toBeLessThanOrEqual(takes);
    else expect(texts).toContain('commit');
    traces.push(await traceOf(channelId, ids, before));
  }
  expect(traces[0]).toEqual(traces[1]);
  expect(results[0]).toEqual(results[1]);
}

/** Messages of these people, one after the other. */
const by =
  (...who: readonly (() => Actor)[]) =>
  async (channelId: number): Promise<number[]> => {
    const ids: number[] = [];
    for (const [n, one] of who.entries()) {
      ids.push(await send(one(), channelId, 'topic', `text ${n}`, { client: 'website' }));
    }
    return ids;
  };
const ada = (): Actor => world.ada;
const bob = (): Actor => world.bob;

const alsoBy =
  (past: Deed['past'], more: (ids: readonly number[]) => Promise<unknown>): Deed['past'] =>
  async (channelId) => {
    const ids = await past(channelId);
    await more(ids);
    return ids;
  };

const emoji = (name?: string, code?: string, type?: string) => ({ name, code, type });
const react =
  (who: () => Actor, name: string) =>
  async ([id]: readonly number[]) =>
    ok(await who().client.post(`/messages/${id}/reactions`, { emoji_name: name }));

describe('one statement does to reactions what the long way does:', () => {
  const add =
    (...input: Parameters<typeof emoji>): Act =>
    (ctx, actor, [id = 0]) =>
      addReaction(ctx, actor, id, emoji(...input));
  const remove =
    (...input: Parameters<typeof emoji>): Act =>
    (ctx, actor, [id = 0]) =>
      removeReaction(ctx, actor, id, emoji(...input));

  it('the first one, and one more of a kind under the name that is in use', async () => {
    await compare({ past: by(bob), act: add('thumbs_up'), takes: 2 });
    const past = alsoBy(by(bob), react(bob, 'thumbs_up'));
    await compare({ past, act: add('+1', '1f44d', 'unicode_emoji'), takes: 2 });
  });

  it('to a message that others have flagged and that names somebody', async () => {
    const past = alsoBy(
      async (channelId) => [await send(bob(), channelId, 'x', `@**${world.owner.fullName}**`)],
      async (messages) =>
        ok(
          await world.guest.client.post('/messages/flags', {
            messages,
            op: 'add',
            flag: 'starred',
          }),
        ),
    );
    await compare({ past, act: add('octopus'), takes: 2 });
  });

  it('taken back by name, and by code', async () => {
    const past = alsoBy(by(bob), react(ada, 'octopus'));
    await compare({ past, act: remove('octopus'), takes: 2 });
    await compare({ past, act: remove(undefined, '1f419'), takes: 2 });
  });
});

describe('one statement does to flags what the long way does:', () => {
  const flag =
    (name: EditableFlag, op: FlagOperation): Act =>
    (ctx, actor, ids) =>
      changeFlags(ctx, actor, ids, op, name);
  const marked = (name: string, op: string) => async (messages: readonly number[]) =>
    ok(await world.ada.client.post('/messages/flags', { messages, op, flag: name }));
  const many = by(bob, ada, bob, bob, ada, bob, bob);
  const some =
    (act: Act): Act =>
    (ctx, actor, ids) =>
      act(
        ctx,
        actor,
        ids.filter((_, n) => n % 2 === 0),
      );

  it('read', async () => {
    await compare({ past: many, act: flag('read', 'add'), takes: 3 });
    await compare({ past: many, act: some(flag('read', 'add')), takes: 3 });
  });

  it('read again', async () => {
    const past = alsoBy(many, marked('read', 'add'));
    await compare({ past, act: flag('read', 'add'), takes: 2 });
  });

  it('unread', async () => {
    const past = alsoBy(many, marked('read', 'add'));
    await compare({ past, act: flag('read', 'remove'), takes: 2 });
    await compare({ past, act: some(flag('read', 'remove')), takes: 2 });
  });

  it('read after some were unread in between, and deleted', async () => {
    const past = alsoBy(many, async (ids) => {
      await marked('read', 'add')(ids);
      await marked('read', 'remove')(ids.filter((_, n) => n % 3 === 0));
      for (const id of [ids[1], ids[4]]) ok(await world.owner.client.delete(`/messages/${id}`));
    });
    await compare({ past, act: flag('read', 'add'), takes: 4 });
  });

  it('starred and not', async () => {
    await compare({ past: many, act: flag('starred', 'add'), takes: 2 });
    const past = alsoBy(many, async (ids) => {
      await marked('starred', 'add')(ids);
      await marked('collapsed', 'add')(ids.slice(2));
    });
    await compare({ past, act: flag('starred', 'add'), takes: 2 });
    await compare({ past, act: some(flag('starred', 'remove')), takes: 1 });
    await compare({ past: many, act: flag('collapsed', 'remove'), takes: 1 });
  });
});

describe('one statement does to a text what the long way does:', () => {
  const edit =
    (content: string): Act =>
    (ctx, actor, [id = 0]) =>
      editMessage(ctx, actor, id, {
        content,
        topic: undefined,
        channelId: undefined,
        propagateMode: 'change_one',
        prevContentSha256: undefined,
        tellsOldThread: false,
        tellsNewThread: true,
      });

  it('another one, with a link, or none', async () => {
    for (const content of ['**new**', 'see https://example.com', '', '/me waves', 'سلام']) {
      await compare({ past: by(ada), act: edit(content), takes: 4 });
    }
  });

  it('one that others have starred and not read', async () => {
    const past = alsoBy(by(bob, ada, ada), async (ids) => {
      for (const who of [world.bob, world.guest]) {
        ok(await who.client.post('/messages/flags', { messages: ids, op: 'add', flag: 'starred' }));
        ok(await who.client.post('/register', { event_types: '["message"]' }));
      }
    });
    const act: Act = (ctx, actor, ids) => edit('new')(ctx, actor, ids.slice(1));
    await compare({ past, act, takes: 4 });
  });

  it('one that was changed before, and one with a text for everybody', async () => {
    const past = alsoBy(by(ada), async ([id]) =>
      ok(await world.ada.client.patch(`/messages/${id}`, { content: 'second' })),
    );
    await compare({ past, act: edit('third'), takes: 4 });
    const crowd = async (channelId: number) => [await send(ada(), channelId, 'x', '@**all** come')];
    await compare({ past: crowd, act: edit('do not come'), takes: 4 });
  });
});
