// Gives somebody another email address once the mailboxes have agreed. An address opens an account, so somebody who holds a
// session for a moment must not be able to take it along. A person's own change needs both mailboxes within a day. A
// change by an administrator needs the new one, and the old one has three days to cancel it.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { limitKeyOf } from '../../platform/http/address.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { isMailConfigured } from '../../platform/mail/transport.ts';
import { noteAct, noteNothing } from '../audit/actions.ts';
import { isEmail } from '../email.ts';
import { endLinks, findLinkOwner, makeLink } from '../mailed-links/actions.ts';
import { tellPerson } from '../notices/actions.ts';
import { emitSecurity } from '../notices/events.ts';
import { countEmail } from '../sign-in/actions.ts';
import { FREEZE_HOURS } from '../trading-keys/freeze.ts';
import { freezeWithdrawals } from '../trading-keys/access.ts';
import type { User } from '../user.ts';
import { accessUserForUpdate, findUser, findUserByEmail } from '../users/access.ts';
import { storeEmail } from '../users/actions.ts';
import { invalidEmail } from '../users/errors.ts';
import { writeAddressEmail } from './emails.ts';
import {
  confirmChange,
  deleteChangesOlder,
  endChange,
  findOpenChange,
  insertChange,
  listRipe,
  type AddressChange,
  type Outcome,
} from './store.ts';

/** How long both mailboxes have. */
const OWN_HOURS = 24;
/** How long the old mailbox may cancel what an administrator asked for. */
export const GIVEN_WAIT_HOURS = 72;
/** How long the new mailbox has then. */
const GIVEN_HOURS = 7 * 24;
const KEPT_DAYS = 30;
const RIPE_AT_ONCE = 100;

export type Side = 'old' | 'new';

/** A person asks for another address of their own. Whether it has an account is found out by its mailbox alone. */
export async function askOwnAddress(
  ctx: Context,
  actor: User,
  newEmail: string,
  caller: string,
): Promise<void> {
  const email = newEmail.trim();
  if (!isEmail(email)) throw invalidEmail();
  if (!isMailConfigured(ctx.config)) throw noMail();
  const network = limitKeyOf(caller);
  const isSent = await countEmail(ctx, { email, network }, async (tx) => {
    const user = await accessUserForUpdate(tx, actor.id);
    await ask(tx, ctx, user, email, { by: user, waitHours: 0, hours: OWN_HOURS });
  });
  if (!isSent) throw tooManyEmails();
}

/** An administrator asks for it. The caller has checked that they may, and has locked `user`. */
export const askGivenAddress = (
  tx: Tx,
  ctx: Context,
  user: User,
  email: string,
  by: Pick<User, 'id' | 'fullName'>,
): Promise<void> =>
  ask(tx, ctx, user, email, { by, waitHours: GIVEN_WAIT_HOURS, hours: GIVEN_HOURS });

async function ask(
  tx: Tx,
  ctx: Context,
  user: User,
  newEmail: string,
  given: {
    readonly by: Pick<User, 'id' | 'fullName'>;
    readonly waitHours: number;
    readonly hours: number;
  },
): Promise<void> {
  const { by, waitHours, hours } = given;
  const before = await findOpenChange(tx, user.id);
  if (before !== undefined) await end(tx, before, 'replaced');
  const change = { userId: user.id, oldEmail: user.email, newEmail, byId: by.id, waitHours, hours };
  await insertChange(tx, change);
  const link = { userId: user.id, hours, email: user.email };
  const [oldKey, newKey] = [
    await makeLink(tx, ctx.secrets, { ...link, purpose: 'address_old' }),
    await makeLink(tx, ctx.secrets, { ...link, purpose: 'address_new' }),
  ];
  const isOwn = by.id === user.id;
  const told = { newEmail, by: by.fullName, notAfterMs: ctx.clock.now() + hours * 3_600_000 };
  await writeAddressEmail(tx, ctx, user, { ...told, kind: isOwn ? 'old' : 'cancel', key: oldKey });
  await writeAddressEmail(tx, ctx, user, { ...told, kind: 'new', key: newKey });
  noteAct(tx, {
    act: 'address ask',
    subject: user.email,
    details: { userId: user.id, newEmail, isOwn },
  });
}

export interface OpenedAddressLink {
  readonly side: Side;
  readonly user: User;
  readonly change: AddressChange;
  /** Whether this mailbox can confirm; the old one only cancels what an administrator asked for. */
  readonly mayConfirm: boolean;
}

