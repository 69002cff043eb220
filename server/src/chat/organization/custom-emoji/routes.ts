import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { addEmoji, EMOJI_BYTES_MAX, removeEmoji } from './actions.ts';
import { EmojiMap } from './events.ts';
import { readEmoji } from './state.ts';

/** A little more is read than is allowed, so that a file that is too large gets a clear refusal. */
const READ_MAX = EMOJI_BYTES_MAX + 1024;

export const getEmoji = chatRoute({
  name: 'get-custom-emoji',
  method: 'GET',
  path: '/realm/emoji',
  allow: 'guest',
  grows: 'organization',
  summary: 'The organization’s own emoji, by id; deactivated ones too.',
  params: Type.Object({}),
  returns: Type.Object({ emoji: EmojiMap }),
  handle: async (ctx) => ({ emoji: await readEmoji(ctx.db) }),
});

export const postEmoji = chatRoute({
  name: 'upload-custom-emoji',
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  allow: 'member',
  audit: ['emoji add'],
  bots: false,
  fileBytesMax: READ_MAX,
  summary: 'Adds an emoji, whose picture is the one file of a multipart body.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { emoji_name }, { files }) => {
    await addEmoji(ctx, actor, emoji_name, files);
    return {};
  },
});

export const deleteEmoji = chatRoute({
  name: 'deactivate-custom-emoji',
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  allow: 'guest',
  audit: ['emoji remove'],
  summary: 'Takes an emoji away; where it is shown it stays.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { emoji_name }) => {
    await removeEmoji(ctx, actor, emoji_name);
    return {};
  },
});
