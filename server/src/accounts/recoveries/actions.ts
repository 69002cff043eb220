// Opens an account whose owner has lost the password and every factor: asked, waiting, usable, used; or canceled, or
// expired. Two operators are needed, neither of them the person. Then time must pass, in which emails with a link to
// cancel go to the person, and any sign-in of theirs ends it.
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { isMailConfigured } from '../../platform/mail/transport.ts';
import { noteAct, noteNothing } from '../audit/actions.ts';
import { consumeLink, endLinks, findLinkOwner, makeLink } from '../mailed-links/actions.ts';
import { orDenied } from '../operators/notes.ts';
import type { Operator } from '../operators/operator.ts';
import { accessAgain, accessPerson, findGrants, listCandidates } from '../operators/access.ts';
import { storePassword } from '../passwords/actions.ts';
import { hashPassword } from '../passwords/hash.ts';
import { checkPassword } from '../passwords/rules.ts';
import { hasAtLeast } from '../roles.ts';
import { forgetFactors } from '../second-factors/forget.ts';
import { findLastSessionAt } from '../sessions/access.ts';
import { deleteTradingKeysIn } from '../trading-keys/actions.ts';
import { RECOVERY_FREEZE_HOURS } from '../trading-keys/freeze.ts';
import { freezeWithdrawals } from '../trading-keys/access.ts';
import type { User } from '../user.ts';
import { accessUser, accessUserForUpdate, findUser } from '../users/access.ts';
import { oweFactor } from '../users/credentials.ts';
import { writeRecoveryEmail } from './emails.ts';
import {
  alreadyOpen,
  askedYourself,
  mailMissing,
  noRecoveryOf,
  noSuchRecovery,
  notAwaiting,
  notOneself,
  reasonMissing,
} from './errors.ts';
import {
  approveRecovery,
  endRecovery,
  findOpenRecovery,
  insertRecovery,
  listOpenRecoveries,
  listRecoveries,
  lockRecovery,
  openRecovery,
  type Recovery,
} from './store.ts';

/** How long the second operator has. */
const ASKED_HOURS = 7 * 24;
/** How long the person has to object. */
const WAIT_HOURS = 72;
/** The same for owners and operators, who are worth more to a thief. */
const WAIT_HOURS_TRUSTED = 7 * 24;
/** How long the link can be used. */
const LINK_HOURS = 24;
export const REASON_CHARACTERS_MAX = 500;
const LISTED_MAX = 100;

export interface ListedRecovery extends Recovery {
  readonly email: string;
  readonly askedBy: string;
  readonly approvedBy: string;
}

export async function listAllRecoveries({ db }: Context): Promise<ListedRecovery[]> {
  const emailOf = async (id: number | null) =>
    id === null ? '' : ((await findUser(db, id))?.email ?? '');
  const listed: ListedRecovery[] = [];
  for (const one of await listRecoveries(db, LISTED_MAX)) {
    listed.push({
      ...one,
      email: await emailOf(one.userId),
      askedBy: await emailOf(one.askedById),
      approvedBy: await emailOf(one.approvedById),
    });
  }
  return listed;
}

/** The first operator, who has seen to it that the person is who they say. `reason` says how. */
export async function askRecovery(
  ctx: Context,
  operator: Operator,
  email: string,
  reason: string,
): Promise<bigint> {
  const why = reason.trim();
  if (why === '' || why.length > REASON_CHARACTERS_MAX) throw reasonMissing(REASON_CHARACTERS_MAX);
  if (!isMailConfigured(ctx.config)) throw mailMissing();
  const { id: userId } = await accessPerson(ctx.db, email);
  return orDenied(ctx, operator, 'recovery ask', email, async (tx) => {
    await accessAgain(tx, operator, 'support');
    const user = await accessUserForUpdate(tx, userId);
    if (!user.isActive || user.botType !== null) throw noRecoveryOf(user.email);
    if (user.id === operator.id) throw notOneself();
    const asked = await insertRecovery(tx, {
      userId,
      askedById: operator.id,
      reason: why,
      hours: ASKED_HOURS,
    });
    if (asked === undefined) throw alreadyOpen(user.email);
    await tell(tx, ctx, user, 'recovery_asked', ASKED_HOURS + WAIT_HOURS_TRUSTED);
    noteAct(tx, {
      act: 'recovery ask',
      subject: user.email,
      details: { recoveryId: asked.id, userId, reason: why },
      by: operator,
    });
    return asked.id;
  });
}

