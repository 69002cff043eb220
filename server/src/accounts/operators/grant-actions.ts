// How a person gets a right of an operator and loses it. Two people with `everything` give it, and neither is the one who
// gets it; one of them is enough to take it away. Every act and every refused one is in the audit log.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { tellPerson } from '../notices/actions.ts';
import { isSameToken } from '../sessions/token.ts';
import { findUser } from '../users/access.ts';
import type { User } from '../user.ts';
import { accessAgain, accessPerson } from './access.ts';
import type { Host } from './actions.ts';
import {
  askedAlready,
  digestChanged,
  grantReasonMissing,
  hasGrantAlready,
  hasNoSuchGrant,
  hostTooLate,
  lastWithEverything,
  noGrantsFor,
  noSuchRequest,
  notAwaiting,
  ownGrant,
  sameOperator,
} from './errors.ts';
import type { Grant } from './grants.ts';
import {
  deleteGrant,
  expireRequests,
  insertGrant,
  insertRequest,
  listAwaiting,
  listGrantsOf,
  listHoldersOfEverything,
  lockRequest,
  updateDecided,
} from './grants-store.ts';
import { note, orDenied } from './notes.ts';
import type { Operator } from './operator.ts';
import { digestOf, REQUEST_HOURS, type GrantRequest, type Shown } from './request.ts';
import { lockOperators } from './store.ts';

const REASON_CHARACTERS_MAX = 1000;
/** How many people with `everything` always stay; below that the host's command line gives grants. */
const HOLDERS_MIN = 2;
const AWAITING_MAX = 200;

export interface GrantTerms {
  readonly email: string;
  readonly grant: Grant;
  readonly reason: string;
}

