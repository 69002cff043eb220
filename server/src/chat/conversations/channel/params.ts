// The parameters of both routes that create channels.
import { Type } from 'typebox';
import { permissionParams } from '../../rights/permissions/params.ts';

export const TopicsPolicyParam = Type.Union(
  [
    Type.Literal('inherit'),
    Type.Literal('allow_empty_topic'),
    Type.Literal('disable_empty_topic'),
    Type.Literal('empty_topic_only'),
  ],
  { 'x-quoted': true },
);

export const RetentionParam = Type.Union([Type.Integer(), Type.String()], {
  'x-quoted': true,
  description: 'Days, or one of the words unlimited and realm_default.',
});

/** The history of a public channel is always public: a request to protect it is refused. */
const isClosedPastOfPublic = (before: Readonly<Record<string, unknown>>, value: unknown) =>
  before['invite_only'] !== true && value === false;

export const CHANNEL_PARAMS = {
  invite_only: Type.Optional(Type.Boolean({ default: false })),
  is_web_public: Type.Optional(Type.Boolean({ default: false })),
  is_default_stream: Type.Optional(Type.Boolean({ default: false })),
  folder_id: Type.Optional(Type.Integer()),
  topics_policy: Type.Optional(TopicsPolicyParam),
  history_public_to_subscribers: Type.Optional(
    Type.Boolean({
      'x-unsupported': isClosedPastOfPublic,
      description: 'False is for private channels; of a public one it is reported as unsupported.',
    }),
  ),
  default_push_notifications: Type.Optional(Type.Boolean({ default: false })),
  message_retention_days: Type.Optional(RetentionParam),
  ...permissionParams('channel'),
};
