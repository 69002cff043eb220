import { Type } from 'typebox';
import { badRequest, missingParameter } from '../../http/errors.ts';
import { chatRoute } from '../../http/route.ts';
import { LIMITS } from '../../limits.ts';
import { setTopicMuted, setUserTopic } from './actions.ts';
import { VISIBILITY } from './automatic-rules.ts';

const topic = Type.String({ 'x-alias': 'subject', maxLength: LIMITS.max_topic_length });

export const postUserTopics = chatRoute({
  name: 'update-user-topic',
  method: 'POST',
  path: '/user_topics',
  allow: 'guest',
  audit: { none: 'own settings' },
  summary: 'Mutes, unmutes or follows a topic for yourself.',
  params: Type.Object({
    stream_id: Type.Integer(),
    topic,
    visibility_policy: Type.Union(
      Object.values(VISIBILITY).map((policy) => Type.Literal(policy)),
      { description: '0 as the channel is, 1 muted, 2 unmuted, 3 followed' },
    ),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, params) => {
    await setUserTopic(ctx, actor, params.stream_id, params.topic, params.visibility_policy);
    return {};
  },
});

export const patchMutedTopics = chatRoute({
  name: 'mute-topic',
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  allow: 'guest',
  audit: { none: 'own settings' },
  summary: 'The older way to mute a topic or to end that.',
  params: Type.Object({
    stream_id: Type.Optional(Type.Integer()),
    stream: Type.Optional(Type.String()),
    topic,
    op: Type.Union([Type.Literal('add'), Type.Literal('remove')]),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { stream_id, stream, topic: name, op }) => {
    if (stream_id !== undefined && stream !== undefined) {
      throw badRequest("Please choose one: 'stream' or 'stream_id'.");
    }
    const channel = stream_id ?? stream;
    if (channel === undefined) throw missingParameter('stream_id');
    await setTopicMuted(ctx, actor, channel, name, op === 'add');
    return {};
  },
});
