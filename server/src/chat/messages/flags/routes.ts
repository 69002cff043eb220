import { Type } from 'typebox';
import { hostOf } from '../../../platform/context.ts';
import { readByMemory } from '../../../platform/facts/memory.ts';
import { chatRoute } from '../../http/route.ts';
import { checkAnchorEnd, parseAnchor } from '../fetching/anchor.ts';
import { findPage } from '../fetching/fetch.ts';
import { costOfNarrow } from '../narrow/cost.ts';
import { NARROW_SAID, parseNarrow, TERMS_MAX } from '../narrow/terms.ts';
import { runNarrow } from '../narrow/admission.ts';
import { normalizeTopic } from '../../conversations/topics/rules.ts';
import { changeFlags, checkFlag, checkOperation } from '../read-state/actions.ts';
import { markAllRead, markChannelRead } from '../read-state/bulk.ts';

const IDS_MAX = 5000;
const FETCH_MAX = 5000;
const op = Type.String({ description: 'add or remove' });
const flag = Type.String({ description: 'read, starred or collapsed' });
const ignored = Type.Array(Type.Integer(), {
  description: 'Channels in which nothing can be unread, as you are not subscribed.',
});

export const postFlags = chatRoute({
  name: 'update-message-flags',
  method: 'POST',
  path: '/messages/flags',
  allow: 'guest',
  checksCaller: true,
  audit: { none: 'own content' },
  grows: 'request',
  summary: 'Sets or takes one of your flags on messages.',
  params: Type.Object({ messages: Type.Array(Type.Integer(), { maxItems: IDS_MAX }), op, flag }),
  returns: Type.Object({
    messages: Type.Array(Type.Integer()),
    ignored_because_not_subscribed_channels: ignored,
  }),
  handle: async (ctx, actor, { messages, op, flag }) => {
    const operation = checkOperation(op);
    const { ignoredChannels } = await changeFlags(ctx, actor, messages, operation, checkFlag(flag));
    return { messages, ignored_because_not_subscribed_channels: ignoredChannels };
  },
});

export const postFlagsForNarrow = chatRoute({
  name: 'update-message-flags-for-narrow',
  method: 'POST',
  path: '/messages/flags/narrow',
  allow: 'guest',
  checksCaller: true,
  cost: ({ narrow, num_before, num_after }) => costOfNarrow(narrow, num_before + num_after),
  audit: { none: 'own content' },
  grows: 'request',
  summary: 'Sets or takes one of your flags on the messages of a narrow around an anchor.',
  params: Type.Object({
    anchor: Type.String({ 'x-quoted': true }),
    num_before: Type.Integer({ minimum: 0 }),
    num_after: Type.Integer({ minimum: 0 }),
    include_anchor: Type.Optional(Type.Boolean({ default: true })),
    narrow: Type.Union([
      Type.Array(Type.Unknown(), { maxItems: TERMS_MAX, description: NARROW_SAID }),
      Type.Null(),
    ]),
    op,
    flag,
  }),
  returns: Type.Object({
    processed_count: Type.Integer(),
    updated_count: Type.Integer(),
    first_processed_id: Type.Union([Type.Integer(), Type.Null()]),
    last_processed_id: Type.Union([Type.Integer(), Type.Null()]),
    found_oldest: Type.Boolean(),
    found_newest: Type.Boolean(),
    ignored_because_not_subscribed_channels: ignored,
  }),
  handle: async (ctx, actor, params, { signal }) => {
    const anchor = parseAnchor(params.anchor, false, undefined);
    const { include_anchor = true } = params;
    checkAnchorEnd(include_anchor, params.num_before, params.num_after);
    const operation = checkOperation(params.op);
    const named = checkFlag(params.flag);
    const before = Math.min(params.num_before, FETCH_MAX);
    const terms = parseNarrow(params.narrow ?? [], hostOf(ctx));
    const page = await runNarrow(ctx, actor, { terms, signal }, (db) =>
      readByMemory(ctx.facts, db, (facts) =>
        findPage(facts, actor, {
          anchor,
          before,
          after: Math.min(params.num_after, FETCH_MAX - before),
          includesAnchor: include_anchor,
          narrow: terms,
        }),
      ),
    );
    const { changed, ignoredChannels } = await changeFlags(ctx, actor, page.ids, operation, named);
    return {
      processed_count: page.ids.length,
      updated_count: changed.length,
      first_processed_id: page.ids[0] ?? null,
      last_processed_id: page.ids.at(-1) ?? null,
      found_oldest: page.foundOldest,
      found_newest: page.foundNewest,
      ignored_because_not_subscribed_channels: ignoredChannels,
    };
  },
});

export const postMarkAllRead = chatRoute({
  name: 'mark-all-as-read',
  method: 'POST',
  path: '/mark_all_as_read',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Marks everything as read. Prefer update-message-flags-for-narrow.',
  params: Type.Object({}),
  returns: Type.Object({
    complete: Type.Boolean({ description: 'False when the time was up; ask again.' }),
  }),
  handle: async (ctx, actor) => ({ complete: await markAllRead(ctx, actor) }),
});

export const postMarkStreamRead = chatRoute({
  name: 'mark-stream-as-read',
  method: 'POST',
  path: '/mark_stream_as_read',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Marks a channel as read. Prefer update-message-flags-for-narrow.',
  params: Type.Object({ stream_id: Type.Integer() }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { stream_id }) => {
    await markChannelRead(ctx, actor, stream_id);
    return {};
  },
});

export const postMarkTopicRead = chatRoute({
  name: 'mark-topic-as-read',
  method: 'POST',
  path: '/mark_topic_as_read',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Marks a topic as read. Prefer update-message-flags-for-narrow.',
  params: Type.Object({ stream_id: Type.Integer(), topic_name: Type.String() }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { stream_id, topic_name }) => {
    await markChannelRead(ctx, actor, stream_id, normalizeTopic(topic_name));
    return {};
  },
});
