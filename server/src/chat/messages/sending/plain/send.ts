// Sends plain messages: to a channel, calling nobody by name, without files or widgets. Most messages are plain, and
// everything that decides about one is a fact that this process remembers. So it takes one statement, which checks that
// the facts still hold.
import type { User } from '../../../../accounts/user.ts';
import type { OriginContext } from '../../../../platform/context.ts';
import type { Db } from '../../../../platform/db/pool.ts';
import { Refusal } from '../../../../platform/http/refusal.ts';
import { changeBySending } from '../../../conversations/topics/automatic.ts';
import { canCreateTopic } from '../../../rights/permissions/rights.ts';
import { findReferences } from '../../../text/markdown/references.ts';
import { mayAlert } from '../../alert-words/access.ts';
import type { Target } from '../../message/channels-for-reader.ts';
import { splitMessageSent } from '../../message/events.ts';
import { listMuters } from '../../muted-users/access.ts';
import { parseWidget } from '../../widgets/parse.ts';
import { pathOf } from '../path.ts';
import {
  announcementOf,
  hasMentions,
  messageOf,
  rowOfFresh,
  type Manner,
  type Posting,
} from '../post.ts';
import { prepareMessage, type OutgoingMessage } from '../prepare.ts';
import type { Addressee } from '../recipients.ts';
import { findTarget } from '../target.ts';
import { linksOfTopic } from '../topic-links.ts';
import { postTogether } from './batch.ts';
import type { PlainPost } from './store.ts';

export interface PlainInput {
  readonly addressee: Addressee;
  readonly topic: string | undefined;
  readonly content: string;
  readonly manner: Manner;
  /** The local id, if it is a UUID, and the hash of the request under it. */
  readonly uuid: string | undefined;
  readonly request: Buffer | undefined;
}

type ChannelTarget = Extract<Target, { kind: 'channel' }>;

/**
 * Sends the message if it is plain and may be sent by what is remembered. Otherwise nothing happened, and the caller
 * sends it the long way, which reads everything: also a refusal is decided there, never by a memory.
 */
export async function sendPlainly(
  ctx: OriginContext,
  sender: User,
  input: PlainInput,
): Promise<{ readonly id: number; readonly path: string } | undefined> {
  const { addressee, content, manner } = input;
  if (addressee.kind !== 'channel' || manner.widget !== undefined) return undefined;
  if (namesAnybody(content) || parseWidget(content) !== undefined) return undefined;
  const reader = ctx.facts.reader(ctx.db);
  const outgoing = await prepareMessage(reader.db, ctx, sender, content);
  const target = await findPlainTarget(reader.db, outgoing, addressee, input.topic);
  if (target === undefined || !(await isPlain(reader.db, outgoing))) return undefined;
  const change = await changeBySending(reader.db, sender, target.channel.channelId);
  if (change === 'maybe') return undefined;
  const topicLinks = await linksOfTopic(reader.db, target.topic);
  const post = {
    ...rowsOf(ctx, outgoing, target, topicLinks, input),
    role: sender.role,
    needs_topic: change === 'if new',
    ...reader.basis(),
  };
  const posted = await postTogether(ctx, target.channel.conversationId, post);
  if (posted === 'stale') reader.forget();
  return typeof posted === 'number' ? { id: posted, path: pathOf(target, posted) } : undefined;
}

function namesAnybody(content: string): boolean {
  const { userNames, userIds, groupNames, uploadPaths } = findReferences(content);
  return userNames.length + userIds.length + groupNames.length + uploadPaths.length > 0;
}

/** The channel, if the sender may write there and may start the topic, by what is remembered. */
async function findPlainTarget(
  db: Db,
  outgoing: OutgoingMessage,
  addressee: Addressee,
  topic: string | undefined,
): Promise<ChannelTarget | undefined> {
  try {
    const target = await findTarget(db, outgoing, addressee, topic);
    if (target.kind !== 'channel') return undefined;
    return canCreateTopic(outgoing.rights, target.channel) ? target : undefined;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Whether nobody has to be told in a way of their own. */
async function isPlain(db: Db, { sender, rendered }: OutgoingMessage): Promise<boolean> {
  const { mentions, uploadPaths } = rendered;
  if (hasMentions(rendered) || mentions.hasChannelWildcard || uploadPaths.length > 0) return false;
  return (await listMuters(db, sender.id)).length === 0 && !(await mayAlert(db, rendered.text));
}

/** The number and the id of a message that has none yet. */
const UNDRAWN = { id: 0, seq: 0 };

function rowsOf(
  ctx: OriginContext,
  { sender, content, rendered }: OutgoingMessage,
  target: ChannelTarget,
  topicLinks: Awaited<ReturnType<typeof linksOfTopic>>,
  { manner: { client, isRead, echo }, uuid, request }: PlainInput,
): Omit<PlainPost, 'role' | 'needs_topic' | 'about' | 'snapshots'> {
  const { channel, topic } = target;
  const readBy = isRead && channel.isSubscribed ? [sender.id] : [];
  const posting: Posting = { sender, target, content, rendered, client, readBy, echo };
  const place = { conversationId: channel.conversationId, topic, topicLinks };
  const message = messageOf(ctx, posting, place, false);
  const { event, audience } = announcementOf(
    posting,
    UNDRAWN,
    rowOfFresh(message, UNDRAWN, sender, channel),
    { mentioned: NOBODY, called: [], alerted: [], readBy },
  );
  const [event_a, event_b, event_c] = splitMessageSent(event);
  return {
    sender: sender.id,
    topic,
    topic_links: topicLinks,
    content,
    rendered: message.rendered,
    plain: message.text,
    client,
    sent_at: message.sentAt.toISOString(),
    has_link: message.hasLink,
    has_image: message.hasImage,
    is_read: readBy.length > 0,
    event_a,
    event_b,
    event_c,
    audience,
    ...(uuid !== undefined && request !== undefined
      ? { local_id: uuid, request: request.toString('hex'), path: pathPrefix(target) }
      : echo !== undefined && { local_id: echo.localId, queue_id: echo.queueId }),
  };
}

/** The path of a message there, up to its id. */
const pathPrefix = (target: ChannelTarget): string => pathOf(target, 0).slice(0, -1);

const NOBODY = { told: [], personally: [], inTopic: [] };
