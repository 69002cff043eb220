import { Type } from 'typebox';
import { tradingRoute } from '../http/route.ts';
import { Choice, MS_MAX } from '../values.ts';
import { HASH_HEADER, makeStatement, SETTLED_MS, STRETCH_DAYS_MAX } from './access.ts';
import { Statement } from './statement.ts';

export const getStatement = tradingRoute({
  name: 'privateAccountStatement',
  method: 'GET',
  path: '/private/account/statement',
  access: 'read',
  whileSuspended: true,
  summary:
    'A file, without the envelope: what the account had at the beginning of a stretch of time, every entry of its ledger, and what it had at the end, which is exactly their sum. The same stretch always gives the same bytes; their SHA-256 is in a header.',
  params: Type.Object({
    from: Type.Integer({
      minimum: 0,
      maximum: MS_MAX,
      description: 'Beginning of the stretch, inclusive.',
      examples: ['1759276800000'],
    }),
    to: Type.Integer({
      minimum: 0,
      maximum: MS_MAX,
      description: `End of the stretch, exclusive; at least ${SETTLED_MS / 1000} seconds ago, and at most ${STRETCH_DAYS_MAX} days after its beginning.`,
      examples: ['1761955200000'],
    }),
    format: Type.Optional(
      Choice(['json', 'csv'], 'Of the file; `json` when absent. `csv` is `text/csv`.'),
    ),
    timezone: Type.Optional(
      Type.String({
        maxLength: 64,
        pattern: '^[A-Za-z0-9_+/-]+$',
        description:
          'Name of the time zone of `localTime`, such as `Asia/Tehran`; UTC when absent.',
        examples: ['Asia/Tehran'],
      }),
    ),
  }),
  returns: Statement,
  isBare: true,
  alsoSends: ['text/csv'],
  headers: [HASH_HEADER],
  handle: (ctx, caller, { from, to, format = 'json', timezone = 'UTC' }) =>
    makeStatement(ctx, caller, { from, to, format, timezone }),
});
