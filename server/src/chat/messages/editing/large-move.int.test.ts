// Moves of more messages than one transaction takes: in steps, between which others write, and across a crash.
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import type { Context, OriginContext } from '../../../platform/context.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import { ok, refused, send, useMessageWorld, type Actor } from '../../../testing/chat/world.ts';
import { MOVE_STEP } from '../message/limits.ts';
import type { EditInput } from './content.ts';
import { editMessage } from './edit.ts';
import { finishMoves } from './large-move.ts';
import { edit, fillTopic, history, read, useSettableClock } from './test-changes.ts';

vi.setConfig({ testTimeout: 120_000 });
const clock = useSettableClock();
const world = useMessageWorld({ clock });

/** What stands in each topic of the channel. */
async function countTopics(channelId: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ topic: string; count: number }>`
    SELECT topic, count(*)::int AS count FROM messages
     WHERE conversation_id = (SELECT conversation_id FROM channels WHERE id = ${channelId})
     GROUP BY topic`.execute(world.server.ctx.db);
  return Object.fromEntries(rows.map(({ topic, count }) => [topic, count]));
}

/** How many rows of history these messages have: the fewest and the most. */
async function countEdits(ids: readonly number[]): Promise<[number, number]> {
  const { rows } = await sql<{ least: number; most: number }>`
    SELECT min(n)::int AS least, max(n)::int AS most
      FROM (SELECT count(e.id) AS n FROM unnest(${[...ids]}::bigint[]) AS m (id)
              LEFT JOIN message_edits e ON e.message_id = m.id GROUP BY m.id) AS counted`.execute(
    world.server.ctx.db,
  );
  return [rows[0]?.least ?? 0, rows[0]?.most ?? 0];
}

const openMoves = async () =>
  (await world.server.ctx.db.selectFrom('topicMoves').select('id').execute()).length;

/** The process of a request dies after so many transactions. */
function dying(after: number): OriginContext {
  const { ctx } = world.server;
  let count = 0;
  const inTransaction: Context['inTransaction'] = (work, options) => {
    count += 1;
    if (count > after) throw new Error('The process is gone.');
    return ctx.inTransaction(work, options);
  };
  return { ...ctx, inTransaction, publicUrl: () => 'http://localhost' };
}

const ASKED: EditInput = {
  content: undefined,
  topic: undefined,
  channelId: undefined,
  propagateMode: 'change_all',
  prevContentSha256: undefined,
  tellsOldThread: false,
  tellsNewThread: true,
};

/** A move of all messages from the first on. A rename of the whole topic has no steps. */
const LATER = { topic: 'b', propagateMode: 'change_later', tellsNewThread: false } as const;

/** Begins a move, and leaves it after `steps`. */
const moveAndDie = (who: Actor, id: number, asked: Partial<EditInput>, steps: number) =>
  editMessage(dying(steps), who, id, { ...ASKED, ...asked });

