import { Type } from 'typebox';
import { hostOf } from '../../../platform/context.ts';
import { chatRoute } from '../../http/route.ts';
import { runNarrow } from './admission.ts';
import { costOfNarrow } from './cost.ts';
import { matchNarrow } from './match.ts';
import { NARROW_SAID, parseNarrow, TERMS_MAX } from './terms.ts';

const IDS_MAX = 5000;

export const getMatchesNarrow = chatRoute({
  name: 'check-messages-match-narrow',
  method: 'GET',
  path: '/messages/matches_narrow',
  allow: 'guest',
  cost: ({ narrow }) => costOfNarrow(narrow, 0),
  grows: 'request',
  summary: 'Which of these messages are in a narrow, and where its search finds something in them.',
  params: Type.Object({
    msg_ids: Type.Array(Type.Integer(), { maxItems: IDS_MAX }),
    narrow: Type.Array(Type.Unknown(), { maxItems: TERMS_MAX, description: NARROW_SAID }),
  }),
  returns: Type.Object({
    messages: Type.Record(
      Type.String(),
      Type.Object({ match_content: Type.String(), match_subject: Type.String() }),
      { description: 'By message id; what is not in the narrow is not here.' },
    ),
  }),
  handle: async (ctx, actor, { msg_ids, narrow }, { signal }) => {
    const terms = parseNarrow(narrow, hostOf(ctx));
    return {
      messages: await runNarrow(ctx, actor, { terms, signal }, (db) =>
        matchNarrow(db, actor, msg_ids, terms),
      ),
    };
  },
});
