import { Type } from 'typebox';
import { chatRoute } from '../http/route.ts';
import { matchNarrow } from './match.ts';
import { parseNarrow, TERMS_MAX } from './terms.ts';

const IDS_MAX = 5000;

export const getMatchesNarrow = chatRoute({
  name: 'check-messages-match-narrow',
  method: 'GET',
  path: '/messages/matches_narrow',
  allow: 'guest',
  summary: 'Which of these messages are in a narrow, and where its search finds something in them.',
  params: Type.Object({
    msg_ids: Type.Array(Type.Integer(), { maxItems: IDS_MAX }),
    narrow: Type.Array(Type.Unknown(), { maxItems: TERMS_MAX }),
  }),
  returns: Type.Object({
    messages: Type.Record(
      Type.String(),
      Type.Object({ match_content: Type.String(), match_subject: Type.String() }),
      { description: 'By message id; what is not in the narrow is not here.' },
    ),
  }),
  handle: async (ctx, actor, { msg_ids, narrow }) => ({
    messages: await matchNarrow(ctx.db, actor, msg_ids, parseNarrow(narrow)),
  }),
});