/** A request as its approver sees it. */
export interface ShownRequest extends Shown {
  readonly requestId: string;
  readonly status: GrantRequest['status'];
  readonly digest: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const ID_PREFIX = 'grant-';
const REQUEST_ID = /^grant-([1-9][0-9]{0,17})$/;

/** The number of a request for a grant; undefined if the text names something else. */
export function parseRequestId(text: string): bigint | undefined {
  const digits = REQUEST_ID.exec(text)?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}

/** Asks for a grant of somebody else. It waits for another operator. */
export function askGrant(
  ctx: Context,
  operator: Operator,
  { email, grant, reason }: GrantTerms,
): Promise<ShownRequest> {
  return orDenied(ctx, operator, 'operator request', email, async (tx) => {
    const why = reason.trim();
    if (why === '' || why.length > REASON_CHARACTERS_MAX) {
      throw grantReasonMissing(REASON_CHARACTERS_MAX);
    }
    await lockOperators(tx);
    const { id } = await accessAgain(tx, operator, 'everything');
    const subject = await accessSubject(tx, email);
    if (subject.id === id) throw ownGrant();
    if ((await listGrantsOf(tx, subject.id)).includes(grant)) {
      throw hasGrantAlready(subject.email, grant);
    }
    await expireRequests(tx);
    const row = { subjectId: subject.id, name: grant, reason: why, requestedById: id };
    const request = await insertRequest(tx, row, REQUEST_HOURS);
    if (request === undefined) throw askedAlready(subject.email, grant);
    const shown = await show(tx, request);
    const details = { request: shown.requestId, grant, reason: why, digest: shown.digest };
    await note(tx, ctx, operator, 'operator request', subject.email, 'awaiting_approval', details);
    return shown;
  });
}

/** Grants are for active people. */
async function accessSubject(tx: Tx, email: string): Promise<User> {
  const subject = await accessPerson(tx, email);
  if (!subject.isActive) throw noGrantsFor(subject.email, 'the user is deactivated');
  if (subject.botType !== null) throw noGrantsFor(subject.email, 'it is a bot');
  return subject;
}

async function show(db: Tx | Context['db'], request: GrantRequest): Promise<ShownRequest> {
  const [subject, asker] = [
    await findUser(db, request.subjectId),
    await findUser(db, request.requestedById),
  ];
  const requestId = `${ID_PREFIX}${request.id}`;
  const shown: Shown = {
    act: 'operator grant',
    subject: subject?.email ?? '',
    terms: { grant: request.name, userId: String(request.subjectId) },
    reason: request.reason,
    requestedBy: asker?.email ?? '',
  };
  const { status, createdAt, expiresAt } = request;
  return { requestId, ...shown, status, createdAt, expiresAt, digest: digestOf(requestId, shown) };
}

/** What waits for an approval, the oldest first. */
export async function listGrantRequests(ctx: Context): Promise<ShownRequest[]> {
  const shown: ShownRequest[] = [];
  for (const request of await listAwaiting(ctx.db, AWAITING_MAX)) {
    shown.push(await show(ctx.db, request));
  }
  return shown;
}

interface Decision {
  readonly id: bigint;
  /** Of what the operator was shown. */
  readonly digest: string;
}

/** Gives the grant that another operator asked for. */
export function approveGrant(
  ctx: Context,
  operator: Operator,
  { id, digest }: Decision,
): Promise<ShownRequest> {
  return decide(ctx, operator, id, async (tx, request, me) => {
    const requestId = `${ID_PREFIX}${id}`;
    if (request.subjectId === me.id) throw ownGrant();
    if (request.requestedById === me.id) throw sameOperator(requestId);
    const shown = await checkShown(tx, request, digest);
    // Who asked must still be one of those who may.
    if (!(await listHoldersOfEverything(tx)).includes(request.requestedById)) {
      throw notAwaiting(requestId, 'void, because who asked for it may not any more');
    }
    const subject = await accessSubject(tx, shown.subject);
    await updateDecided(tx, id, 'approved', me.id);
    await insertGrant(tx, { userId: subject.id, name: request.name, requestId: id });
    await tell(tx, ctx, subject, `+ ${request.name}`, `${shown.requestedBy}, ${me.email}`);
    const details = { request: requestId, grant: request.name, digest };
    await note(tx, ctx, me, 'operator decide', requestId, 'approved', details);
    await note(tx, ctx, me, 'operator grant', subject.email, 'done', {
      ...details,
      requestedBy: shown.requestedBy,
      reason: request.reason,
    });
    return { ...shown, status: 'approved' };
  });
}

/** Ends a request. Who asked may do that too, to take it back. */
export function rejectGrant(
  ctx: Context,
  operator: Operator,
  { id, digest }: Decision,
): Promise<ShownRequest> {
  return decide(ctx, operator, id, async (tx, request, me) => {
    const shown = await checkShown(tx, request, digest);
    await updateDecided(tx, id, 'rejected', me.id);
    const details = { request: shown.requestId, grant: request.name, digest };
    await note(tx, ctx, me, 'operator decide', shown.requestId, 'withdrawn', details);
    return { ...shown, status: 'rejected' };
  });
}

async function decide(
  ctx: Context,
  operator: Operator,
  id: bigint,
  work: (tx: Tx, request: GrantRequest, me: Operator) => Promise<ShownRequest>,
): Promise<ShownRequest> {
  const requestId = `${ID_PREFIX}${id}`;
  return orDenied(ctx, operator, 'operator decide', requestId, async (tx) => {
    await lockOperators(tx);
    const me = await accessAgain(tx, operator, 'everything');
    await expireRequests(tx);
    const request = await lockRequest(tx, id);
    if (request === undefined) throw noSuchRequest(requestId);
    if (request.status !== 'awaiting') throw notAwaiting(requestId, request.status);
    return work(tx, request, me);
  });
}

async function checkShown(tx: Tx, request: GrantRequest, digest: string): Promise<ShownRequest> {
  const shown = await show(tx, request);
  if (!isSameToken(digest, shown.digest)) throw digestChanged(shown.requestId);
  return shown;
}

/** Takes a grant away, at once. One operator is enough; two people keep `everything`. */
export async function revokeGrant(
  ctx: Context,
  operator: Operator,
  { email, grant, reason }: GrantTerms,
): Promise<void> {
  await orDenied(ctx, operator, 'operator ungrant', email, async (tx) => {
    await lockOperators(tx);
    const me = await accessAgain(tx, operator, 'everything');
    const subject = await accessPerson(tx, email);
    const others = (await listHoldersOfEverything(tx)).filter((id) => id !== subject.id);
    if (grant === 'everything' && others.length < HOLDERS_MIN) {
      throw lastWithEverything(subject.email);
    }
    if (!(await deleteGrant(tx, subject.id, grant))) throw hasNoSuchGrant(subject.email, grant);
    await tell(tx, ctx, subject, `- ${grant}`, me.email);
    await note(tx, ctx, me, 'operator ungrant', subject.email, 'done', { grant, reason });
  });
}

/** Gives a grant at the command line of the deployment's host, while fewer than two people have `everything`. */
export async function giveGrantAtHost(
  ctx: Context,
  host: Host,
  { email, grant }: Pick<GrantTerms, 'email' | 'grant'>,
): Promise<void> {
  await orDenied(ctx, host, 'operator grant', email, async (tx) => {
    await lockOperators(tx);
    const subject = await accessSubject(tx, email);
    if ((await listHoldersOfEverything(tx)).length >= HOLDERS_MIN) throw hostTooLate();
    const isNew = await insertGrant(tx, { userId: subject.id, name: grant, requestId: null });
    if (!isNew) throw hasGrantAlready(subject.email, grant);
    await tell(tx, ctx, subject, `+ ${grant}`, host.email);
    await note(tx, ctx, host, 'operator grant', subject.email, 'done', { grant });
  });
}

const tell = (tx: Tx, ctx: Context, subject: User, name: string, by: string): Promise<void> =>
  tellPerson(tx, ctx, subject, 'grant_changed', { name, by });