/** The second operator. From now on the time runs. */
export async function approve(ctx: Context, operator: Operator, id: bigint): Promise<Date> {
  return orDenied(ctx, operator, 'recovery approve', `recovery ${id}`, async (tx) => {
    await accessAgain(tx, operator, 'support');
    const { user, recovery } = await access(tx, id);
    if (user.id === operator.id) throw notOneself();
    if (recovery.askedById === operator.id) throw askedYourself();
    const waitHours = (await isTrusted(tx, user)) ? WAIT_HOURS_TRUSTED : WAIT_HOURS;
    const given = { byId: operator.id, waitHours, linkHours: LINK_HOURS };
    const approved = await approveRecovery(tx, id, given);
    if (approved === undefined) throw notAwaiting(recovery.state);
    const until = approved.usableAt ?? approved.expiresAt;
    await tell(tx, ctx, user, 'recovery_approved', waitHours + LINK_HOURS, until);
    noteAct(tx, {
      act: 'recovery approve',
      subject: user.email,
      details: { recoveryId: id, userId: user.id, waitHours },
      by: operator,
    });
    return until;
  });
}

/** Whether an account is worth more than others: an owner's or an operator's. */
async function isTrusted(db: Db, user: User): Promise<boolean> {
  if (hasAtLeast(user.role, 'owner') || (await findGrants(db, user)).length > 0) return true;
  const candidates = await listCandidates(db);
  return candidates.some(({ id, secret }) => id === user.id && secret === 'enrolled');
}

/** An operator ends it. */
export async function cancelRecovery(ctx: Context, operator: Operator, id: bigint): Promise<void> {
  await orDenied(ctx, operator, 'recovery cancel', `recovery ${id}`, async (tx) => {
    await accessAgain(tx, operator, 'support');
    const { user, recovery } = await access(tx, id);
    if (!(await cancel(tx, ctx, user, recovery, operator))) throw notAwaiting(recovery.state);
  });
}

/** Whose recovery a mailed link cancels; undefined if there is nothing to cancel. */
export async function findCancelLink(ctx: Context, key: string): Promise<User | undefined> {
  const userId = await findLinkOwner(ctx.db, ctx.secrets, 'recovery_cancel', key);
  if (userId === undefined || (await findOpenRecovery(ctx.db, userId)) === undefined) {
    return undefined;
  }
  return findUser(ctx.db, userId);
}

/** The person ends it, by a link of one of the emails. */
export async function acceptCancelLink(ctx: Context, owner: User, key: string): Promise<boolean> {
  return ctx.inTransaction(async (tx) => {
    const user = await accessUserForUpdate(tx, owner.id);
    const userId = await consumeLink(tx, ctx.secrets, 'recovery_cancel', key);
    const open = userId === user.id ? await findOpenRecovery(tx, user.id) : undefined;
    if (open !== undefined && (await cancel(tx, ctx, user, open, user))) return true;
    noteNothing(tx);
    return false;
  });
}

async function access(tx: Tx, id: bigint): Promise<{ user: User; recovery: Recovery }> {
  const found = await lockRecovery(tx, id);
  if (found === undefined) throw noSuchRecovery();
  return { user: await accessUser(tx, found.userId), recovery: found };
}

async function cancel(
  tx: Tx,
  ctx: Context,
  user: User,
  { id }: Recovery,
  by: Pick<User, 'id' | 'email'>,
): Promise<boolean> {
  if (!(await endRecovery(tx, id, 'canceled'))) return false;
  await endRecoveryLinks(tx, user.id);
  await writeRecoveryEmail(tx, ctx, user, { kind: 'recovery_canceled' });
  noteAct(tx, {
    act: 'recovery cancel',
    subject: user.email,
    details: { recoveryId: id, userId: user.id },
    by,
  });
  return true;
}

async function endRecoveryLinks(tx: Tx, userId: number): Promise<void> {
  await endLinks(tx, userId, 'recovery');
  await endLinks(tx, userId, 'recovery_cancel');
}

