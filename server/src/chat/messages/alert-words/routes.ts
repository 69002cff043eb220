import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { listWords } from './access.ts';
import { addAlertWords, removeAlertWords } from './actions.ts';

const words = Type.Object({ alert_words: Type.Array(Type.String()) });
const given = Type.Object({
  alert_words: Type.Array(Type.String({ 'x-strip': true, maxLength: 100 }), { maxItems: 500 }),
});

export const getAlertWords = chatRoute({
  name: 'get-alert-words',
  method: 'GET',
  path: '/users/me/alert_words',
  allow: 'guest',
  grows: 'person',
  summary: 'The words that you want to be told of.',
  params: Type.Object({}),
  returns: words,
  handle: async (ctx, actor) => ({ alert_words: await listWords(ctx.db, actor.id) }),
});

export const postAlertWords = chatRoute({
  name: 'add-alert-words',
  method: 'POST',
  path: '/users/me/alert_words',
  allow: 'guest',
  audit: { none: 'own settings' },
  grows: 'request',
  summary: 'Adds words that you want to be told of.',
  params: given,
  returns: words,
  handle: async (ctx, actor, { alert_words }) => ({
    alert_words: await addAlertWords(ctx, actor, alert_words),
  }),
});

export const deleteAlertWords = chatRoute({
  name: 'remove-alert-words',
  method: 'DELETE',
  path: '/users/me/alert_words',
  allow: 'guest',
  audit: { none: 'own settings' },
  grows: 'request',
  summary: 'Takes words away.',
  params: given,
  returns: words,
  handle: async (ctx, actor, { alert_words }) => ({
    alert_words: await removeAlertWords(ctx, actor, alert_words),
  }),
});
