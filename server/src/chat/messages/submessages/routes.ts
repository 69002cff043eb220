import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { addSubmessage } from './actions.ts';

export const postSubmessage = chatRoute({
  name: 'send-submessage',
  method: 'POST',
  path: '/submessage',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Votes in a poll, adds to a to-do list, and such.',
  params: Type.Object({
    message_id: Type.Integer(),
    msg_type: Type.String({ maxLength: 100 }),
    content: Type.String({ maxLength: 10_000, description: 'JSON' }),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { message_id, msg_type, content }) => {
    await addSubmessage(ctx, actor, message_id, msg_type, content);
    return {};
  },
});
