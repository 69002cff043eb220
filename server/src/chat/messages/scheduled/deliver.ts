// Sends due messages as their owner would: the same checks, the same functions. The message and the mark that it was
// sent are one transaction.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { OriginContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { DueList } from '../../../platform/due/runner.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import type { Clock } from '../../../platform/std/clock.ts';
import { badRequest } from '../../http/errors.ts';
import { listPeople } from '../sending/people.ts';
import { sendPlainlyIn } from '../sending/plain/send.ts';
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
  // The first try relies on what this process remembers. A statement that PostgreSQL refuses ends the transaction, so
  // whatever has failed once goes the long way.
  if (!isTooLate && row.attempts === 0 && (await sendByMemory(tx, ctx, row))) return;
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

/** Sends it by one statement, which checks that what is remembered still holds. False if it needs the long way. */
async function sendByMemory(tx: Tx, ctx: OriginContext, row: ScheduledRow): Promise<boolean> {
  const facts = ctx.facts.reader(tx);
  const [owner] = await listPeople(facts.db, [row.userId]);
  if (owner === undefined || !owner.isActive) return false;
  const { destination, topic } = addressedIn(row);
  const sent = await sendPlainlyIn(tx, { ...ctx, clock: clockOf(ctx, row) }, facts, owner, {
    addressee: destination,
    topic,
    content: row.content,
    manner: { client: row.client, isRead: row.readBySender },
    uuid: undefined,
    request: undefined,
  });
  if (sent !== undefined) await finish(tx, row, sent);
  return sent !== undefined;
}

type Owner = Awaited<ReturnType<typeof listUsersById>>[number];

async function send(tx: Tx, ctx: OriginContext, owner: Owner, row: ScheduledRow): Promise<void> {
  const { destination, topic } = addressedIn(row);
  const outgoing = await prepareMessage(tx, ctx, owner, row.content);
  const target = await checkSending(tx, outgoing, destination, topic);
  const { client, readBySender: isRead } = row;
  const clock = clockOf(ctx, row);
  const sent = await sendPrepared(tx, { clock }, outgoing, target, { client, isRead });
  await finish(tx, row, sent.id);
}

/** The visible time is never before the scheduled one, even if this machine's clock is slow. */
const clockOf = ({ clock }: OriginContext, { deliverAt }: ScheduledRow): Clock => ({
  now: () => Math.max(clock.now(), deliverAt.getTime()),
});

async function finish(tx: Tx, { id, userId }: ScheduledRow, messageId: number): Promise<void> {
  await markSent(tx, id, messageId);
  tx.emit(scheduledRemoved(id), { users: [userId] });
}
