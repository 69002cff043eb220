import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { REPORT_REASONS, reportMessage } from './report.ts';

export const postReport = chatRoute({
  name: 'report-message',
  method: 'POST',
  path: '/messages/{message_id:int}/report',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Asks the moderators to look at a message.',
  params: Type.Object({
    report_type: Type.Union(Object.keys(REPORT_REASONS).map((key) => Type.Literal(key))),
    description: Type.Optional(Type.String({ maxLength: 1000 })),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { message_id, report_type, description = '' }) => {
    await reportMessage(ctx, actor, message_id, report_type, description);
    return {};
  },
});
