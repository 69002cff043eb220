// Sends messages. This file has the order of the steps and the transaction; each step is a file of its own beside it.
import { holdActing } from '../../../accounts/users/authority.ts';
import type { User } from '../../../accounts/user.ts';
import { hostOf, type Context, type OriginContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { withoutPlaceholders } from '../../rights/sight/access.ts';
import { normalizeContent } from '../../text/markdown/content.ts';
import type { Target } from '../message/channels-for-reader.ts';
import { claimEcho, storeEcho } from '../message/store.ts';
import { parseFormWidget } from '../widgets/given.ts';
import { followTopic } from './follow.ts';
import { isInteractive } from './interactive-clients.ts';
import { post, type Manner } from './post.ts';
import { checkPosting } from './posting-rules.ts';
import { prepareMessage, type OutgoingMessage } from './prepare.ts';
import { parseAddressee, type Addressee, type MessageType } from './recipients.ts';
import { claimOnce, findEarlier, hashOf, isUuid, noteSent } from './once.ts';
import { pathOf } from './path.ts';
import { sendPlainly } from './plain/send.ts';
import { findTarget } from './target.ts';

export interface SendInput {
  readonly type: MessageType;
  readonly to: string | undefined;
  readonly topic: string | undefined;
  readonly content: string;
  /** The name of the client. */
  readonly client: string;
  readonly readBySender: boolean | undefined;
  readonly queueId: string | undefined;
  readonly localId: string | undefined;
  /** A widget as JSON, sent along with the message. */
  readonly widget?: string | undefined;
}

export interface SentMessage {
  readonly id: number;
  /** The path of the message in the web app, relative to the origin. */
  readonly path: string;
  /** The sender's new setting for the topic, if sending changed it. */
  readonly newVisibility?: number | undefined;
}

/**
 * Sends one message. When it returns, everybody entitled to the message can read it; when it throws, nothing was sent.
 * A repeated request sends nothing again: one under a UUID (`once.ts`), or with the same local id and queue.
 *
 * Rendering is the slow part, so `prepareMessage` runs before the transaction, with what it needs: the sender's groups,
 * what the organization grants to whom, and its settings. These are not read again. In the transaction `holdActing`
 * refuses a sender who was deactivated or lost their role since, and keeps both as they are until the end. The channel
 * with its permissions and the sender's subscription, the recipients, the topic, the permissions of mentioned groups and
 * the right to each file are read in the transaction.
 *
 * Most messages need none of that: `sendPlainly` sends them by what this process remembers, in one statement that
 * checks that it still holds. What it leaves to this function was not sent, and not refused.
 */
export async function sendMessage(
  ctx: OriginContext,
  sender: User,
  input: SendInput,
): Promise<SentMessage> {
  const { queueId, localId } = input;
  const uuid = localId !== undefined && isUuid(localId) ? localId : undefined;
  if (uuid !== undefined) {
    // The first request was checked and sent; what became of its channel or its sender's rights is no matter now.
    await ctx.facts.confirm();
    const earlier = await findEarlier(ctx.db, sender.id, uuid, input);
    if (earlier !== undefined) return earlier;
  }
  const content = normalizeContent(input.content);
  const addressee = namedById(parseAddressee(input.type, input.to), hostOf(ctx));
  const widget = input.widget === undefined ? undefined : parseFormWidget(input.widget);
  const echo = queueId !== undefined && localId !== undefined ? { queueId, localId } : undefined;
  const isRead = input.readBySender ?? isInteractive(input.client);
  const { client, topic } = input;
  const manner = { client, isRead, echo, widget };
  const request = uuid === undefined ? undefined : hashOf(input);
  const plain = { addressee, topic, content, manner, uuid, request };
  const sent = await sendPlainly(ctx, sender, plain);
  if (sent !== undefined) return sent;
  await ctx.facts.confirm();
  const outgoing = await prepareMessage(ctx.db, ctx, sender, content);
  return ctx.inTransaction(async (tx) => {
    await holdActing(tx, sender);
    if (uuid !== undefined) {
      const earlier = await claimOnce(tx, sender.id, uuid, input);
      if (earlier !== undefined) return earlier;
    }
    const target = await findTarget(tx, outgoing, addressee, topic);
    if (echo !== undefined && uuid === undefined) {
      const earlier = await claimEcho(tx, sender.id, echo.queueId, echo.localId);
      if (earlier !== undefined) return { id: earlier, path: pathOf(target, earlier) };
    }
    await checkPosting(tx, outgoing, target);
    const { id, newVisibility } = await sendPrepared(tx, ctx, outgoing, target, manner);
    const path = pathOf(target, id);
    if (uuid !== undefined) await noteSent(tx, sender.id, uuid, { id, path });
    else if (echo !== undefined) await storeEcho(tx, sender.id, echo.queueId, echo.localId, id);
    return { id, path, newVisibility };
  });
}

/** All checks of sending, in the order of the API; returns where the message goes if it may be sent now. */
export async function checkSending(
  tx: Tx,
  outgoing: OutgoingMessage,
  addressee: Addressee,
  topic: string | undefined,
): Promise<Target> {
  const target = await findTarget(tx, outgoing, addressee, topic);
  await checkPosting(tx, outgoing, target);
  return target;
}

/** Sends a message that passed `checkSending`. */
export async function sendPrepared(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  { sender, content, rendered }: OutgoingMessage,
  target: Target,
  { client, isRead, ...rest }: Manner,
): Promise<Pick<SentMessage, 'id' | 'newVisibility'>> {
  const readBy = isRead ? [sender.id] : [];
  const posting = { sender, target, content, rendered, client, readBy, ...rest };
  const posted = await post(tx, ctx, posting);
  return { id: posted.id, newVisibility: await followTopic(tx, ctx, sender, target, posted) };
}

/** Addresses that stand for hidden ones become the ids that they name. */
const namedById = (addressee: Addressee, host: string): Addressee =>
  'emails' in addressee
    ? { ...addressee, emails: withoutPlaceholders(addressee.emails, host) }
    : addressee;