async function tell(
  tx: Tx,
  ctx: Context,
  user: User,
  kind: 'recovery_asked' | 'recovery_approved',
  hours: number,
  until?: Date,
): Promise<void> {
  const key = await makeLink(tx, ctx.secrets, {
    purpose: 'recovery_cancel',
    userId: user.id,
    hours,
  });
  await writeRecoveryEmail(tx, ctx, user, { kind, key, until });
}

/** A session that was opened since shows that the person has not lost everything. */
const hasSignedIn = async (tx: Tx, { userId, askedAt }: Recovery): Promise<boolean> => {
  const at = await findLastSessionAt(tx, userId);
  return at !== undefined && at > askedAt;
};

/** Ends what a sign-in or time has ended, and sends the link of those whose waiting is over. Returns how many. */
export async function advanceRecoveries(ctx: Context): Promise<number> {
  let count = 0;
  for (const { id, userId } of await listOpenRecoveries(ctx.db)) {
    await ctx.inTransaction(async (tx) => {
      const user = await accessUserForUpdate(tx, userId);
      const recovery = await lockRecovery(tx, id);
      if (recovery !== undefined && (await advance(tx, ctx, user, recovery))) count += 1;
    });
  }
  return count;
}

async function advance(tx: Tx, ctx: Context, user: User, recovery: Recovery): Promise<boolean> {
  if (!user.isActive || (await hasSignedIn(tx, recovery))) {
    return cancel(tx, ctx, user, recovery, user);
  }
  if (recovery.isLate) {
    if (!(await endRecovery(tx, recovery.id, 'expired'))) return false;
    await endRecoveryLinks(tx, user.id);
    return true;
  }
  if (recovery.state !== 'waiting' || !recovery.isRipe) return false;
  if (!(await openRecovery(tx, recovery.id, LINK_HOURS))) return false;
  const link = { userId: user.id, hours: LINK_HOURS, email: user.email };
  const key = await makeLink(tx, ctx.secrets, { ...link, purpose: 'recovery' });
  await writeRecoveryEmail(tx, ctx, user, { kind: 'recovery_usable', key });
  return true;
}

/** Whose account the link opens; undefined if it cannot be used. */
export async function findRecoveryLink(ctx: Context, key: string): Promise<User | undefined> {
  const userId = await findLinkOwner(ctx.db, ctx.secrets, 'recovery', key);
  const open = userId === undefined ? undefined : await findOpenRecovery(ctx.db, userId);
  if (userId === undefined || open?.state !== 'usable' || open.isLate) return undefined;
  const user = await findUser(ctx.db, userId);
  return user?.isActive === true ? user : undefined;
}

/** Ends the chat keys of a person; the chat does it, because it knows their devices. */
type EndChatKeys = (tx: Tx, user: User) => Promise<unknown>;

/**
 * Sets a new password and removes the lost factors. Sessions and keys end, withdrawals are frozen for a week, and the
 * next sign-in asks for a new factor before anything else. False if the link cannot be used any more.
 */
export async function acceptRecoveryLink(
  ctx: Context,
  owner: User,
  given: { readonly key: string; readonly password: string; readonly caller: string },
  endChatKeys: EndChatKeys,
): Promise<boolean> {
  await checkPassword(ctx, given.password, owner, 'New password is too weak!');
  const passwordHash = await hashPassword(given.password);
  return ctx.inTransaction(async (tx) => {
    const user = await accessUserForUpdate(tx, owner.id);
    const userId = await consumeLink(tx, ctx.secrets, 'recovery', given.key);
    const open = userId === user.id ? await findOpenRecovery(tx, user.id) : undefined;
    const isUsable = open?.state === 'usable' && !open.isLate && user.isActive;
    if (open === undefined || !isUsable || (await hasSignedIn(tx, open))) {
      noteNothing(tx);
      return false;
    }
    await endRecovery(tx, open.id, 'used');
    await endRecoveryLinks(tx, user.id);
    await forgetFactors(tx, user.id);
    await oweFactor(tx, user.id);
    await storePassword(tx, ctx, user, { passwordHash, address: given.caller });
    await deleteTradingKeysIn(tx, user.id);
    await endChatKeys(tx, user);
    await freezeWithdrawals(tx, user.id, RECOVERY_FREEZE_HOURS);
    noteAct(tx, {
      act: 'recovery use',
      subject: user.email,
      details: { recoveryId: open.id, userId: user.id },
    });
    return true;
  });
}
