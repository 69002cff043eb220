// Random sends, marks, moves, deletions, unsubscribing and returning, concurrently over HTTP. The server reports unread
// messages in three ways; each must agree with a simple model of single messages.
import { expect, it } from 'vitest';
import type { MessageObject } from '../message/object.ts';
import {
  fetchAll,
  fetchIds,
  ok,
  useMessageWorld,
  send,
  subscribe,
  unsubscribe,
  type Actor,
} from '../../../testing/chat/world.ts';
import type { UnreadState } from './state.ts';
import { listUnreadGroups } from '../unread/groups.ts';
import { listUnread } from '../unread/lists.ts';

const world = useMessageWorld();

const TURNS = 60;
const NAMES = ['red', 'green', 'blue'];
const WORDS = ['x', '@**Bob** x', '@**all** x', '@**topic** x'];

interface Known {
  channel: number;
  isUnread: boolean;
  /** A message that was never received is never unread. */
  readonly wasReceived: boolean;
}

it('the read state agrees with a simple model', async () => {
  const seed = Number(process.env['SEED'] ?? 7);
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const { owner, ada, bob } = world;
  const channels: number[] = [];
  for (const name of NAMES) channels.push(await world.channel(name, [owner, ada, bob]));
  const muted = { stream_id: channels[0], topic: 'T1', visibility_policy: 1 };
  ok(await bob.client.post('/user_topics', muted));
  const subscribed = new Set(channels);
  const messages = new Map<number, Known>();
  const pick = (count: number) => {
    const ids = [...messages.keys()];
    return [...new Set(Array.from({ length: count }, () => ids[random(ids.length)] as number))];
  };
  const isHere = (id: number) => subscribed.has(messages.get(id)?.channel ?? 0);
  const mark = async (ids: number[], op: 'add' | 'remove') => {
    ok(await bob.client.post('/messages/flags', { messages: ids, op, flag: 'read' }));
  };

  for (let turn = 0; turn < TURNS; turn += 1) {
    const index = random(channels.length);
    const channel = channels[index] as number;
    const dice = messages.size < 10 ? 0 : random(100);
    if (dice < 35) {
      const sent = await Promise.all(
        Array.from({ length: 1 + random(6) }, () =>
          send(ada, channel, `t${random(3)}`, WORDS[random(WORDS.length)] ?? ''),
        ),
      );
      const wasThere = subscribed.has(channel);
      for (const id of sent)
        messages.set(id, { channel, isUnread: wasThere, wasReceived: wasThere });
    } else if (dice < 60) {
      // Two clients at once, each with its own messages.
      const [first, second] = [pick(6), pick(6)];
      await Promise.all([mark(first, 'add'), mark(second, 'add')]);
      for (const id of [...first, ...second]) (messages.get(id) as Known).isUnread = false;
    } else if (dice < 70) {
      const ids = pick(4).filter((id) => isHere(id) && messages.get(id)?.wasReceived === true);
      if (ids.length > 0) await mark(ids, 'remove');
      for (const id of ids) (messages.get(id) as Known).isUnread = true;
    } else if (dice < 80) {
      const [id = 0] = pick(1);
      const target = channels[random(channels.length)] as number;
      const known = messages.get(id) as Known;
      if (target !== known.channel) {
        const move = { stream_id: target, send_notification_to_new_thread: false };
        ok(await owner.client.patch(`/messages/${id}`, move));
        known.channel = target;
      }
    } else if (dice < 86) {
      const [id = 0] = pick(1);
      ok(await owner.client.delete(`/messages/${id}`));
      messages.delete(id);
    } else if (dice < 92) {
      ok(await bob.client.post('/mark_stream_as_read', { stream_id: channel }));
      for (const known of messages.values()) if (known.channel === channel) known.isUnread = false;
    } else if (subscribed.has(channel)) {
      await unsubscribe(bob, NAMES[index] as string);
      subscribed.delete(channel);
      for (const known of messages.values()) if (known.channel === channel) known.isUnread = false;
    } else {
      await subscribe(bob, NAMES[index] as string);
      subscribed.add(channel);
    }
    await compare(turn);
  }

  async function compare(turn: number): Promise<void> {
    const expected = [...messages.entries()]
      .filter(([id, known]) => known.isUnread && isHere(id))
      .map(([id]) => id)
      .sort((a, b) => a - b);
    const told = `seed ${seed}, turn ${turn}`;
    expect(await fetchIds(bob, { operator: 'is', operand: 'unread' }), told).toEqual(expected);
    expect(await byFlags(bob, channels), told).toEqual(expected);
    expect(await byRegister(bob), told).toEqual(expected);
    await compareGroups(told);
  }

  /** The grouped form in register must agree with the list of messages, for any limit. */
  async function compareGroups(told: string): Promise<void> {
    const { db } = world.server.ctx;
    for (const limit of [1, 7, 50_000]) {
      const plain = await listUnread(db, bob.id, limit);
      const { groups, isWhole } = await listUnreadGroups(db, bob.id, limit);
      const ids = groups.flatMap((group) => group.ids).sort((a, b) => a - b);
      expect(ids, told).toEqual(plain.map(({ id }) => id));
      if (!isWhole) expect(plain.length, told).toBeLessThanOrEqual(limit);
      for (const { channelId, topic, isMuted, ids: own, mentionedIds } of groups) {
        const same = plain.filter((one) => one.channelId === channelId && one.topic === topic);
        expect(own, told).toEqual(same.map(({ id }) => id));
        expect(mentionedIds, told).toEqual(
          same.filter(({ isMentioned }) => isMentioned).map(({ id }) => id),
        );
        expect(
          same.every((one) => one.isMuted === isMuted),
          told,
        ).toBe(true);
      }
    }
  }
}, 300_000);

async function byFlags(who: Actor, channels: readonly number[]): Promise<number[]> {
  const all: MessageObject[] = [];
  for (const operand of channels)
    all.push(...(await fetchAll(who, [{ operator: 'channel', operand }])));
  return all
    .filter(({ flags }) => flags?.includes('read') === false)
    .map(({ id }) => id)
    .sort((a, b) => a - b);
}

async function byRegister(who: Actor): Promise<number[]> {
  const types = ['message', 'update_message_flags'];
  const body = ok(await who.client.post('/register', { event_types: types }));
  ok(await who.client.delete('/events', { queue_id: body['queue_id'] }));
  const { streams } = body['unread_msgs'] as UnreadState;
  return streams.flatMap(({ unread_message_ids: ids }) => ids).sort((a, b) => a - b);
}
