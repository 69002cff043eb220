import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { addDefaultChannel, removeDefaultChannel } from './actions.ts';

export const postDefaultStreams = chatRoute({
  name: 'add-default-channel',
  method: 'POST',
  path: '/default_streams',
  allow: 'administrator',
  audit: ['default_channel add'],
  summary: 'Makes a channel one of those to which new members are subscribed.',
  params: Type.Object({ stream_id: Type.Integer() }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { stream_id }) => {
    await addDefaultChannel(ctx, actor, stream_id);
    return {};
  },
});

export const deleteDefaultStreams = chatRoute({
  name: 'remove-default-channel',
  method: 'DELETE',
  path: '/default_streams',
  allow: 'administrator',
  audit: ['default_channel remove'],
  summary: 'Ends that new members are subscribed to a channel.',
  params: Type.Object({ stream_id: Type.Integer() }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { stream_id }) => {
    await removeDefaultChannel(ctx, actor, stream_id);
    return {};
  },
});
