// Creates, resends and revokes invitations by email and by link. What an invitation promises is checked here, and again
// when somebody accepts it (accept.ts).
import { noteAct } from '../../../accounts/audit/actions.ts';
import type { User } from '../../../accounts/user.ts';
import { insufficientPermission } from '../../../accounts/users/errors.ts';
import type { ApiContext, Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { isMailConfigured } from '../../../platform/mail/transport.ts';
import { tellMailMissing } from '../../messages/notices/actions.ts';
import { readOrganization } from '../../organization/org/access.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { may } from '../../rights/permissions/rights.ts';
import { accessInvitation, accessLink, linkUrl } from './access.ts';
import { tellInvitesChanged } from './announce.ts';
import {
  checkAge,
  checkDailyLimit,
  checkOffer,
  checkInvitedRole,
  checkInvitees,
  readPolicy,
  sortOut,
} from './checks.ts';
import { alreadyEnded, alreadyRevoked, othersInvited, tooManyLinks } from './errors.ts';
import { createKey, lookUp, sealOwner } from './key.ts';
import { detailsOf, termsOf, type EmailedOffer, type Offer } from './offer.ts';
import { readInviter, sendInvitation, senderOf, storeInvitation } from './sending.ts';
import {
  deleteKeys,
  endInvitation,
  countLinks,
  insertInvitationLink,
  revokeLink,
  updateInvitation,
  type Invitation,
} from './store.ts';

/**
 * Invites everybody whom the text names, except people with an account. If there are such people, the call ends with a
 * refusal that names them, although the others are invited by then.
 */
export async function invite(ctx: ApiContext, actor: User, offer: EmailedOffer): Promise<void> {
  const problems = await ctx.inTransaction(async (tx) => {
    const rights = await readRights(tx, actor);
    if (!may(rights, 'can_invite_users_group')) throw insufficientPermission();
    checkInvitedRole(rights, offer.role);
    const invitees = checkInvitees(offer.emails);
    await checkOffer(tx, rights, offer);
    const organization = await readOrganization(tx, ctx.config);
    await checkDailyLimit(tx, ctx, invitees.length);
    checkAge(ctx, actor, organization);
    const { fresh, registered } = await sortOut(tx, invitees, await readPolicy(tx, organization));
    const invitations: Invitation[] = [];
    for (const invitee of fresh) {
      invitations.push(await storeInvitation(tx, ctx, actor, invitee, offer));
    }
    for (const invitation of invitations) {
      await sendInvitation(
        tx,
        ctx,
        actor.fullName,
        senderOf(ctx.publicUrl(), organization),
        invitation,
      );
    }
    await tellInvitesChanged(tx, [actor.id]);
    if (fresh.length > 0) await tellIfUnmailed(tx, ctx, actor, 'email');
    noteAct(tx, {
      act: 'invitation send',
      subject: fresh.length === 1 ? (fresh[0]?.email ?? '') : `${fresh.length} addresses`,
      details: { ...detailsOf(offer), emails: fresh.map(({ email }) => email) },
    });
    return registered;
  });
  if (problems.length > 0) throw othersInvited(problems);
}

/** The API's answer has no field for this warning, so the notification bot sends it. */
async function tellIfUnmailed(
  tx: Tx,
  ctx: Context,
  actor: User,
  waiting: 'email' | 'link',
): Promise<void> {
  if (!isMailConfigured(ctx.config)) await tellMailMissing(tx, ctx, actor.id, waiting);
}

/** Reusable links that one person may have open. The list of invitations has them all in one answer. */
const LINKS_MAX = 100;

/** Creates a link that anybody who has it may use; returns its address. */
export async function createInvitationLink(
  ctx: ApiContext,
  actor: User,
  offer: Offer,
): Promise<string> {
  const key = createKey();
  await ctx.inTransaction(async (tx) => {
    const rights = await readRights(tx, actor);
    if (!may(rights, 'create_multiuse_invite_group')) throw insufficientPermission();
    checkInvitedRole(rights, offer.role);
    await checkOffer(tx, rights, offer);
    if ((await countLinks(tx, actor.id)) >= LINKS_MAX) throw tooManyLinks(LINKS_MAX);
    const keyLookup = lookUp(ctx.secrets, 'link', key);
    const id = await insertInvitationLink(tx, {
      ...termsOf(ctx, actor, offer),
      keyLookup,
      keySealed: ctx.secrets.seal(sealOwner(keyLookup), key),
    });
    await tellInvitesChanged(tx, [actor.id]);
    await tellIfUnmailed(tx, ctx, actor, 'link');
    noteAct(tx, {
      act: 'invitation link create',
      subject: `link ${id}`,
      details: detailsOf(offer),
    });
  });
  return linkUrl(ctx.publicUrl(), key);
}

export function revokeInvitation(ctx: Context, actor: User, id: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const invitation = await accessInvitation(tx, actor, id);
    if (invitation.state !== 'open') throw alreadyEnded();
    await endInvitation(tx, id, 'revoked', new Date(ctx.clock.now()), null);
    await tellInvitesChanged(tx, [invitation.inviterId]);
    noteAct(tx, {
      act: 'invitation revoke',
      subject: invitation.email,
      details: { id, inviter_id: invitation.inviterId },
    });
  });
}

export function revokeInvitationLink(ctx: Context, actor: User, id: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const link = await accessLink(tx, actor, id);
    if (link.revokedAt !== null) throw alreadyRevoked();
    await revokeLink(tx, id, new Date(ctx.clock.now()));
    await tellInvitesChanged(tx, [link.inviterId]);
    noteAct(tx, {
      act: 'invitation link revoke',
      subject: `link ${id}`,
      details: { inviter_id: link.inviterId },
    });
  });
}

/** Sends a new email with a new key, valid as long as the first one was. Earlier emails stop working. */
export function resendInvitation(ctx: ApiContext, actor: User, id: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const before = await accessInvitation(tx, actor, id);
    const inviter = await readInviter(tx, before);
    if (before.state !== 'open' || inviter === undefined) throw alreadyEnded();
    const rights = await readRights(tx, actor);
    // Resending needs the same permission as inviting.
    if (!may(rights, 'can_invite_users_group')) throw insufficientPermission();
    checkInvitedRole(rights, before.role);
    await checkDailyLimit(tx, ctx, 1);
    const nowMs = ctx.clock.now();
    const invitedAt = new Date(nowMs);
    const expiresAt =
      before.expiresAt && new Date(nowMs + before.expiresAt.getTime() - before.invitedAt.getTime());
    await updateInvitation(tx, id, { invitedAt, expiresAt, remindedAt: null });
    await deleteKeys(tx, id);
    const organization = await readOrganization(tx, ctx.config);
    await sendInvitation(tx, ctx, inviter.fullName, senderOf(ctx.publicUrl(), organization), {
      ...before,
      invitedAt,
      expiresAt,
    });
    await tellInvitesChanged(tx, [before.inviterId]);
    await tellIfUnmailed(tx, ctx, actor, 'email');
    noteAct(tx, {
      act: 'invitation resend',
      subject: before.email,
      details: { id, inviter_id: before.inviterId },
    });
  });
}
