import { Type } from 'typebox';
import { listOrganizationEntries, ORGANIZATION_ACTS } from '../../../accounts/audit/access.ts';
import { listUsersById } from '../../../accounts/users/access.ts';
import { badRequest } from '../../http/errors.ts';
import { chatRoute } from '../../http/route.ts';
import { readSight } from '../../rights/sight/access.ts';
import { shownEntry, ShownEntry, subjectIdOf } from './shape.ts';

const PAGE_MAX = 100;
const PAGE = 50;
/** The end of the year 9999. */
const SECONDS_MAX = 253_402_300_799;

const moment = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: SECONDS_MAX, description }));

export const getAuditLog = chatRoute({
  name: 'get-audit-log',
  method: 'GET',
  path: '/audit_log',
  allow: 'administrator',
  bots: false,
  grows: 'page',
  summary: 'Who changed what in the organization, the newest first.',
  params: Type.Object({
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The `next_before` of the page before: only older entries.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: PAGE_MAX,
        default: PAGE,
        description: 'How many entries at most.',
      }),
    ),
    user_id: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Only what this person did.' }),
    ),
    act: Type.Optional(
      Type.Union(
        ORGANIZATION_ACTS.map((act) => Type.Literal(act)),
        { description: 'Only this act.' },
      ),
    ),
    since: moment('Seconds: only what was done then or later.'),
    until: moment('Seconds: only what was done before.'),
  }),
  returns: Type.Object({
    entries: Type.Array(ShownEntry, { maxItems: PAGE_MAX }),
    next_before: Type.Union([Type.Integer(), Type.Null()], {
      description: 'For the next page; null if this one is the last.',
    }),
  }),
  handle: async (ctx, actor, { before, limit = PAGE, user_id, act, since, until }) => {
    if (since !== undefined && until !== undefined && since >= until) {
      throw badRequest('`since` has to be before `until`.');
    }
    const found = await listOrganizationEntries(ctx.db, {
      userId: user_id,
      act,
      since: dateOf(since),
      until: dateOf(until),
      before: before === undefined ? undefined : BigInt(before),
      // One more shows whether there is another page.
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const ids = new Set(page.flatMap((entry) => subjectIdOf(entry) ?? []));
    const people = new Map((await listUsersById(ctx.db, [...ids])).map((one) => [one.id, one]));
    const sight = await readSight(ctx, ctx.db, actor);
    const last = page.at(-1);
    return {
      entries: page.map((entry) =>
        shownEntry(entry, sight, people.get(subjectIdOf(entry) ?? Number.NaN)),
      ),
      next_before: found.length > limit && last !== undefined ? Number(last.seq) : null,
    };
  },
});

const dateOf = (seconds: number | undefined): Date | undefined =>
  seconds === undefined ? undefined : new Date(seconds * 1000);
