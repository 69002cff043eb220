import { Type } from 'typebox';
import { reachesMessage, reachOf } from '../../../accounts/chat-keys/scope.ts';
import { shownTopic } from '../../conversations/topics/shown.ts';
import { badRequest } from '../../http/errors.ts';
import { hostOf } from '../../../platform/context.ts';
import { readByMemory, type FactReader } from '../../../platform/facts/memory.ts';
import { chatRoute } from '../../http/route.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import { readSight } from '../../rights/sight/access.ts';
import { costOfNarrow } from '../narrow/cost.ts';
import { NARROW_SAID, parseNarrow, TERMS_MAX } from '../narrow/terms.ts';
import { runNarrow } from '../narrow/admission.ts';
import { accessMessage } from '../message/access.ts';
import { makeLarge } from './large.ts';
import { listReaders } from './receipts.ts';
import { listTopics } from './topics.ts';
import { checkAnchorEnd, parseAnchor } from './anchor.ts';
import { invalidMessage } from '../message/errors.ts';
import {
  findPage,
  listReadableIds,
  measureMessages,
  readHistoryPolicy,
  showMessages,
  showPage,
} from './fetch.ts';
import { MessageObject } from '../message/object.ts';

const FETCH_MAX = 5000;
const IDS_MAX = 5000;
const count = Type.Optional(Type.Integer({ minimum: 0, default: 0 }));
const narrowParam = Type.Array(Type.Unknown(), {
  maxItems: TERMS_MAX,
  description: NARROW_SAID,
});

export const getMessages = chatRoute({
  name: 'get-messages',
  method: 'GET',
  path: '/messages',
  allow: 'guest',
  checksCaller: true,
  cost: ({ narrow, num_before = 0, num_after = 0, message_ids = [] }) =>
    costOfNarrow(narrow, Math.max(num_before + num_after, message_ids.length)),
  grows: 'page',
  summary: 'Messages of a narrow around an anchor, oldest first.',
  params: Type.Object({
    anchor: Type.Optional(
      Type.String({
        'x-quoted': true,
        description: 'An id, newest, oldest, first_unread, or date.',
      }),
    ),
    anchor_date: Type.Optional(Type.String({ 'x-quoted': true, description: 'ISO 8601' })),
    use_first_unread_anchor: Type.Optional(Type.Boolean({ default: false })),
    num_before: count,
    num_after: count,
    include_anchor: Type.Optional(Type.Boolean({ default: true })),
    narrow: Type.Optional(narrowParam),
    client_gravatar: Type.Optional(
      Type.Boolean({ default: true, description: 'Pictures are never at another service here.' }),
    ),
    apply_markdown: Type.Optional(Type.Boolean({ default: true })),
    message_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: IDS_MAX })),
    allow_empty_topic_name: Type.Optional(Type.Boolean({ default: false })),
  }),
  returns: Type.Object({
    messages: Type.Array(MessageObject),
    anchor: Type.Optional(Type.Integer()),
    found_anchor: Type.Boolean(),
    found_oldest: Type.Boolean(),
    found_newest: Type.Boolean(),
    history_limited: Type.Boolean(),
  }),
  handle: async (ctx, actor, params, { signal }) => {
    const options = {
      applyMarkdown: params.apply_markdown ?? true,
      allowsEmptyTopic: params.allow_empty_topic_name ?? false,
    };
    const narrow = parseNarrow(params.narrow ?? [], hostOf(ctx));
    if (params.message_ids !== undefined) {
      checkAlone(params);
      await ctx.facts.confirm();
      const ids = await listReadableIds(
        ctx.db,
        actor,
        params.message_ids,
        ctx.config.CHAT_PAGE_BYTES,
      );
      return {
        messages: await showMessages(ctx.db, await readSight(ctx, ctx.db, actor), ids, options),
        found_anchor: false,
        found_oldest: false,
        found_newest: false,
        history_limited: false,
      };
    }
    const { num_before = 0, num_after = 0, include_anchor = true } = params;
    const anchor = parseAnchor(
      params.anchor,
      params.use_first_unread_anchor ?? false,
      params.anchor_date,
    );
    if (num_before + num_after > FETCH_MAX) {
      throw badRequest(`Too many messages requested (maximum ${FETCH_MAX}).`);
    }
    checkAnchorEnd(include_anchor, num_before, num_after);
    const read = async (facts: FactReader) => {
      // Both are read before the page, whose statement checks them.
      const sight = await readSight(ctx, facts.db, actor);
      const historyPolicy = await readHistoryPolicy(facts.db);
      const page = await findPage(facts, actor, {
        anchor,
        before: num_before,
        after: num_after,
        includesAnchor: include_anchor,
        narrow,
        bytesMax: ctx.config.CHAT_PAGE_BYTES,
        text: options.applyMarkdown ? 'html' : 'markdown',
      });
      return {
        messages: await makeLarge(page.bytes, () =>
          showPage(facts.db, page, { ...options, sight, historyPolicy }),
        ),
        anchor: page.anchor,
        found_anchor: page.foundAnchor,
        found_oldest: page.foundOldest,
        found_newest: page.foundNewest,
        history_limited: false,
      };
    };
    return runNarrow(ctx, actor, { terms: narrow, signal }, (db) =>
      readByMemory(ctx.facts, db, read),
    );
  },
});

