// The routes of event queues: register, poll and delete.
import { Type, type Static } from 'typebox';
import { keyScope } from '../../../accounts/chat-keys/errors.ts';
import { isSameReach, reachIn, reachOf } from '../../../accounts/chat-keys/scope.ts';
import { ROLE } from '../../../accounts/roles.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { wantsExpansion } from '../../../platform/realtime/expander.ts';
import { withMutedTopics } from '../../conversations/topics/muted-topics.ts';
import { RawJson } from '../../http/envelope.ts';
import { badRequest } from '../../http/errors.ts';
import { chatRoute } from '../../http/route.ts';
import { checkEventTypes } from './event-types.ts';
import { checkQueueNarrow, type NarrowTerm } from './narrow.ts';
import { register } from './register.ts';
import { TradingState } from './trading-state.ts';

const TYPES_MAX = 500;
const typeNames = Type.Array(Type.String({ maxLength: 100 }), { maxItems: TYPES_MAX });

const capability = (description: string) => Type.Optional(Type.Boolean({ description }));

const Capabilities = Type.Object({
  notification_settings_null: capability('Null for the notification settings of a channel.'),
  bulk_message_deletion: capability('One event for several deleted messages.'),
  user_avatar_url_field_optional: capability('Pictures of long-idle users may be left out.'),
  stream_typing_notifications: capability('Typing events of channels.'),
  user_settings_object: capability('Settings as one object; always so here.'),
  linkifier_url_template: capability('Linkifiers with URL templates.'),
  user_list_incomplete: capability('Users may be missing from the list.'),
  include_deactivated_groups: capability('Deactivated groups too.'),
  archived_channels: capability('Archived channels too.'),
  empty_topic_name: capability('The empty topic as an empty string.'),
  simplified_presence_events: capability('Presence events by user id.'),
  individual_emoji_changes: capability('One event for each changed emoji.'),
});

const NarrowPair = Type.Array(Type.String(), { maxItems: 2 });
const NarrowObject = Type.Object({ operator: Type.String(), operand: Type.String() });

const toTerm = (term: Static<typeof NarrowPair | typeof NarrowObject>): NarrowTerm => {
  if (!Array.isArray(term)) return term;
  const [operator, operand] = term;
  if (operator === undefined || operand === undefined) {
    throw badRequest('narrow must be a list of pairs of operator and operand');
  }
  return { operator, operand };
};

