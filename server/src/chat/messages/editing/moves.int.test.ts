// Moving messages between topics and between channels.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { Answer } from '../../../testing/chat/client.ts';
import {
  fetchIds,
  ok,
  refused,
  send,
  sendDirect,
  useMessageWorld,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import {
  channel,
  edit,
  remove,
  read,
  history,
  setRealm,
  useSettableClock,
} from './test-changes.ts';

const clock = useSettableClock();
const world = useMessageWorld({ clock });

/** How long the test of opposite moves runs; OPPOSITE_MOVES_MS=60000 is the long run. */
const OPPOSITE_MOVES_MS = Number(process.env['OPPOSITE_MOVES_MS'] ?? 5000);

describe('moving between topics', () => {
  it('moves one message, the later ones, or all', async () => {
    const { server, ada, bob, publicId } = world;
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await send(ada, publicId, 'long talk', `${n}`));
    const topics = async () => {
      const found: string[] = [];
      for (const id of ids) found.push((await read(bob, id)).subject);
      return found;
    };
    const [events] = await verifyEvents(server, [bob], async () => {
      ok(await edit(ada, ids[1] as number, { topic: 'one' }));
      ok(await edit(ada, ids[3] as number, { topic: 'later', propagate_mode: 'change_later' }));
      ok(await edit(ada, ids[2] as number, { topic: 'all', propagate_mode: 'change_all' }));
    });
    expect(await topics()).toEqual(['all', 'one', 'all', 'later', 'later']);
    expect(events?.[1]).toMatchObject({
      message_id: ids[3],
      message_ids: [ids[3], ids[4]],
      orig_subject: 'long talk',
      subject: 'later',
      propagate_mode: 'change_later',
      topic_links: [],
    });
    expect((await read(bob, ids[1] as number)).last_moved_timestamp).toBeGreaterThan(0);
  });

  it('resolves and unresolves a topic, which does not count as moving its messages', async () => {
    const { ada, publicId, owner, channel: make } = world;
    const id = await send(ada, publicId, 'task', 'do it');
    ok(await edit(ada, id, { topic: '✔ task', propagate_mode: 'change_all' }));
    expect(await read(ada, id)).toMatchObject({ subject: '✔ task' });
    expect(await read(ada, id)).not.toHaveProperty('last_moved_timestamp');
    ok(await edit(ada, id, { topic: 'task', propagate_mode: 'change_all' }));
    const strict = await make('strict', [owner, ada]);
    await setRealm(world, { can_resolve_topics_group: { new: roleGroupId('role:moderators') } });
    const other = await send(ada, strict, 'task', 'do it');
    expect(
      refused(await edit(ada, other, { topic: '✔ task', propagate_mode: 'change_all' })).msg,
    ).toBe("You don't have permission to resolve topics in this channel.");
    await setRealm(world, { can_resolve_topics_group: { new: roleGroupId('role:everyone') } });
    const untitled = await send(ada, publicId, '', 'x');
    expect(refused(await edit(ada, untitled, { topic: '✔ ' })).msg).toBe(
      'General chat cannot be marked as resolved',
    );
  });

  it('has a time limit; for a whole topic the refusal counts the messages that may move', async () => {
    const { ada, owner, publicId } = world;
    const old = await send(ada, publicId, 'ages', 'old');
    clock.offsetMs = 8 * DAY_MS;
    const young = await send(ada, publicId, 'ages', 'young');
    expect(refused(await edit(ada, old, { topic: 'x' })).msg).toBe(
      "The time limit for editing this message's topic has passed.",
    );
    expect(
      refused(await edit(ada, young, { topic: 'x', propagate_mode: 'change_all' })),
    ).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: young,
      total_messages_in_topic: 2,
      total_messages_allowed_to_move: 1,
    });
    ok(await edit(owner, old, { topic: 'x', propagate_mode: 'change_all' }));
    expect((await read(ada, young)).subject).toBe('x');
  });
});

