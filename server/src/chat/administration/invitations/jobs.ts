// Reminds people of invitations that end soon, and deletes invitations that ended long ago.
import type { Context } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/define.ts';
import { queueEmail } from '../../../platform/mail/queue.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { readOrganization } from '../../organization/org/access.ts';
import { REMINDER } from './reminder-job-kind.ts';
import { reminderEmail } from './emails.ts';
import { addKey, readInviter, senderOf } from './sending.ts';
import { deleteOver, lockInvitation, updateInvitation } from './store.ts';

const KEPT_MS = 30 * DAY_MS;

/** Sends one reminder per invitation, also when the job is repeated. */
export const remindInvitee = defineJob({
  ...REMINDER,
  async run(ctx, { invitationId, origin }) {
    await ctx.inTransaction(async (tx) => {
      const invitation = await lockInvitation(tx, invitationId);
      if (invitation === undefined || invitation.state !== 'open') return;
      const { email, expiresAt, remindedAt } = invitation;
      const nowMs = ctx.clock.now();
      const isOver = expiresAt === null || expiresAt.getTime() <= nowMs;
      const inviter = await readInviter(tx, invitation);
      if (isOver || remindedAt !== null || inviter === undefined) return;
      await updateInvitation(tx, invitationId, { remindedAt: new Date(nowMs) });
      const sender = senderOf(origin, await readOrganization(tx, ctx.config));
      const key = await addKey(tx, ctx, invitationId);
      await queueEmail(
        tx,
        ctx,
        'reminder',
        reminderEmail(sender, { to: email, inviter: inviter.fullName, key, expiresAt }),
      );
    });
  },
});

export const forgetInvitations = (ctx: Context): Promise<number> =>
  deleteOver(ctx.db, new Date(ctx.clock.now() - KEPT_MS));