/** A request names messages by ids or by a narrow, not by both. */
function checkAlone(params: Readonly<Record<string, unknown>>): void {
  const others = ['num_before', 'num_after', 'anchor', 'include_anchor', 'use_first_unread_anchor'];
  if (others.every((name) => params[name] === undefined)) return;
  const parameters =
    'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor';
  throw badRequest(`Unsupported parameter combination: ${parameters}`, { parameters });
}

export const getMessage = chatRoute({
  name: 'get-message',
  method: 'GET',
  path: '/messages/{message_id:int}',
  allow: 'guest',
  grows: 'page',
  summary: 'One message.',
  params: Type.Object({
    apply_markdown: Type.Optional(Type.Boolean({ default: true })),
    allow_empty_topic_name: Type.Optional(Type.Boolean({ default: false })),
  }),
  returns: Type.Object({ message: MessageObject, raw_content: Type.String() }),
  handle: async (ctx, actor, params, { scope }) => {
    const { message } = await accessMessage(ctx.db, actor, params.message_id);
    if (!reachesMessage(reachOf(scope), message.channelId)) throw invalidMessage();
    const options = {
      applyMarkdown: params.apply_markdown ?? true,
      allowsEmptyTopic: params.allow_empty_topic_name ?? false,
    };
    const sight = await readSight(ctx, ctx.db, actor);
    // One message may be as large as a page, for example with the votes of a poll.
    const [object] = await makeLarge(await measureMessages(ctx.db, [message.id]), () =>
      showMessages(ctx.db, sight, [message.id], options),
    );
    if (object === undefined) throw invalidMessage();
    return { message: object, raw_content: message.content };
  },
});

export const getTopics = chatRoute({
  name: 'get-stream-topics',
  method: 'GET',
  path: '/users/me/{stream_id:int}/topics',
  allow: 'guest',
  grows: 'page',
  summary: 'The topics of a channel, the one with the newest message first.',
  params: Type.Object({
    allow_empty_topic_name: Type.Optional(Type.Boolean({ default: false })),
  }),
  returns: Type.Object({
    topics: Type.Array(Type.Object({ name: Type.String(), max_id: Type.Integer() })),
  }),
  handle: async (ctx, actor, { stream_id, allow_empty_topic_name = false }) => {
    const topics = await listTopics(ctx.db, actor, stream_id);
    return {
      topics: topics.map(({ name, max_id }) => ({
        name: shownTopic(name, allow_empty_topic_name),
        max_id,
      })),
    };
  },
});

export const getReadReceipts = chatRoute({
  name: 'get-read-receipts',
  method: 'GET',
  path: '/messages/{message_id:int}/read_receipts',
  allow: 'guest',
  grows: 'organization',
  summary: 'Who has read a message.',
  params: Type.Object({}),
  returns: Type.Object({ user_ids: Type.Array(Type.Integer()) }),
  handle: async (ctx, actor, { message_id }) => {
    const { message } = await accessMessage(ctx.db, actor, message_id);
    const settings = await readOrganizationSettings(ctx.db);
    if (settings['enable_read_receipts'] === false) {
      throw badRequest('Read receipts are disabled in this organization.');
    }
    return { user_ids: await listReaders(ctx.db, message) };
  },
});
