import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { RECIPIENTS_MAX } from '../sending/recipients.ts';
import { tellTypingDirectly, tellTypingEdit, tellTypingInChannel } from './actions.ts';

const op = Type.Union([Type.Literal('start'), Type.Literal('stop')]);

const isDirect = ({ type = 'direct' }: Readonly<Record<string, unknown>>) => type === 'direct';
const isForChannel = (before: Readonly<Record<string, unknown>>) => !isDirect(before);

export const postTyping = chatRoute({
  name: 'set-typing-status',
  method: 'POST',
  path: '/typing',
  allow: 'guest',
  audit: { none: 'signal' },
  summary: 'Tells others that you began or stopped typing a message.',
  params: Type.Object({
    op,
    type: Type.Optional(
      Type.Union([Type.Literal('direct'), Type.Literal('stream'), Type.Literal('channel')], {
        default: 'direct',
      }),
    ),
    to: Type.Optional(
      Type.Union([Type.Array(Type.Integer(), { maxItems: RECIPIENTS_MAX }), Type.Null()], {
        'x-ignored': isForChannel,
        description: 'Of a direct message: the ids of the recipients; otherwise ignored.',
      }),
    ),
    stream_id: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], {
        'x-ignored': isDirect,
        description: 'Of a channel message; otherwise ignored.',
      }),
    ),
    topic: Type.Optional(
      Type.String({
        'x-alias': 'subject',
        'x-strip': true,
        'x-ignored': isDirect,
        description: 'Of a channel message; otherwise ignored.',
      }),
    ),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { op, type = 'direct', to, stream_id, topic }) => {
    if (type === 'direct') await tellTypingDirectly(ctx, actor, op, to ?? undefined);
    else await tellTypingInChannel(ctx, actor, op, stream_id ?? undefined, topic);
    return {};
  },
});

export const postTypingEdit = chatRoute({
  name: 'set-typing-status-for-message-edit',
  method: 'POST',
  path: '/messages/{message_id:int}/typing',
  allow: 'guest',
  audit: { none: 'signal' },
  summary: 'Tells others that you began or stopped changing a message.',
  params: Type.Object({ op }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { message_id, op }) => {
    await tellTypingEdit(ctx, actor, op, message_id);
    return {};
  },
});
