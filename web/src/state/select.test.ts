// What selectors give, and that they give the identical value until something changed.
import type { QueueEvent } from '@rialto/sdk';
import { describe, expect, it } from 'vitest';
import { createCore, type Core } from './core.ts';
import { exampleChannel, exampleMessage, OWN_ID } from './example.ts';
import { directKey, topicKey, topicOf } from './keys.ts';
import {
  people,
  recentConversations,
  typingIn,
  unreadConversations,
  unreadCounts,
  unreadOf,
  unreadOfChannel,
  unreadTotal,
} from './select.ts';
import { takeSnapshot } from './snapshot.ts';

let lastId = 0;
const give = (core: Core, ...events: readonly object[]): void =>
  core.applyEvents(
    events.map((event) => ({ id: (lastId += 1), ...event })) as unknown as QueueEvent[],
  );

const join = (id: number, isMuted = false) => ({
  type: 'subscription',
  op: 'add',
  subscriptions: [exampleChannel(id, { is_muted: isMuted })],
});
const say = (id: number, channelId: number, topic: string, flags: readonly string[] = []) => ({
  type: 'message',
  message: exampleMessage({ id, stream_id: channelId, subject: topic }),
  flags,
});
const set = (channelId: number, topic: string, visibility: number) => ({
  type: 'user_topic',
  stream_id: channelId,
  topic_name: topic,
  visibility_policy: visibility,
  last_updated: 1,
});

function open(): Core {
  const core = createCore(OWN_ID);
  give(core, join(1), join(2, true), say(1, 1, 'plan'), say(2, 1, 'Plan', ['mentioned']));
  give(core, say(3, 2, 'noise'), say(4, 2, 'gold'), say(5, 1, 'dull'));
  return core;
}

describe('unread counts', () => {
  it('leave out muted channels and muted topics, and bring unmuted ones back', () => {
    const { state, ...core } = open();
    expect(unreadTotal(state)).toBe(3);
    give({ state, ...core }, set(2, 'Gold', 2), set(1, 'dull', 1));
    expect(unreadTotal(state)).toBe(3);
    expect(unreadOfChannel(state, 1)).toEqual({ count: 2, mutedCount: 1, mentions: 1 });
    expect(unreadOfChannel(state, 2)).toEqual({ count: 1, mutedCount: 1, mentions: 0 });
    expect(unreadOf(state, topicOf(1, 'PLAN'))).toBe(2);
    expect(unreadCounts(state).mentions).toBe(1);
  });

  it('are the identical value until something of theirs has changed', () => {
    const core = open();
    const before = unreadConversations(core.state);
    give(core, { type: 'alert_words', alert_words: ['gold'] });
    expect(unreadConversations(core.state)).toBe(before);
    give(core, say(6, 1, 'plan'));
    expect(unreadConversations(core.state)).not.toBe(before);
    expect(unreadConversations(core.state)[0]).toMatchObject({
      key: topicKey(1, 'plan'),
      count: 3,
    });
  });
});

describe('recent conversations', () => {
  it('are the latest first, direct ones among them', () => {
    const core = open();
    const people = [OWN_ID, 9].map((id) => ({
      id,
      email: '',
      full_name: '',
      is_mirror_dummy: false,
    }));
    const { stream_id: _channel, ...direct } = exampleMessage({
      id: 7,
      type: 'private',
      display_recipient: people,
    });
    give(core, { type: 'message', message: direct, flags: [] });
    const keys = recentConversations(core.state).map(({ key }) => key);
    expect(keys).toEqual([
      directKey(OWN_ID, [9]),
      topicKey(1, 'dull'),
      topicKey(2, 'gold'),
      topicKey(2, 'noise'),
      topicKey(1, 'plan'),
    ]);
  });
});

describe('typing', () => {
  it('ends with a message of the one who typed', () => {
    const core = open();
    const typing = {
      type: 'typing',
      op: 'start',
      message_type: 'stream',
      sender: { user_id: 2, email: '' },
      stream_id: 1,
      topic: 'plan',
    };
    give(core, typing);
    expect(typingIn(core.state, topicOf(1, 'Plan'))).toEqual([2]);
    give(core, say(8, 1, 'plan'));
    expect(typingIn(core.state, topicOf(1, 'plan'))).toEqual([]);
  });
});

describe('a snapshot for the disk', () => {
  it('keeps fifty messages of forty conversations, the latest, and no balances', () => {
    const core = open();
    for (let id = 10; id < 10 + 60; id += 1) give(core, say(id, 1, 'long'));
    for (let n = 0; n < 50; n += 1) give(core, say(100 + n, 1, `topic ${n}`));
    give(core, say(200, 1, 'long'));
    const { state } = takeSnapshot(core.state, 'queue', 1);
    const byKey = Map.groupBy(state.messages.values(), ({ key }) => key);
    expect(byKey.size).toBe(40);
    expect(byKey.get(topicKey(1, 'long'))).toHaveLength(50);
    expect(state.messages.has(200)).toBe(true);
    expect(state.unverified.size).toBe(state.messages.size);
    expect(state.venue.balances.size).toBe(0);
    expect(people(state)).toEqual([]);
  });
});
