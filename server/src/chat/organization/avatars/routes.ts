import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { AVATAR_BYTES_MAX, removeOwnAvatar, setOwnAvatar } from './actions.ts';

const Avatar = Type.Object({ avatar_url: Type.String() });

/** A little more is read than is allowed, so that a file that is too large gets a clear refusal. */
const READ_MAX = AVATAR_BYTES_MAX + 1024;

export const postAvatar = chatRoute({
  name: 'set-avatar',
  method: 'POST',
  path: '/users/me/avatar',
  allow: 'guest',
  audit: { none: 'own content' },
  fileBytesMax: READ_MAX,
  summary: 'Uploads your picture, as the one file of a multipart body.',
  params: Type.Object({}),
  returns: Avatar,
  handle: async (ctx, actor, _params, { files }) => ({
    avatar_url: await setOwnAvatar(ctx, actor, files),
  }),
});

export const deleteAvatar = chatRoute({
  name: 'remove-avatar',
  method: 'DELETE',
  path: '/users/me/avatar',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Takes your picture away; one is drawn from your name.',
  params: Type.Object({}),
  returns: Avatar,
  handle: async (ctx, actor) => ({ avatar_url: await removeOwnAvatar(ctx, actor) }),
});
