// Unread messages in a client's initial state, and how events change that state.
import type { Db } from '../../../platform/db/pool.ts';
import { shownTopic } from '../../conversations/topics/shown.ts';
import type { MessagesDeleted, MessageSent, MessageUpdated } from '../message/events.ts';
import { VISIBILITY } from '../../conversations/topics/automatic-rules.ts';
import type { RegisterPart } from '../../register-part.ts';
import { groupUnreadMessages } from '../unread/access.ts';
import { FLAG_EVENTS, type FlagsEvent } from './events.ts';

export interface UnreadState {
  /** Without muted messages. */
  readonly count: number;
  readonly pms: readonly {
    readonly other_user_id: number;
    readonly sender_id: number;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly streams: readonly {
    readonly stream_id: number;
    readonly topic: string;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly huddles: readonly {
    readonly user_ids_string: string;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly mentions: readonly number[];
  readonly old_unreads_missing: boolean;
}

/** What the state keeps of one unread message. */
interface Unread {
  readonly id: number;
  readonly isMentioned: boolean;
  /** Null for a message of a channel. */
  readonly people: readonly number[] | null;
  readonly channelId: number | null;
  readonly topic: string;
}

async function loadUnread(db: Db, userId: number, allowsEmptyTopic: boolean): Promise<UnreadState> {
  const { groups, isWhole } = await groupUnreadMessages(db, userId);
  const shown = groups.map((group) => ({
    ...group,
    topic: group.channelId === null ? '' : shownTopic(group.topic, allowsEmptyTopic),
  }));
  const notMuted = groups.filter(({ isMuted }) => !isMuted);
  return {
    ...toState(userId, shown),
    count: notMuted.reduce((sum, { ids }) => sum + ids.length, 0),
    old_unreads_missing: !isWhole,
  };
}

/** Unread messages of one topic or of one direct conversation. */
interface Group {
  readonly channelId: number | null;
  readonly people: readonly number[] | null;
  readonly topic: string;
  /** Ascending. */
  readonly ids: readonly number[];
  readonly mentionedIds: readonly number[];
}

/** The API's form. A topic is spelled as in its first message. */
function toState(userId: number, groups: readonly Group[]): Omit<UnreadState, 'count'> {
  const ofTopics = Map.groupBy(
    groups.filter(({ channelId }) => channelId !== null),
    ({ channelId, topic }) => `${channelId}:${topic.toLowerCase()}`,
  );
  const conversations = groups.flatMap(({ people, ids }) =>
    people === null ? [] : { people, ids },
  );
  return {
    pms: conversations
      .filter(({ people }) => people.length <= 2)
      .map(({ ids, people }) => {
        const other = people.find((id) => id !== userId) ?? userId;
        return { other_user_id: other, sender_id: other, unread_message_ids: ids };
      })
      .sort((a, b) => a.other_user_id - b.other_user_id),
    streams: [...ofTopics.values()]
      .map((spellings) => {
        const [first, ...others] = spellings.sort((a, b) => (a.ids[0] ?? 0) - (b.ids[0] ?? 0));
        return {
          stream_id: first?.channelId ?? 0,
          topic: first?.topic ?? '',
          unread_message_ids:
            others.length === 0
              ? (first?.ids ?? [])
              : ascending(spellings.flatMap(({ ids }) => ids)),
        };
      })
      .sort((a, b) => a.stream_id - b.stream_id || compare(a.topic, b.topic)),
    huddles: conversations
      .filter(({ people }) => people.length > 2)
      .map(({ ids, people }) => ({ user_ids_string: people.join(','), unread_message_ids: ids }))
      .sort((a, b) => compare(a.user_ids_string, b.user_ids_string)),
    mentions: ascending(groups.flatMap(({ mentionedIds }) => mentionedIds)),
    old_unreads_missing: false,
  };
}

const ascending = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Other parts of a client's state that decide whether a message counts. */
interface MuteState {
  readonly user_id: number;
  readonly unread_msgs: UnreadState;
  readonly subscriptions: readonly { readonly stream_id: number; readonly is_muted: boolean }[];
  readonly user_topics: readonly {
    readonly stream_id: number;
    readonly topic_name: string;
    readonly visibility_policy: number;
  }[];
}

function fromState(state: MuteState): Unread[] {
  const { pms, streams, huddles, mentions } = state.unread_msgs;
  const mentioned = new Set(mentions);
  const unread: Unread[] = [];
  const add = (ids: readonly number[], rest: Omit<Unread, 'id' | 'isMentioned'>) => {
    for (const id of ids) unread.push({ id, isMentioned: mentioned.has(id), ...rest });
  };
  const none = { channelId: null, topic: '' };
  for (const { other_user_id, unread_message_ids } of pms) {
    const people = [...new Set([state.user_id, other_user_id])].sort((a, b) => a - b);
    add(unread_message_ids, { ...none, people });
  }
  for (const { user_ids_string, unread_message_ids } of huddles) {
    add(unread_message_ids, { ...none, people: user_ids_string.split(',').map(Number) });
  }
  for (const { stream_id, topic, unread_message_ids } of streams) {
    add(unread_message_ids, { people: null, channelId: stream_id, topic });
  }
  return unread.sort((a, b) => a.id - b.id);
}

function withUnread(state: MuteState, unread: readonly Unread[]): UnreadState {
  const sorted = [...unread].sort((a, b) => a.id - b.id);
  const next = toState(state.user_id, groupsOf(sorted));
  return { ...next, count: sorted.filter((one) => !isMuted(state, one)).length };
}

function groupsOf(unread: readonly Unread[]): Group[] {
  const together = Map.groupBy(unread, ({ channelId, people, topic }) =>
    JSON.stringify([channelId, people, topic]),
  );
  return [...together.values()].map((own) => ({
    channelId: own[0]?.channelId ?? null,
    people: own[0]?.people ?? null,
    topic: own[0]?.topic ?? '',
    ids: own.map(({ id }) => id),
    mentionedIds: own.filter(({ isMentioned }) => isMentioned).map(({ id }) => id),
  }));
}

function isMuted(state: MuteState, { channelId, topic }: Unread): boolean {
  if (channelId === null) return false;
  const policy = state.user_topics.find(
    (row) => row.stream_id === channelId && row.topic_name.toLowerCase() === topic.toLowerCase(),
  )?.visibility_policy;
  if (policy === VISIBILITY.muted) return true;
  if (policy === VISIBILITY.unmuted || policy === VISIBILITY.followed) return false;
  return state.subscriptions.some((row) => row.stream_id === channelId && row.is_muted);
}

type UnreadEvent = MessageSent | MessageUpdated | MessagesDeleted | FlagsEvent;

function applyUnreadEvent(state: MuteState, event: UnreadEvent): UnreadState {
  const unread = fromState(state);
  switch (event.type) {
    case 'message':
      return withUnread(state, arrived(state, unread, event));
    case 'update_message':
      return withUnread(state, updated(state, unread, event));
    case 'delete_message': {
      const gone = new Set(event.message_ids ?? [event.message_id]);
      return withUnread(
        state,
        unread.filter(({ id }) => !gone.has(id)),
      );
    }
    default:
      return withUnread(state, flagged(state, unread, event));
  }
}

/** Counts again after another change: a channel was left, or something was muted. */
function recountUnread(state: MuteState): UnreadState {
  const here = new Set(state.subscriptions.map(({ stream_id }) => stream_id));
  const unread = fromState(state);
  return withUnread(
    state,
    unread.filter(({ channelId }) => channelId === null || here.has(channelId)),
  );
}

function arrived(state: MuteState, unread: readonly Unread[], event: MessageSent): Unread[] {
  const { message, flags } = event;
  const { display_recipient: recipient, stream_id: channelId = null } = message;
  const isHere =
    channelId === null || state.subscriptions.some(({ stream_id }) => stream_id === channelId);
  if (flags.includes('read') || !isHere) return [...unread];
  const people = typeof recipient === 'string' ? null : recipient.map(({ id }) => id);
  return [
    ...unread,
    {
      id: message.id,
      isMentioned: flags.some((flag) => flag.endsWith('mentioned')),
      people,
      channelId,
      topic: message.subject,
    },
  ];
}

function updated(state: MuteState, unread: readonly Unread[], event: MessageUpdated): Unread[] {
  const moved = new Set(event.message_ids);
  const here = new Set(state.subscriptions.map(({ stream_id }) => stream_id));
  const changed = unread.map((one) => {
    const { subject, new_stream_id: channelId } = event;
    const placed = moved.has(one.id)
      ? { ...one, topic: subject ?? one.topic, channelId: channelId ?? one.channelId }
      : one;
    if (one.id !== event.message_id) return placed;
    return { ...placed, isMentioned: event.flags.some((flag) => flag.endsWith('mentioned')) };
  });
  // A message that moved to a channel without a subscription is not unread any more.
  return changed.filter(({ channelId }) => channelId === null || here.has(channelId));
}

function flagged(state: MuteState, unread: readonly Unread[], event: FlagsEvent): Unread[] {
  if (event.flag !== 'read') return [...unread];
  if (event.op === 'add') {
    const read = new Set(event.messages);
    return event.all ? [] : unread.filter(({ id }) => !read.has(id));
  }
  const known = new Set(unread.map(({ id }) => id));
  const details = Object.entries(event.message_details ?? {});
  const again = details
    .filter(([id]) => !known.has(Number(id)))
    .map(([id, one]) => ({
      id: Number(id),
      isMentioned: one.mentioned === true,
      people:
        one.user_ids === undefined
          ? null
          : [...new Set([state.user_id, ...one.user_ids])].sort((a, b) => a - b),
      channelId: one.stream_id ?? null,
      topic: one.topic ?? '',
    }));
  return [...unread, ...again];
}

const apply = (state: MuteState, event: UnreadEvent) => ({
  unread_msgs: applyUnreadEvent(state, event),
});

const recount = (state: MuteState) => ({ unread_msgs: recountUnread(state) });

export const readStatePart = {
  load: {
    /** A client that does not fetch messages has no use for what is unread. */
    update_message_flags: async ({ db, user, options, wants }) =>
      wants('message')
        ? { unread_msgs: await loadUnread(db, user.id, options.knowsEmptyTopics) }
        : {},
  },
  events: FLAG_EVENTS,
  applyInTests: { update_message_flags: apply },
  followInTests: {
    message: apply,
    update_message: apply,
    delete_message: apply,
    subscription: recount,
    user_topic: recount,
  },
} satisfies RegisterPart;