describe('a move of many messages', () => {
  it('lets others send between its steps, and takes what was sent to the topic meanwhile', async () => {
    const { owner, ada, bob, channel: make, server } = world;
    const COUNT = 20_000;
    const place = await make('busy', [owner, ada, bob]);
    const ids = await fillTopic(world, ada, { channelId: place, topic: 'task' }, COUNT);
    const timed = async (topic: string) => {
      const startMs = performance.now();
      const id = await send(bob, place, topic, 'hello');
      return { id, tookMs: performance.now() - startMs };
    };
    const quiet: number[] = [];
    for (let n = 0; n < 20; n += 1) quiet.push((await timed('chatter')).tookMs);
    let isOver = false;
    const startMs = performance.now();
    const moving = edit(ada, ids[0] as number, {
      topic: '✔ task',
      propagate_mode: 'change_later',
    }).finally(() => {
      isOver = true;
    });
    const waits: number[] = [];
    let sentThere = 0;
    while (!isOver) {
      waits.push((await timed('chatter')).tookMs);
      // The first ones begin while the move does, and end long before it.
      if (isOver || sentThere >= 5) continue;
      waits.push((await timed('task')).tookMs);
      sentThere += 1;
    }
    ok(await moving);
    const tookMs = performance.now() - startMs;
    // On a busy machine the request leaves the last steps to the worker.
    await finishMoves(server.ctx, 0);
    // In one transaction, the first of them would wait for all of it.
    expect(waits.length).toBeGreaterThan(COUNT / MOVE_STEP / 4);
    expect(Math.max(...waits)).toBeLessThan(tookMs / 5);
    const median = (all: readonly number[]) => [...all].sort((a, b) => a - b)[all.length >> 1] ?? 0;
    expect(median(waits)).toBeLessThan(40 * median(quiet));
    const topics = await countTopics(place);
    expect(topics['task']).toBeUndefined();
    // The notice stands there too.
    expect(topics['✔ task']).toBe(COUNT + sentThere + 1);
    expect(await openMoves()).toBe(0);
    expect(await countEdits(ids)).toEqual([1, 1]);
    const first = await history(bob, ids[0] as number);
    const last = await history(bob, ids.at(-1) as number);
    expect(first[1]).toMatchObject({ topic: '✔ task', prev_topic: 'task', user_id: ada.id });
    expect(last[1]).toEqual({ ...first[1], content: last[0]?.['content'] });
  });

  it('tells of each message once, first of the named one with its new text', async () => {
    const { server, owner, ada, bob, channel: make } = world;
    const from = await make('told', [owner, ada, bob]);
    const ids = await fillTopic(world, ada, { channelId: from, topic: 'old' }, 2 * MOVE_STEP + 10);
    const named = ids.at(-1) as number;
    await send(ada, from, 'new', 'others are here');
    const [events] = await verifyEvents(server, [bob], async () => {
      ok(await edit(ada, named, { topic: 'new', propagate_mode: 'change_all', content: 'fresh' }));
    });
    const updates = (events ?? []).filter(({ type }) => type === 'update_message') as unknown as {
      message_id: number;
      message_ids: number[];
    }[];
    expect(updates).toHaveLength(3);
    expect(updates[0]).toMatchObject({ message_id: named, content: 'fresh', orig_subject: 'old' });
    for (const update of updates) {
      expect(update.message_ids).toContain(update.message_id);
      expect(update.message_ids.length).toBeLessThanOrEqual(MOVE_STEP);
      expect(update).toMatchObject({ subject: 'new', propagate_mode: 'change_all' });
    }
    expect(updates[1]).not.toHaveProperty('content');
    const told = updates.flatMap(({ message_ids }) => message_ids).sort((a, b) => a - b);
    expect(told).toEqual(ids);
    expect(await read(bob, named, { apply_markdown: false })).toMatchObject({
      content: 'fresh',
      subject: 'new',
    });
    expect(await countEdits(ids)).toEqual([1, 1]);
  });

  it('between channels keeps first messages and settings right, and hides what may not be seen', async () => {
    const { server, owner, ada, bob, guest, channel: make } = world;
    const from = await make('wide', [owner, ada, bob, guest]);
    const to = await make('narrow', [owner, ada, bob], { invite_only: true });
    const ids = await fillTopic(world, bob, { channelId: from, topic: 'plan' }, 2 * MOVE_STEP);
    await send(bob, from, 'other', 'stays');
    ok(
      await bob.client.post('/user_topics', {
        stream_id: from,
        topic: 'plan',
        visibility_policy: 3,
      }),
    );
    const [toAda, toBob, toGuest] = await verifyEvents(server, [ada, bob, guest], async () => {
      ok(await edit(owner, ids[0] as number, { stream_id: to, propagate_mode: 'change_all' }));
    });
    const types = (events: typeof toAda) => [...new Set(events?.map(({ type }) => type))].sort();
    expect(types(toAda)).toEqual(['stream', 'update_message']);
    expect(types(toBob)).toEqual(['stream', 'update_message', 'user_topic']);
    expect(types(toGuest)).toEqual(['delete_message', 'stream']);
    // One for each channel: not one for each step.
    expect(toAda?.filter(({ type }) => type === 'stream')).toHaveLength(2);
    expect(toBob?.at(-1)).toMatchObject({
      stream_id: to,
      topic_name: 'plan',
      visibility_policy: 3,
    });
    expect(await countTopics(to)).toEqual({ plan: ids.length });
    expect(refused(await guest.client.get(`/messages/${ids.at(-1)}`)).msg).toBe(
      'Invalid message(s)',
    );
  });

  it('takes only what the actor may read, also in later steps', async () => {
    const { ada, bob, person, protectedId } = world;
    const at = { channelId: protectedId, topic: 'secret' };
    await fillTopic(world, bob, at, 40);
    const late = await person();
    ok(
      await ada.client.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'vault' }],
        principals: [late.id],
      }),
    );
    const ids = await fillTopic(world, bob, at, 2 * MOVE_STEP);
    ok(await edit(late, ids[0] as number, { topic: 'open', propagate_mode: 'change_all' }));
    const topics = await countTopics(protectedId);
    expect(topics['secret']).toBe(40);
    expect(topics['open']).toBe(ids.length);
  });

  it('is refused as a whole where one message is too old', async () => {
    const { ada, owner, channel: make } = world;
    const place = await make('aging', [owner, ada]);
    const at = { channelId: place, topic: 'ages' };
    const old = new Date(clock.now() - 8 * DAY_MS);
    await fillTopic(world, ada, at, MOVE_STEP + 1, old);
    const young = await fillTopic(world, ada, at, MOVE_STEP);
    expect(
      refused(await edit(ada, young[5] as number, { topic: 'x', propagate_mode: 'change_all' })),
    ).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: young[0],
      total_messages_in_topic: 2 * MOVE_STEP + 1,
      total_messages_allowed_to_move: MOVE_STEP,
    });
    expect(await countTopics(place)).toEqual({ ages: 2 * MOVE_STEP + 1 });
  });
});

