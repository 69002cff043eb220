// Sends due messages as their owner would: the same checks, the same function. The message and the mark that it was
// sent are one transaction.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { OriginContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { DueList } from '../../../platform/due/runner.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { badRequest } from '../../http/errors.ts';
import { prepareMessage } from '../sending/prepare.ts';
import { checkSending, sendPrepared } from '../sending/send.ts';
import { tellNotSent } from '../notices/actions.ts';
import { addressedIn } from './actions.ts';
import { scheduledRemoved, scheduledUpdated } from './events.ts';
import { markFailed, markSent, readDue, type ScheduledRow } from './store.ts';

/** A message that is later than this is not sent. A late greeting is worse than none; the owner can still send it. */
const LATE_SECONDS_MAX = 600;

export const scheduledMessages = (ctx: OriginContext): DueList => ({
  table: 'scheduled_messages',
  act: (tx, id) => deliver(tx, ctx, id),
});

async function deliver(tx: Tx, ctx: OriginContext, id: number): Promise<void> {
  const { row, isTooLate } = await readDue(tx, id, LATE_SECONDS_MAX);
  const [owner] = await listUsersById(tx, [row.userId]);
  try {
    await tx.savepoint(async () => {
      if (owner === undefined || !owner.isActive) throw badRequest('Account is deactivated');
      if (isTooLate) throw badRequest('Message could not be sent at the scheduled time.');
      await send(tx, ctx, owner, row);
    });
  } catch (error) {
    // A refusal is final. Any other failure is ours or the database's, and is retried.
    if (!(error instanceof Refusal)) throw error;
    const message = await markFailed(tx, id, error.message);
    tx.emit(scheduledUpdated(message), { users: [row.userId] });
    if (owner?.isActive === true) {
      await tellNotSent(tx, ctx, owner.id, row.deliverAt, error.message);
    }
  }
}

type Owner = Awaited<ReturnType<typeof listUsersById>>[number];

async function send(tx: Tx, ctx: OriginContext, owner: Owner, row: ScheduledRow): Promise<void> {
  const { destination, topic } = addressedIn(row);
  const outgoing = await prepareMessage(tx, ctx, owner, row.content);
  const target = await checkSending(tx, outgoing, destination, topic);
  // The visible time is never before the scheduled one, even if this machine's clock is slow.
  const clock = { now: () => Math.max(ctx.clock.now(), row.deliverAt.getTime()) };
  const { client, readBySender: isRead } = row;
  const sent = await sendPrepared(tx, { clock }, outgoing, target, { client, isRead });
  await markSent(tx, row.id, sent.id);
  tx.emit(scheduledRemoved(row.id), { users: [row.userId] });
}
