// Pages that begin from a reader's topics, flags and read spans are the pages that a look at every message would give.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  fetchAll,
  idsOf,
  ok,
  send,
  sendDirect,
  subscribe,
  unsubscribe,
  useMessageWorld,
  type Actor,
} from '../../../testing/chat/world.ts';
import { CHANNELS } from '../../../testing/chat/cast.ts';
import type { MessageObject } from '../message/object.ts';

const world = useMessageWorld();
const [MUTED, UNMUTED, FOLLOWED] = [1, 2, 3];
const TOPICS = ['One', 'two', 'three', 'four'];

let noisyId: number;
let leftId: number;
let late: Actor;

const setTopic = async ({ client }: Actor, channelId: number, topic: string, policy: number) =>
  ok(await client.post('/user_topics', { stream_id: channelId, topic, visibility_policy: policy }));

const flag = async ({ client }: Actor, op: string, name: string, ids: readonly number[]) =>
  ok(await client.post('/messages/flags', { op, flag: name, messages: ids }));

beforeAll(async () => {
  const { ada, bob, publicId, privateId, protectedId } = world;
  for (const actor of [ada, bob]) {
    ok(await actor.client.patch('/settings', { automatically_follow_topics_policy: 4 }));
  }
  noisyId = await world.channel('noisy', [ada, bob]);
  leftId = await world.channel('left', [ada, bob]);
  late = await world.person();
  await subscribe(late, CHANNELS.public.name);
  const ids: number[] = [];
  const channels = [publicId, privateId, protectedId, noisyId, leftId];
  for (let n = 0; n < 60; n += 1) {
    const channelId = channels[n % channels.length] as number;
    ids.push(await send(bob, channelId, TOPICS[(n * 7) % 4] as string, `message ${n}`));
    if (n % 10 === 3) ids.push(await sendDirect(bob, [ada], `direct ${n}`));
  }
  // Bits before the watermark and after it, and a channel of which nothing is read.
  await flag(
    ada,
    'add',
    'read',
    ids.filter((_, n) => n < 25 || n % 4 === 0),
  );
  await flag(ada, 'remove', 'read', [ids[7] as number, ids[12] as number]);
  await flag(ada, 'add', 'starred', [ids[4] as number, ids[44] as number]);
  // Moved to a channel where it has another number.
  const moved = await send(bob, publicId, 'moving', 'soon elsewhere');
  ok(
    await world.owner.client.patch(`/messages/${moved}`, {
      stream_id: noisyId,
      topic: 'two',
      propagate_mode: 'change_all',
    }),
  );
  await setTopic(ada, publicId, 'one', FOLLOWED);
  await setTopic(ada, noisyId, 'TWO', FOLLOWED);
  await setTopic(ada, publicId, 'three', MUTED);
  await setTopic(ada, noisyId, 'four', UNMUTED);
  ok(
    await ada.client.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: noisyId, property: 'is_muted', value: true }],
    }),
  );
  await unsubscribe(ada, 'left');
  ok(
    await bob.client.post('/users/me/subscriptions', {
      subscriptions: [{ name: CHANNELS.protected.name }],
      principals: [late.id],
    }),
  );
});

const topicOf = ({ subject }: MessageObject) => subject.toLowerCase();
const isUnread = ({ flags = [] }: MessageObject) => !flags.includes('read');
const is = (operand: string, negated = false) => ({ operator: 'is', operand, negated });

const isFollowed = (one: MessageObject) =>
  (one.stream_id === world.publicId && topicOf(one) === 'one') ||
  (one.stream_id === noisyId && topicOf(one) === 'two');
const isMuted = (one: MessageObject) =>
  (one.stream_id === world.publicId && topicOf(one) === 'three') ||
  (one.stream_id === noisyId && !['two', 'four'].includes(topicOf(one)));