it('a step reads what it moves, and not the whole topic', async () => {
  const { owner, ada, server, channel: make } = world;
  const place = await make('unknown', [owner, ada]);
  const at = { channelId: place, topic: 'named a moment ago' };
  const ids = await fillTopic(world, ada, at, 20 * MOVE_STEP);
  await server.ctx.db.transaction().execute(async (tx) => {
    const fetched = async () => {
      const { rows } = await sql<{ count: bigint }>`
        SELECT sum(pg_stat_get_xact_tuples_fetched(relid) + pg_stat_get_xact_tuples_returned(relid))::bigint AS count
          FROM pg_partition_tree('messages') WHERE isleaf`.execute(tx);
      return Number(rows[0]?.count ?? 0);
    };
    // The plan may become another one after some calls.
    for (let call = 0; call < 10; call += 1) {
      const before = await fetched();
      const { rows } = await sql`
        SELECT n.id FROM channels c,
               next_of_topic(c.conversation_id, ${at.topic}, ${ids[call]}, NULL, ${MOVE_STEP}) AS n
         WHERE c.id = ${place}`.execute(tx);
      expect(rows).toHaveLength(MOVE_STEP);
      expect((await fetched()) - before).toBeLessThan(4 * MOVE_STEP);
    }
  });
});

describe('a move whose process died', () => {
  it('keeps other moves away, and the worker finishes it once', async () => {
    const { server, owner, ada, bob, channel: make } = world;
    const place = await make('broken', [owner, ada, bob]);
    const at = { channelId: place, topic: 'half' };
    const ids = await fillTopic(world, ada, at, 4 * MOVE_STEP);
    await moveAndDie(ada, ids[0] as number, { topic: 'whole', propagateMode: 'change_later' }, 2);
    const topics = await countTopics(place);
    expect(topics['whole']).toBeGreaterThan(MOVE_STEP);
    expect(topics['half']).toBeGreaterThan(MOVE_STEP);
    // Everything but a move goes on.
    const sent = await send(bob, place, 'half', 'still here');
    const last = ids.at(-1) as number;
    ok(await edit(ada, last, { content: 'changed' }));
    const moving = /are being moved from or to this topic/;
    expect(refused(await edit(bob, last, { topic: 'away' })).msg).toMatch(moving);
    for (const [id, topic] of [
      [last, 'away'],
      [ids[0] as number, 'half'],
    ] as const) {
      const again = await edit(bob, id, { topic, propagate_mode: 'change_all' });
      expect(refused(again).msg).toMatch(moving);
    }
    const outside = await send(bob, place, 'outside', 'x');
    expect(refused(await edit(bob, outside, { topic: 'HALF' })).msg).toMatch(moving);
    // A request may still be at work.
    expect(await finishMoves(server.ctx, DAY_MS)).toBe(0);
    // Two workers at once do the work once.
    const ended = await Promise.all([finishMoves(server.ctx, 0), finishMoves(server.ctx, 0)]);
    expect(ended.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1);
    expect(await finishMoves(server.ctx, 0)).toBe(0);
    expect(await countTopics(place)).toEqual({ whole: ids.length + 2, outside: 1 });
    expect((await read(bob, sent)).subject).toBe('whole');
    expect(await countEdits(ids.slice(0, -1))).toEqual([1, 1]);
    expect(await countEdits([last])).toEqual([2, 2]);
    ok(await edit(bob, outside, { topic: 'half' }));
  });

  it('is finished also when the actor has lost every right', async () => {
    const { server, owner, bob, person, channel: make } = world;
    const leaver = await person();
    const place = await make('left', [owner, bob, leaver], { invite_only: true });
    const ids = await fillTopic(world, bob, { channelId: place, topic: 'a' }, 3 * MOVE_STEP);
    await moveAndDie(leaver, ids[0] as number, LATER, 1);
    ok(await owner.client.delete(`/users/${leaver.id}`));
    expect(await finishMoves(server.ctx, 0)).toBe(1);
    expect(await countTopics(place)).toEqual({ b: ids.length });
  });

  it('ends although its messages were deleted meanwhile', async () => {
    const { server, owner, ada, channel: make } = world;
    const place = await make('emptied', [owner, ada]);
    const ids = await fillTopic(world, ada, { channelId: place, topic: 'a' }, 3 * MOVE_STEP);
    await moveAndDie(ada, ids[0] as number, LATER, 1);
    ok(await owner.client.post(`/streams/${place}/delete_topic`, { topic_name: 'a' }));
    expect(await finishMoves(server.ctx, 0)).toBe(1);
    expect(await countTopics(place)).toEqual({ b: MOVE_STEP - 1 });
  });
});