describe('moving between channels', () => {
  it('reaches subscribers of both; people who may not read the new channel see a deletion', async () => {
    const { server, owner, ada, bob, guest, publicId, channel: make } = world;
    const target = await make('target', [owner, ada], {
      invite_only: true,
      history_public_to_subscribers: true,
    });
    const both: number[] = [];
    for (let n = 0; n < 3; n += 1) both.push(await send(bob, publicId, 'migrate', `m${n}`));
    const [toAda, toBob, toGuest] = await verifyEvents(server, [ada, bob, guest], async () => {
      ok(
        await edit(owner, both[0] as number, {
          stream_id: target,
          topic: 'new home',
          propagate_mode: 'change_all',
        }),
      );
    });
    expect(toAda).toMatchObject([
      {
        type: 'update_message',
        stream_id: publicId,
        new_stream_id: target,
        orig_subject: 'migrate',
        subject: 'new home',
        message_ids: both,
      },
      { type: 'stream', property: 'first_message_id', value: both[0] },
    ]);
    const gone = [
      { type: 'delete_message', message_type: 'stream', stream_id: publicId, topic: 'migrate' },
    ];
    // Bob had started the topic and followed it. That ends when it leaves.
    expect(toBob?.at(-1)).toMatchObject({ type: 'user_topic', visibility_policy: 0 });
    for (const events of [toBob?.slice(0, -1), toGuest]) {
      expect(new Set(events?.map(({ type }) => type))).toEqual(new Set(['delete_message']));
      expect(events?.[0]).toMatchObject(gone[0] ?? {});
    }
    expect(refused(await bob.client.get(`/messages/${both[0]}`)).msg).toBe('Invalid message(s)');
    expect(await fetchIds(ada, channel(target))).toEqual(both);
    expect((await history(ada, both[0] as number)).at(-1)).toMatchObject({
      prev_stream: publicId,
      stream: target,
    });
  });

  it('into a protected channel shows messages to its present subscribers, and not to later ones', async () => {
    const { server, ada, bob, person, publicId, protectedId } = world;
    const id = await send(ada, publicId, 'to the vault', 'gold found');
    await verifyEvents(
      server,
      [ada, bob],
      async () => void ok(await edit(ada, id, { stream_id: protectedId })),
    );
    expect((await read(bob, id)).stream_id).toBe(protectedId);
    const late = await person();
    ok(
      await ada.client.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'vault' }],
        principals: [late.id],
      }),
    );
    expect(refused(await late.client.get(`/messages/${id}`)).msg).toBe('Invalid message(s)');
    const [events] = await verifyEvents(server, [late], async () => {
      ok(await edit(ada, id, { content: 'more gold' }));
      ok(await ada.client.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
      ok(await edit(ada, id, { topic: 'elsewhere' }));
      ok(await remove(ada, id));
    });
    // Everybody who knows the channel learns that it has no first message any more.
    expect(events?.map(({ type }) => type)).toEqual(['stream']);
  });

  it('keeps unread messages unread, and writes no row for any reader', async () => {
    const { server, owner, ada, bob, channel: make } = world;
    const [from, to] = [await make('from', [owner, ada, bob]), await make('to', [owner, ada, bob])];
    const ids: number[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await send(ada, from, 'topic', `${n}`));
    ok(
      await bob.client.post('/messages/flags', {
        messages: ids.slice(0, 2),
        op: 'add',
        flag: 'read',
      }),
    );
    const rows = async () => {
      const { rows: found } = await sql`
        SELECT 'm', user_id, home_id, read_through::text FROM read_marks
        UNION ALL SELECT 'b', user_id, home_id, block::text FROM read_blocks ORDER BY 1, 2, 3`.execute(
        server.ctx.db,
      );
      return found;
    };
    const before = await rows();
    await verifyEvents(server, [ada, bob], async () => {
      ok(await edit(ada, ids[0] as number, { stream_id: to, propagate_mode: 'change_all' }));
    });
    expect(await rows()).toEqual(before);
    expect(await fetchIds(bob, channel(to), { operator: 'is', operand: 'unread' })).toEqual(
      ids.slice(2),
    );
    ok(await bob.client.post('/mark_stream_as_read', { stream_id: from }));
    expect(await fetchIds(bob, channel(to), { operator: 'is', operand: 'unread' })).toEqual(
      ids.slice(2),
    );
    await verifyEvents(
      server,
      [bob],
      async () => void ok(await bob.client.post('/mark_stream_as_read', { stream_id: to })),
    );
    expect(await fetchIds(bob, { operator: 'is', operand: 'unread' }, channel(to))).toEqual([]);
  });

  it('needs the permission to move, the right to post in the new channel, and the time limit', async () => {
    const { owner, ada, bob, stranger, publicId, privateId, channel: make } = world;
    const id = await send(ada, publicId, 'stay', 'here');
    expect(refused(await edit(stranger, id, { stream_id: privateId })).msg).toBe(
      'Invalid channel ID',
    );
    expect(refused(await edit(ada, id, { stream_id: privateId, content: 'x' })).msg).toBe(
      'Cannot change message content while changing channel',
    );
    const quiet = await make('quiet place', [owner, ada, bob], {
      can_send_message_group: roleGroupId('role:owners'),
    });
    expect(refused(await edit(bob, id, { stream_id: quiet })).msg).toBe(
      'You do not have permission to post in this channel.',
    );
    await setRealm(world, {
      can_move_messages_between_channels_group: { new: roleGroupId('role:moderators') },
    });
    expect(refused(await edit(bob, id, { stream_id: privateId })).msg).toBe(
      "You don't have permission to move this message",
    );
    await setRealm(world, {
      can_move_messages_between_channels_group: { new: roleGroupId('role:members') },
    });
    clock.offsetMs = 8 * DAY_MS;
    expect(refused(await edit(bob, id, { stream_id: privateId })).msg).toBe(
      "The time limit for editing this message's channel has passed",
    );
    const direct = await sendDirect(ada, [bob], 'us');
    expect(refused(await edit(ada, direct, { stream_id: publicId })).msg).toBe(
      'Direct messages cannot be moved to channels.',
    );
    expect(refused(await edit(ada, direct, { topic: 'x' })).msg).toBe(
      'Direct messages cannot have topics.',
    );
  });

  it(
    '16 moves and sends at once, in opposite directions, never deadlock',
    async () => {
      const { server, owner, ada, bob, channel: make } = world;
      const [left, right] = [
        await make('left', [owner, ada, bob]),
        await make('right', [owner, ada, bob]),
      ];
      const untilMs = performance.now() + OPPOSITE_MOVES_MS;
      const sent: number[] = [];
      /** On a busy machine some requests wait too long and are told to come again. */
      const insist = async (call: () => Promise<Answer>): Promise<Record<string, unknown>> => {
        for (;;) {
          const answer = await call();
          if (answer.status !== 503) return ok(answer);
        }
      };
      /** Half of the workers send and move there and back, the others the other way round. */
      const walk = async (worker: number) => {
        let [from, to] = worker % 2 === 0 ? [left, right] : [right, left];
        const { client } = worker % 4 < 2 ? ada : bob;
        for (let turn = 0; turn === 0 || performance.now() < untilMs; turn += 1) {
          const form = { type: 'channel', to: from, topic: `${worker}, ${turn}`, content: 'x' };
          const id = Number((await insist(() => client.post('/messages', form)))['id']);
          sent.push(id);
          const move = { stream_id: to, propagate_mode: 'change_all' };
          await insist(() => client.patch(`/messages/${id}`, move));
          [from, to] = [to, from];
        }
      };
      const before = await deadlocks(server.ctx.db);
      await Promise.all(Array.from({ length: 16 }, (_, worker) => walk(worker)));
      expect(sent.length).toBeGreaterThanOrEqual(16);
      // Each message is in exactly one of the two channels.
      const found = [
        await fetchIds(bob, channel(left)),
        await fetchIds(bob, channel(right)),
      ].flat();
      expect(found.filter((id) => sent.includes(id)).sort((a, b) => a - b)).toEqual(
        sent.sort((a, b) => a - b),
      );
      expect(await deadlocks(server.ctx.db)).toBe(before);
    },
    OPPOSITE_MOVES_MS + 60_000,
  );
});

async function deadlocks(db: MessageWorld['server']['ctx']['db']): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}
