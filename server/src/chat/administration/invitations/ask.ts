// Requests to join by a reusable link. Only the mailbox is told whether the address already has an account.
import { noteNothing } from '../../../accounts/audit/actions.ts';
import { findUserByEmail } from '../../../accounts/users/access.ts';
import type { ApiContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { limitKeyOf } from '../../../platform/http/address.ts';
import { queueEmail } from '../../../platform/mail/queue.ts';
import { isMailConfigured } from '../../../platform/mail/transport.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { rateLimitHit } from '../../http/errors.ts';
import { readOrganization, type Organization } from '../../organization/org/access.ts';
import { readPolicy } from './checks.ts';
import { addressRefused, invitationOver, mailMissing, tooManyEmails } from './errors.ts';
import { alreadyHereEmail, confirmationEmail } from './emails.ts';
import { findAddressProblem } from './rules.ts';
import { addKey, senderOf } from './sending.ts';
import { readLinkValidity } from './validity.ts';
import {
  countAskedSince,
  endInvitation,
  insertInvitation,
  lockAddress,
  shareLink,
  type InvitationLink,
} from './store.ts';

/** How long a confirmation of an address can be used. */
const CONFIRMATION_MS = DAY_MS;

/** Sends an email to the address, with or without an account. `caller` is the address of the request. */
export async function askToJoin(
  ctx: ApiContext,
  key: string,
  email: string,
  caller: string,
): Promise<void> {
  const validity = await readLinkValidity(ctx.db, ctx, key);
  if (validity.kind !== 'valid') throw invitationOver(validity.kind);
  const organization = await readOrganization(ctx.db, ctx.config);
  const problem = findAddressProblem(email, await readPolicy(ctx.db, organization));
  if (problem !== undefined) throw addressRefused(problem);
  if (!isMailConfigured(ctx.config)) throw mailMissing();
  await admitCaller(ctx, caller);
  await ctx.inTransaction(async (tx) => {
    const link = await shareLink(tx, validity.invitation.id);
    if (link === undefined || link.revokedAt !== null) throw invitationOver('revoked');
    await confirm(tx, ctx, organization, link, email);
    // No account exists yet; the audit log gets an entry when somebody confirms the address.
    noteNothing(tx);
  });
}

async function admitCaller(ctx: ApiContext, caller: string): Promise<void> {
  const { admitted, atMs, resetMs } = await ctx.windows.admit(`signup:${limitKeyOf(caller)}`, {
    limit: ctx.config.SIGNUP_MAILS_PER_CALLER,
    windowMs: DAY_MS,
  });
  if (!admitted) throw rateLimitHit(Math.max(1, (resetMs - atMs) / 1000));
}

async function confirm(
  tx: Tx,
  ctx: ApiContext,
  organization: Organization,
  link: InvitationLink,
  email: string,
): Promise<void> {
  const nowMs = ctx.clock.now();
  // Limits the emails to one address, so that strangers cannot fill somebody's mailbox.
  await lockAddress(tx, email);
  const asked = await countAskedSince(tx, email, new Date(nowMs - DAY_MS));
  if (asked >= ctx.config.SIGNUP_MAILS_PER_RECIPIENT) throw tooManyEmails();
  const untilMs = Math.min(nowMs + CONFIRMATION_MS, link.expiresAt?.getTime() ?? Infinity);
  const expiresAt = new Date(untilMs);
  const { id } = await insertInvitation(tx, {
    email,
    inviterId: link.inviterId,
    linkId: link.id,
    role: link.role,
    channelIds: [],
    groupIds: [],
    includesDefaults: false,
    notifiesInviter: false,
    invitedAt: new Date(nowMs),
    expiresAt,
  });
  const sender = senderOf(ctx.publicUrl(), organization);
  const taken = await findUserByEmail(tx, email);
  if (taken === undefined) {
    const key = await addKey(tx, ctx, id);
    await queueEmail(
      tx,
      ctx,
      'confirmation',
      confirmationEmail(sender, { to: email, key, expiresAt }),
    );
    return;
  }
  // The row only counts towards the limit; it has no key.
  await endInvitation(tx, id, 'revoked', new Date(nowMs), null);
  // A bot has no mailbox.
  if (taken.botType === null) {
    await queueEmail(tx, ctx, 'confirmation', alreadyHereEmail(sender, taken.email, expiresAt));
  }
}
