// What operators look at. Every grant covers it.
import { Type } from 'typebox';
import { listNewestEntries } from '../../accounts/audit/access.ts';
import { listGrants } from '../../accounts/operators/access.ts';
import { listGrantRequests } from '../../accounts/operators/grant-actions.ts';
import { describePerson } from '../../accounts/operators/people.ts';
import { findUser } from '../../accounts/users/access.ts';
import { RenderedJson } from '../http/envelope.ts';
import { accessAccount, describeAccount, listOpenCommands } from '../operators/access.ts';
import { digestOfCommand, isExpired, requestIdOf, shownOf } from '../operators/pending.ts';
import { Count, Millis, toMillis } from '../values.ts';
import { adminRoute } from './route.ts';
import { Account, Email } from './shapes.ts';

const LOOK = { method: 'GET', grant: 'look', stepUp: 'fresh' } as const;

const PENDING_MAX = 200;

const Pending = Type.Object(
  {
    requestId: Type.String({ examples: ['grant-3'] }),
    status: Type.String({
      description: '`awaiting_approval`, `waiting` for the engine, or `expired`.',
    }),
    act: Type.String(),
    subject: Type.String(),
    terms: Type.Object({}, { description: 'What exactly was asked for.' }),
    reason: Type.String(),
    requestedBy: Type.String({ description: 'The email address of who asked.' }),
    createdAt: Millis('When it was asked for.'),
    digest: Type.String({
      description: 'SHA-256 of all of this but times and status; repeat it to decide.',
    }),
  },
  { title: 'Pending' },
);

export const getPending = adminRoute({
  ...LOOK,
  name: 'adminPending',
  path: '/pending',
  summary: 'What waits for a second operator or for the engine, the oldest first.',
  params: Type.Object({}),
  returns: Type.Array(Pending),
  async handle(ctx) {
    const nowMs = ctx.clock.now();
    const commands = await listOpenCommands(ctx.db, PENDING_MAX);
    const grants = await listGrantRequests(ctx);
    return [
      ...grants.map(({ expiresAt: _until, createdAt, status: _awaiting, ...shown }) => ({
        ...shown,
        status: 'awaiting_approval',
        createdAt: toMillis(createdAt),
      })),
      ...commands.map((command) => ({
        requestId: requestIdOf(command),
        ...shownOf(command),
        status: isExpired(command, nowMs) ? 'expired' : command.status,
        createdAt: toMillis(command.createdAt),
        digest: digestOfCommand(command),
      })),
    ];
  },
});

export const getGrants = adminRoute({
  ...LOOK,
  name: 'adminGrants',
  path: '/grants',
  summary: 'Who has which grant.',
  params: Type.Object({}),
  returns: Type.Array(
    Type.Object({ email: Type.String(), grant: Type.String(), givenAt: Millis('Since when.') }),
  ),
  async handle(ctx) {
    const rows = await listGrants(ctx.db);
    const people = new Map<number, string>();
    for (const { userId } of rows) {
      if (!people.has(userId)) people.set(userId, (await findUser(ctx.db, userId))?.email ?? '');
    }
    return rows.map(({ userId, name, givenAt }) => ({
      email: people.get(userId) ?? '',
      grant: name,
      givenAt: toMillis(givenAt),
    }));
  },
});

export const getAccount = adminRoute({
  ...LOOK,
  name: 'adminAccount',
  path: '/account',
  summary: 'An account with its balances, as they were last projected.',
  params: Type.Object({ account: Account }),
  returns: Type.Object({}, { description: 'The account, its owner, its status and its balances.' }),
  errors: ['ACCOUNT_UNKNOWN', 'PERSON_UNKNOWN'],
  async handle(ctx, _caller, { account }) {
    const {
      tier,
      account: id,
      ...shown
    } = await describeAccount(ctx.db, await accessAccount(ctx.db, account));
    return new RenderedJson(JSON.stringify({ account: String(id), tier: String(tier), ...shown }));
  },
});

export const getPerson = adminRoute({
  ...LOOK,
  name: 'adminPerson',
  path: '/person',
  summary: "A person's trading keys, without secrets, and the sign-in attempts that are left.",
  params: Type.Object({ email: Email }),
  returns: Type.Object({
    email: Type.String(),
    isActive: Type.Boolean(),
    triesLeft: Count('Passwords that strangers may still try.'),
    isClosed: Type.Boolean({ description: 'Whether strangers are locked out.' }),
    keys: Type.Array(
      Type.Object({
        keyId: Type.String(),
        label: Type.String(),
        account: Type.String(),
        permissions: Type.Array(Type.String()),
        isUsable: Type.Boolean(),
        createdAt: Millis('When it was made.'),
      }),
    ),
  }),
  errors: ['PERSON_UNKNOWN'],
  async handle(ctx, _caller, given) {
    const { email, isActive, keys, tries } = await describePerson(ctx, given.email);
    return {
      email,
      isActive,
      triesLeft: String(tries.triesLeft),
      isClosed: tries.isClosed,
      keys: keys.map((key) => ({
        keyId: key.keyId,
        label: key.label,
        account: String(key.accountId),
        permissions: [...key.permissions],
        isUsable: key.isUsable,
        createdAt: toMillis(key.createdAt),
      })),
    };
  },
});

const ENTRIES_MAX = 1000;

export const getAudit = adminRoute({
  ...LOOK,
  name: 'adminAudit',
  path: '/audit',
  summary: 'The newest entries of the audit log, the newest first.',
  params: Type.Object({
    operator: Type.Optional(Email),
    act: Type.Optional(Type.String({ maxLength: 100, examples: ['market phase'] })),
    subject: Type.Optional(Type.String({ maxLength: 300 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: ENTRIES_MAX })),
  }),
  returns: Type.Array(
    Type.Object({
      seq: Count('Its place in the log.'),
      time: Millis('When.'),
      operator: Type.String(),
      act: Type.String(),
      subject: Type.String(),
      details: Type.String({ description: 'Canonical JSON, as the hash covers it.' }),
      outcome: Type.String(),
      hash: Type.String(),
    }),
  ),
  async handle(ctx, _caller, { limit = 100, ...filter }) {
    const entries = await listNewestEntries(ctx.db, { ...filter, limit });
    return entries.map(({ seq, at, operator, act, subject, details, outcome, hash }) => ({
      seq: String(seq),
      time: toMillis(at),
      operator,
      act,
      subject,
      details,
      outcome,
      hash: hash.toString('hex'),
    }));
  },
});
