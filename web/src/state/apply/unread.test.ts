// Unread messages under random events: the index against a list that is kept the naive way.
import type { QueueEvent } from '@rialto/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleChannel, exampleMessage, OWN_ID } from '../example.ts';
import { keyOf, topicOf } from '../keys.ts';
import { unreadCounts } from '../select.ts';
import { emptyState, touch, type State } from '../state.ts';
import { apply } from './apply.ts';

interface Naive {
  readonly key: string;
  readonly channelId: number;
  readonly isMentioned: boolean;
  /** Moved to a channel without a subscription: not unread there, and unread again when it comes back. */
  readonly isAway: boolean;
}

const CHANNELS = [1, 2, 3];
const TOPICS = ['a', 'A', 'b', ''];

const step = fc.record({
  kind: fc.constantFrom(
    'send',
    'send',
    'send',
    'read',
    'unread',
    'move',
    'delete',
    'leave',
    'join',
  ),
  channelId: fc.constantFrom(...CHANNELS),
  topic: fc.constantFrom(...TOPICS),
  ids: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
  isMentioned: fc.boolean(),
});

interface Step {
  readonly kind: string;
  readonly channelId: number;
  readonly topic: string;
  readonly ids: readonly number[];
  readonly isMentioned: boolean;
}

function eventOf({ kind, channelId, topic, ids, isMentioned }: Step, nextId: number): object {
  switch (kind) {
    case 'send': {
      const message = exampleMessage({ id: nextId, stream_id: channelId, subject: topic });
      return { type: 'message', message, flags: isMentioned ? ['mentioned'] : [] };
    }
    case 'read':
      return { type: 'update_message_flags', op: 'add', flag: 'read', messages: ids, all: false };
    case 'unread': {
      const details = { type: 'stream', stream_id: channelId, topic, mentioned: isMentioned };
      const message_details = Object.fromEntries(ids.map((id) => [id, details]));
      return {
        type: 'update_message_flags',
        op: 'remove',
        flag: 'read',
        messages: ids,
        all: false,
        message_details,
      };
    }
    case 'move':
      return {
        type: 'update_message',
        message_id: ids[0],
        message_ids: ids,
        stream_id: 1,
        new_stream_id: channelId,
        subject: topic,
        flags: ['read'],
        edit_timestamp: 1,
        rendering_only: false,
      };
    case 'delete':
      return { type: 'delete_message', message_ids: ids, message_type: 'stream' };
    case 'leave':
      return { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: channelId }] };
    default:
      return { type: 'subscription', op: 'add', subscriptions: [exampleChannel(channelId)] };
  }
}

/** What the events say, without any index. */
function naively(
  unread: Map<number, Naive>,
  joined: Set<number>,
  { kind, channelId, topic, ids, isMentioned }: Step,
  nextId: number,
): void {
  const place = { key: keyOf(topicOf(channelId, topic), OWN_ID), channelId };
  const isHere = joined.has(channelId);
  switch (kind) {
    case 'send':
      if (isHere) unread.set(nextId, { ...place, isMentioned, isAway: false });
      return;
    case 'read':
    case 'delete':
      for (const id of ids) unread.delete(id);
      return;
    case 'unread':
      for (const id of ids) {
        const before = unread.get(id);
        const known = before?.isAway === false ? before : { ...place, isMentioned, isAway: false };
        unread.set(id, { ...known, isMentioned: known.isMentioned || isMentioned });
      }
      return;
    case 'move':
      for (const id of ids) {
        const known = unread.get(id);
        if (known !== undefined) unread.set(id, { ...known, ...place, isAway: !isHere });
      }
      return;
    case 'join':
      joined.add(channelId);
      for (const [id, one] of unread) {
        if (one.channelId === channelId) unread.set(id, { ...one, isAway: false });
      }
      return;
    default:
      joined.delete(channelId);
      for (const [id, one] of unread) {
        if (one.channelId === channelId && !one.isAway) unread.delete(id);
      }
  }
}

function indexOf(state: State): Map<number, Naive> {
  const found = new Map<number, Naive>();
  for (const { key, ids, conversation } of state.unreads.values()) {
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) {
      expect(state.unreadIndex.get(id)).toBe(key);
      const channelId = conversation.kind === 'topic' ? conversation.channelId : 0;
      found.set(id, { key, channelId, isMentioned: state.mentions.has(id), isAway: false });
    }
  }
  expect(state.unreadIndex.size).toBe(found.size);
  return found;
}

const sorted = (map: ReadonlyMap<number, Naive>) =>
  [...map]
    .filter(([, { isAway }]) => !isAway)
    .map(([id, { isAway: _no, ...one }]) => [id, one] as const)
    .sort(([a], [b]) => a - b);

describe('what is unread', () => {
  it('is what the events say, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const state = emptyState(OWN_ID);
        const joined = new Set<number>();
        const naive = new Map<number, Naive>();
        let nextId = 1;
        for (const channelId of CHANNELS) {
          const event = {
            type: 'subscription',
            op: 'add',
            subscriptions: [exampleChannel(channelId)],
          };
          touch(state, apply(state, event as unknown as QueueEvent, 0));
          joined.add(channelId);
        }
        for (const given of steps) {
          // Nothing happens to a message before it is sent.
          const one = { ...given, ids: given.ids.filter((id) => id < nextId) };
          const event = eventOf(one, nextId);
          touch(state, apply(state, event as unknown as QueueEvent, 0));
          naively(naive, joined, one, nextId);
          if (one.kind === 'send') nextId += 1;
          expect(sorted(indexOf(state))).toEqual(sorted(naive));
          expect(unreadCounts(state).total).toBe(sorted(naive).length);
        }
      }),
      { numRuns: 500 },
    );
  });
});
