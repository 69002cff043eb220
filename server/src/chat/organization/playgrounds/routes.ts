import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { createPlayground, removePlayground } from './actions.ts';

export const postPlayground = chatRoute({
  name: 'create-playground',
  method: 'POST',
  path: '/realm/playgrounds',
  allow: 'administrator',
  audit: ['playground create'],
  summary: 'Adds a place where code of a language can be tried out.',
  params: Type.Object({
    name: Type.String({ 'x-strip': true, maxLength: 200 }),
    pygments_language: Type.String({ 'x-strip': true, maxLength: 40 }),
    url_template: Type.String({
      'x-strip': true,
      maxLength: 1000,
      description: 'A URL template after RFC 6570 with the one variable code.',
    }),
  }),
  returns: Type.Object({ id: Type.Integer() }),
  handle: async (ctx, _actor, given) => ({ id: await createPlayground(ctx, given) }),
});

export const deletePlayground = chatRoute({
  name: 'delete-playground',
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id:int}',
  allow: 'administrator',
  audit: ['playground remove'],
  summary: 'Takes a playground away.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, _actor, { playground_id }) => {
    await removePlayground(ctx, playground_id);
    return {};
  },
});
