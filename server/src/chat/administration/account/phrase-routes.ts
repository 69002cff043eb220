// The route to change the phrase that heads emails to oneself. Only for browsers: a key that leaked must not change it.
import { Type } from 'typebox';
import { changePhrase } from '../../../accounts/phrases/actions.ts';
import { PHRASE_CHARACTERS_MAX } from '../../../accounts/phrases/phrase.ts';
import { chatRoute } from '../../http/route.ts';

export const putPhrase = chatRoute({
  name: 'update-phrase',
  method: 'PUT',
  path: '/phrase',
  allow: 'guest',
  bots: false,
  stepUp: 'fresh',
  audit: ['phrase change'],
  summary: 'Changes the phrase at the head of every email to you.',
  params: Type.Object({
    phrase: Type.String({
      description: `At most ${PHRASE_CHARACTERS_MAX} characters; empty for none.`,
    }),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { phrase }) => {
    await changePhrase(ctx, actor, phrase);
    return {};
  },
});