/** What the link is about; undefined if it cannot be used any more. */
export async function findAddressLink(
  ctx: Context,
  key: string,
): Promise<OpenedAddressLink | undefined> {
  for (const side of ['old', 'new'] as const) {
    const userId = await findLinkOwner(ctx.db, ctx.secrets, `address_${side}`, key);
    if (userId === undefined) continue;
    const [user, change] = [
      await findUser(ctx.db, userId),
      await findOpenChange(ctx.db, userId),
    ] as const;
    if (user === undefined || change === undefined || change.isLate) return undefined;
    return { side, user, change, mayConfirm: mayConfirm(side, change) };
  }
  return undefined;
}

const mayConfirm = (side: Side, { byId, userId }: AddressChange): boolean =>
  side === 'new' || byId === userId;

export type Decided = 'over' | 'confirmed' | Extract<Outcome, 'done' | 'canceled' | 'taken'>;

/** A mailbox decides. The link stays usable until the change ends, so that the old one can still cancel. */
export function decideAddress(
  ctx: Context,
  { side, user: { id } }: OpenedAddressLink,
  key: string,
  decision: 'confirm' | 'cancel',
): Promise<Decided> {
  return ctx.inTransaction(async (tx): Promise<Decided> => {
    const user = await accessUserForUpdate(tx, id);
    const owner = await findLinkOwner(tx, ctx.secrets, `address_${side}`, key);
    const change = owner === user.id ? await findOpenChange(tx, user.id) : undefined;
    if (
      change === undefined ||
      change.isLate ||
      (decision === 'confirm' && !mayConfirm(side, change))
    ) {
      noteNothing(tx);
      return 'over';
    }
    if (decision === 'cancel') {
      await end(tx, change, 'canceled');
      noteAct(tx, {
        act: 'address cancel',
        subject: user.email,
        details: { userId: user.id, newEmail: change.newEmail, side },
        by: user,
      });
      return 'canceled';
    }
    return complete(tx, ctx, user, await confirmChange(tx, change.id, side));
  });
}

/** Gives the address if everything that is needed is there. */
async function complete(
  tx: Tx,
  ctx: Context,
  user: User,
  change: AddressChange,
): Promise<'confirmed' | 'done' | 'taken'> {
  const isAgreed = change.byId !== change.userId || change.oldConfirmedAt !== null;
  if (change.newConfirmedAt === null || !isAgreed || !change.isDue) {
    noteNothing(tx);
    return 'confirmed';
  }
  // Somebody may have got the address meanwhile.
  const holder = await findUserByEmail(tx, change.newEmail);
  if (holder !== undefined && holder.id !== user.id) {
    await end(tx, change, 'taken');
    noteNothing(tx);
    return 'taken';
  }
  // The old mailbox is told while it is still the account's.
  await tellPerson(tx, ctx, user, 'address_changed', { email: change.newEmail });
  await end(tx, change, 'done');
  await endLinks(tx, user.id, 'password');
  await storeEmail(tx, user, change.newEmail, null);
  await freezeWithdrawals(tx, user.id, FREEZE_HOURS);
  emitSecurity(tx, user.id, 'freeze');
  await tellPerson(tx, ctx, { ...user, email: change.newEmail }, 'address_set');
  noteAct(tx, {
    act: 'user set_email',
    subject: user.email,
    before: { email: user.email },
    after: { email: change.newEmail },
    details: { userId: user.id, askedBy: change.byId },
    by: user,
  });
  return 'done';
}

async function end(tx: Tx, { id, userId }: AddressChange, outcome: Outcome): Promise<void> {
  await endChange(tx, id, outcome);
  await endLinks(tx, userId, 'address_old');
  await endLinks(tx, userId, 'address_new');
}

/** Gives the addresses whose waiting is over, and ends what nobody confirmed. Returns how many ended. */
export async function finishAddressChanges(ctx: Context): Promise<number> {
  let count = await deleteChangesOlder(ctx.db, KEPT_DAYS);
  for (const userId of await listRipe(ctx.db, RIPE_AT_ONCE)) {
    await ctx.inTransaction(async (tx) => {
      const user = await accessUserForUpdate(tx, userId);
      const change = await findOpenChange(tx, userId);
      if (change === undefined) return;
      if (change.isLate) await end(tx, change, 'expired');
      else await complete(tx, ctx, user, change);
    });
    count += 1;
  }
  return count;
}

const noMail = () =>
  new Refusal({
    code: 'BAD_REQUEST',
    message:
      'This server sends no emails, so it cannot confirm an address. Ask an administrator for another address.',
    status: 400,
  });

const tooManyEmails = () =>
  new Refusal({
    code: 'RATE_LIMIT_HIT',
    message:
      'Too many emails were asked for, for this address or from this network. Try again in an hour.',
    status: 429,
    headers: { 'retry-after': '3600' },
  });