export const postRegister = chatRoute({
  name: 'register-queue',
  method: 'POST',
  path: '/register',
  allow: 'guest',
  cost: 'register',
  audit: { none: 'nothing' },
  grows: 'organization',
  summary: 'Opens an event queue and gives the state that its events start from.',
  params: Type.Object({
    apply_markdown: Type.Optional(Type.Boolean({ default: false })),
    client_gravatar: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    slim_presence: Type.Optional(Type.Boolean({ default: false })),
    include_subscribers: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false'), Type.Literal('partial')]),
    ),
    all_public_streams: Type.Optional(Type.Boolean()),
    event_types: Type.Optional(typeNames),
    fetch_event_types: Type.Optional(typeNames),
    narrow: Type.Optional(Type.Array(Type.Union([NarrowPair, NarrowObject]), { maxItems: 100 })),
    client_capabilities: Type.Optional(Capabilities),
    presence_history_limit_days: Type.Optional(Type.Integer()),
    idle_queue_timeout: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('mobile')], {
        'x-quoted': true,
        description: 'Seconds, or the word mobile.',
      }),
    ),
  }),
  returns: Type.Object({
    queue_id: Type.String(),
    last_event_id: Type.Integer(),
    idle_queue_timeout_secs: Type.Integer(),
    zulip_version: Type.String(),
    zulip_feature_level: Type.Integer(),
    zulip_merge_base: Type.String(),
    trading: Type.Optional(TradingState),
  }),
  handle: (ctx, actor, params, { scope }) => {
    if (params.all_public_streams === true && actor.role === ROLE.guest) {
      throw badRequest('User not authorized for this query');
    }
    const eventTypes = params.event_types ?? null;
    if (eventTypes !== null) checkEventTypes(eventTypes, ctx.hub.expander?.yields);
    const wanted = { eventTypes: eventTypes && new Set(eventTypes) };
    // A key with a scope is for the chat alone: it does not stand for its owner.
    if (scope !== undefined && wantsExpansion(ctx.hub.expander, wanted)) throw keyScope();
    const narrow = (params.narrow ?? []).map(toTerm);
    checkQueueNarrow(narrow);
    const reach = reachOf(scope);
    // The state is the owner's, so a key that reaches less gets none of it.
    const types = reach === undefined ? (params.fetch_event_types ?? params.event_types) : [];
    const {
      notification_settings_null = false,
      archived_channels = false,
      include_deactivated_groups = false,
      empty_topic_name = false,
      simplified_presence_events = false,
      linkifier_url_template = false,
      user_list_incomplete = false,
    } = params.client_capabilities ?? {};
    return register(ctx, actor, {
      eventTypes,
      types: types && new Set(types),
      idleSeconds: params.idle_queue_timeout,
      filter: {
        narrow,
        applyMarkdown: params.apply_markdown ?? false,
        clientGravatar: params.client_gravatar ?? true,
        slimPresence: params.slim_presence ?? false,
        allPublicChannels: params.all_public_streams ?? false,
        capabilities: params.client_capabilities ?? {},
        ...(reach !== undefined && { reach }),
      },
      includeSubscribers: params.include_subscribers ?? 'false',
      includeArchived: archived_channels,
      includeDeactivatedGroups: include_deactivated_groups,
      allowsNullNotifications: notification_settings_null,
      knowsEmptyTopics: empty_topic_name,
      knowsIncompleteLists: user_list_incomplete,
      knowsLinkifiers: linkifier_url_template,
      presence: {
        isSlim: params.slim_presence === true || simplified_presence_events,
        historyDays: params.presence_history_limit_days,
      },
    });
  },
});

export const getEvents = chatRoute({
  name: 'get-events',
  method: 'GET',
  path: '/events',
  allow: 'guest',
  budget: 'polls',
  grows: 'page',
  summary: 'Waits for events, acknowledging those up to last_event_id.',
  params: Type.Object({
    queue_id: Type.String(),
    last_event_id: Type.Integer(),
    dont_block: Type.Optional(Type.Boolean({ default: false })),
  }),
  returns: Type.Object({
    events: Type.Array(Type.Object({ id: Type.Integer(), type: Type.String() })),
    queue_id: Type.String(),
  }),
  handle: async (ctx, actor, { queue_id, last_event_id, dont_block = false }, call) => {
    const result = await ctx.hub.poll({
      queueId: queue_id,
      userId: actor.id,
      lastEventId: last_event_id,
      dontBlock: dont_block,
      signal: call.signal,
      // A queue holds what the key reached that opened it: keys that reach more or less have others.
      accepts: (queue) =>
        isSameReach(reachOf(call.scope), reachIn(queue.filter)) &&
        (call.scope === undefined || !wantsExpansion(ctx.hub.expander, queue)),
    });
    if (result === 'bad queue') throw badQueue(queue_id);
    const filled = withMutedTopics(ctx.db, actor.id, result.events);
    const events = typeof filled === 'string' ? filled : await filled;
    return { events: new RawJson(events), queue_id };
  },
});

export const deleteEvents = chatRoute({
  name: 'delete-queue',
  method: 'DELETE',
  path: '/events',
  allow: 'guest',
  audit: { none: 'nothing' },
  summary: 'Closes an event queue.',
  params: Type.Object({ queue_id: Type.String() }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { queue_id }) => {
    if (!(await ctx.hub.close(queue_id, actor.id))) throw badQueue(queue_id);
    return {};
  },
});

/** Unknown, deleted, expired, or somebody else's: the answer does not say which. */
const badQueue = (queueId: string) =>
  new Refusal({
    code: 'BAD_EVENT_QUEUE_ID',
    message: `Bad event queue ID: ${queueId}`,
    status: 400,
    fields: { queue_id: queueId },
  });
