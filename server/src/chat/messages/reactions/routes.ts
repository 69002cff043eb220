import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { addReaction, removeReaction } from './actions.ts';

const code = Type.Optional(
  Type.String({ maxLength: 100, description: 'Within the namespace of reaction_type.' }),
);
const type = Type.Optional(
  Type.String({
    maxLength: 100,
    description: 'unicode_emoji, realm_emoji or zulip_extra_emoji; otherwise found by the name.',
  }),
);

export const postReaction = chatRoute({
  name: 'add-reaction',
  method: 'POST',
  path: '/messages/{message_id:int}/reactions',
  allow: 'guest',
  checksCaller: true,
  audit: { none: 'own content' },
  summary: 'Reacts to a message with an emoji.',
  params: Type.Object({
    emoji_name: Type.String({ maxLength: 100 }),
    emoji_code: code,
    reaction_type: type,
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { message_id, emoji_name, emoji_code, reaction_type }) => {
    const input = { name: emoji_name, code: emoji_code, type: reaction_type };
    await addReaction(ctx, actor, message_id, input);
    return {};
  },
});

export const deleteReaction = chatRoute({
  name: 'remove-reaction',
  method: 'DELETE',
  path: '/messages/{message_id:int}/reactions',
  allow: 'guest',
  checksCaller: true,
  audit: { none: 'own content' },
  summary: 'Takes a reaction of yours back.',
  params: Type.Object({
    emoji_name: Type.Optional(Type.String({ maxLength: 100 })),
    emoji_code: code,
    reaction_type: type,
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { message_id, emoji_name, emoji_code, reaction_type }) => {
    const input = { name: emoji_name, code: emoji_code, type: reaction_type };
    await removeReaction(ctx, actor, message_id, input);
    return {};
  },
});