const NARROWS: readonly [string, () => readonly unknown[], (one: MessageObject) => boolean][] = [
  ['all', () => [], () => true],
  ['is:unread', () => [is('unread')], isUnread],
  ['not unread', () => [is('unread', true)], (one) => !isUnread(one)],
  ['is:followed', () => [is('followed')], isFollowed],
  ['is:muted', () => [is('muted')], isMuted],
  ['is:dm', () => [is('dm')], (one) => one.type === 'private'],
  [
    'a topic of any channel',
    () => [{ operator: 'topic', operand: 'ONE' }],
    (one) => one.type === 'stream' && topicOf(one) === 'one',
  ],
  [
    'unread in a channel',
    () => [{ operator: 'channel', operand: noisyId }, is('unread')],
    (one) => one.stream_id === noisyId && isUnread(one),
  ],
  [
    'read in a channel',
    () => [{ operator: 'channel', operand: noisyId }, is('unread', true)],
    (one) => one.stream_id === noisyId && !isUnread(one),
  ],
  [
    'followed and unread',
    () => [is('followed'), is('unread')],
    (one) => isFollowed(one) && isUnread(one),
  ],
  [
    'not muted, unread',
    () => [is('unread'), is('muted', true)],
    (one) => isUnread(one) && !isMuted(one),
  ],
];

describe.each(NARROWS)('%s', (_name, narrow, isMeant) => {
  it.each([
    [3, 0],
    [0, 3],
    [2, 2],
    [50, 50],
  ])('has the pages of a full list, %i before and %i after', async (before, after) => {
    for (const actor of [world.ada, late]) {
      const all = await fetchAll(actor);
      const meant = idsOf(all.filter(actor === world.ada ? isMeant : () => true));
      const asked = actor === world.ada ? narrow() : [];
      for (const anchor of [
        0,
        ...idsOf(all).filter((_, n) => n % 9 === 0),
        10_000_000_000_000_000,
      ]) {
        const params = { anchor, num_before: before, num_after: after, narrow: asked };
        const body = ok(await actor.client.get('/messages', params));
        const older = meant.filter((id) => id < anchor);
        const newer = meant.filter((id) => id > anchor);
        expect(idsOf(body['messages'] as MessageObject[])).toEqual([
          ...older.slice(Math.max(0, older.length - before)),
          ...meant.filter((id) => id === anchor),
          ...newer.slice(0, after),
        ]);
        expect(body['found_oldest']).toBe(anchor === 0 || older.length < before);
      }
    }
  });

  it('begins at the first unread message', async () => {
    const meant = (await fetchAll(world.ada)).filter((one) => isMeant(one) && isUnread(one));
    const params = { anchor: 'first_unread', num_after: 1, narrow: narrow() };
    const body = ok(await world.ada.client.get('/messages', params));
    expect(body['anchor']).toBe(meant[0]?.id ?? 10_000_000_000_000_000);
  });
});

it('what was said before somebody came is not among the messages of a topic', async () => {
  const before = await fetchAll(world.bob, [{ operator: 'channel', operand: world.protectedId }]);
  expect(before.length).toBeGreaterThan(0);
  await setTopic(late, world.protectedId, 'one', FOLLOWED);
  await setTopic(late, world.protectedId, 'two', MUTED);
  for (const narrow of [
    [is('followed')],
    [is('muted')],
    [is('unread')],
    [is('unread', true)],
    [{ operator: 'topic', operand: 'one' }],
  ]) {
    const seen = idsOf(await fetchAll(late, narrow));
    expect(seen.filter((id) => idsOf(before).includes(id))).toEqual([]);
  }
});

it('a date is found although ids and times may be in another order', async () => {
  const all = await fetchAll(world.ada);
  const [early, other] = [all[20], all[21]];
  if (early === undefined || other === undefined) throw new Error('There are too few messages.');
  const at = async (id: number, time: string) =>
    world.server.ctx.database.pool.query('UPDATE messages SET sent_at = $2 WHERE id = $1', [
      id,
      time,
    ]);
  for (const [n, { id }] of all.entries()) {
    await at(id, new Date(Date.UTC(2020, 0, 1 + n)).toISOString());
  }
  const day = (n: number, more = 0) => new Date(Date.UTC(2020, 0, 1 + n) + more).toISOString();
  // The later id has the earlier time.
  await at(early.id, day(20, 2000));
  await at(other.id, day(20, 1000));
  const anchorAt = async (date: string) =>
    ok(
      await world.ada.client.get('/messages', { anchor: 'date', anchor_date: date, num_after: 1 }),
    )['anchor'];
  expect(await anchorAt(day(20, 1500))).toBe(early.id);
  expect(await anchorAt(day(20))).toBe(early.id);
  expect(await anchorAt(day(5, 1))).toBe(all[6]?.id);
  expect(await anchorAt(day(-3))).toBe(all[0]?.id);
  expect(await anchorAt(day(9000))).toBe(10_000_000_000_000_000);
});
