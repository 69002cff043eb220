// Schedules messages, and changes or deletes them before they are sent.
import type { User } from '../../../accounts/user.ts';
import type { Context, OriginContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { isToCome } from '../../../platform/due/clock.ts';
import { othersOf } from '../drafts/rules.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { normalizeContent } from '../../text/markdown/content.ts';
import { isInteractive } from '../sending/interactive-clients.ts';
import { prepareMessage } from '../sending/prepare.ts';
import type { MessageType } from '../sending/recipients.ts';
import { checkSending } from '../sending/send.ts';
import { checkOwnRoom } from '../../rights/allowances/room.ts';
import { normalizeTopic } from '../../conversations/topics/rules.ts';
import { scheduledAdded, scheduledRemoved, scheduledUpdated } from './events.ts';
import {
  addresseeKindOf,
  parseDestination,
  readdress,
  type Addressed,
  type ScheduledEdit,
  type Destination,
} from './rules.ts';
import {
  countScheduled,
  deleteScheduled,
  insertScheduled,
  lockScheduled,
  SCHEDULED,
  updateScheduled,
  type Changed,
  type ScheduledRow,
} from './store.ts';

/** Limited, because clients get all of them at once. */
const SCHEDULED_PER_USER_MAX = 1000;

export interface ScheduleInput {
  readonly type: MessageType;
  readonly to: number | readonly number[];
  readonly content: string;
  readonly topic: string | undefined;
  /** Unix seconds. */
  readonly deliverAt: number;
  readonly readBySender: boolean | undefined;
  /** The name of the client that schedules; the sent message gets it too. */
  readonly client: string;
}

/** Schedules a message, if the sender could send it now; returns the id of the scheduled message. */
export async function scheduleMessage(
  ctx: OriginContext,
  actor: User,
  input: ScheduleInput,
): Promise<number> {
  await checkTime(ctx.db, input.deliverAt);
  const content = normalizeContent(input.content);
  const given = parseDestination(addresseeKindOf(input.type), input.to);
  const outgoing = await prepareMessage(ctx.db, ctx, actor, content);
  return ctx.inTransaction(async (tx) => {
    await checkSending(tx, outgoing, given, input.topic);
    if ((await countScheduled(tx, actor.id, SCHEDULED_PER_USER_MAX)) >= SCHEDULED_PER_USER_MAX) {
      throw badRequest(`You cannot have more than ${SCHEDULED_PER_USER_MAX} scheduled messages.`);
    }
    const message = await insertScheduled(tx, {
      userId: actor.id,
      destination: stored(actor, given),
      topic: given.kind === 'channel' ? normalizeTopic(input.topic ?? '') : '',
      content,
      rendered: outgoing.rendered.html,
      client: input.client,
      readBySender: input.readBySender ?? isInteractive(input.client),
      deliverAt: new Date(input.deliverAt * 1000),
    });
    await checkOwnRoom(tx, SCHEDULED, actor.id);
    tx.emit(scheduledAdded(message), { users: [actor.id] });
    return message.scheduled_message_id;
  });
}

export interface ScheduledChange extends ScheduledEdit {
  /** Unix seconds. */
  readonly deliverAt?: number | undefined;
}

/** Changes a message that is not sent yet. If sending it had failed, it is tried again at a new time. */
export async function editScheduled(
  ctx: OriginContext,
  actor: User,
  id: number,
  change: ScheduledChange,
): Promise<void> {
  const { type, to, content, topic, deliverAt } = change;
  if ([type, to, content, topic, deliverAt].every((one) => one === undefined)) {
    throw badRequest('Nothing to change');
  }
  if (deliverAt !== undefined) await checkTime(ctx.db, deliverAt);
  await ctx.inTransaction(async (tx) => {
    const row = await accessUnsent(tx, actor, id);
    const before = addressedIn(row);
    const { destination, topic: nextTopic } = readdress(before, change);
    if (row.failure !== null && deliverAt === undefined) throw timeIsPast();
    const next = {
      destination: stored(actor, destination),
      topic: nextTopic,
      deliverAt: deliverAt === undefined ? row.deliverAt : new Date(deliverAt * 1000),
    };
    const saysMore = [type, to, content].some((one) => one !== undefined);
    const text =
      saysMore || nextTopic !== before.topic
        ? await checkText(tx, ctx, actor, next, content ?? row.content)
        : { content: row.content, rendered: row.rendered };
    const message = await updateScheduled(tx, id, { ...next, ...text });
    await checkOwnRoom(tx, SCHEDULED, actor.id);
    tx.emit(scheduledUpdated(message), { users: [actor.id] });
  });
}

/**
 * Checks that the text may be sent to its destination, and renders it. The row is locked meanwhile, which delays only
 * other changes to the same scheduled message.
 */
async function checkText(
  tx: Tx,
  ctx: OriginContext,
  actor: User,
  { destination, topic }: Addressed,
  text: string,
): Promise<Pick<Changed, 'content' | 'rendered'>> {
  const content = normalizeContent(text);
  const outgoing = await prepareMessage(tx, ctx, actor, content);
  await checkSending(tx, outgoing, destination, topic);
  return { content, rendered: outgoing.rendered.html };
}

export function removeScheduled(ctx: Context, actor: User, id: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await accessUnsent(tx, actor, id);
    await deleteScheduled(tx, id);
    tx.emit(scheduledRemoved(id), { users: [actor.id] });
  });
}

async function accessUnsent(tx: Tx, actor: User, id: number): Promise<ScheduledRow> {
  const row = await lockScheduled(tx, actor.id, id);
  if (row === undefined) throw notFound('Scheduled message does not exist');
  if (row.sentAt !== null) throw badRequest('Scheduled message was already sent');
  return row;
}

/** The recipients as the owner sees them: without the owner, unless it is a note to self. */
const stored = (owner: User, destination: Destination): Destination =>
  destination.kind === 'channel'
    ? destination
    : { kind: 'direct', userIds: othersOf(owner.id, destination.userIds) };

/** The table's checks guarantee that there is a channel or people. */
export const addressedIn = ({ channelId, people, topic }: ScheduledRow): Addressed => ({
  destination:
    channelId === null
      ? { kind: 'direct', userIds: people ?? [] }
      : { kind: 'channel', channel: channelId },
  topic,
});

const timeIsPast = () => badRequest('Scheduled delivery time must be in the future.');

async function checkTime(db: Db, seconds: number): Promise<void> {
  if (!(await isToCome(db, new Date(seconds * 1000)))) throw timeIsPast();
}
