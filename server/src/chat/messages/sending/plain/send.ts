// Sends plain messages: to a channel or to a few people, without files or widgets, naming at most people. Most messages are
// plain, and everything that decides about one is a fact that this process remembers. So it takes one statement, which
// checks that the facts still hold.
import type { User } from '../../../../accounts/user.ts';
import type { OriginContext } from '../../../../platform/context.ts';
import type { Tx } from '../../../../platform/db/transaction.ts';
import type { FactReader } from '../../../../platform/facts/memory.ts';
import { Refusal } from '../../../../platform/http/refusal.ts';
import { changeBySending, followingOf } from '../../../conversations/topics/automatic.ts';
import { findReferences } from '../../../text/markdown/references.ts';
import type { Target } from '../../message/channels-for-reader.ts';
import { splitMessageSent } from '../../message/events.ts';
import { FLAG } from '../../message/flags.ts';
import { parseWidget } from '../../widgets/parse.ts';
import { pathOf } from '../path.ts';
import { announcementOf, messageOf, rowOfFresh, type Manner, type Posting } from '../post.ts';
import { prepareMessage, type OutgoingMessage } from '../prepare.ts';
import type { Addressee } from '../recipients.ts';
import { linksOfTopic } from '../topic-links.ts';
import { postTogether } from './batch.ts';
import { findConcerned, type Concerned } from './concerned.ts';
import { findPlace, type Place } from './place.ts';
import { insertPlain, type PlainPost } from './store.ts';

export interface PlainInput {
  readonly addressee: Addressee;
  readonly topic: string | undefined;
  readonly content: string;
  readonly manner: Manner;
  /** The local id, if it is a UUID, and the hash of the request under it. */
  readonly uuid: string | undefined;
  readonly request: Buffer | undefined;
}

/**
 * Sends the message if it is plain and may be sent by what is remembered. Otherwise nothing happened, and the caller
 * sends it the long way, which reads everything: also a refusal is decided there, never by a memory.
 */
export async function sendPlainly(
  ctx: OriginContext,
  sender: User,
  input: PlainInput,
): Promise<{ readonly id: number; readonly path: string } | undefined> {
  const reader = ctx.facts.reader(ctx.db);
  const plain = await preparePlain(reader, ctx, sender, input);
  if (plain === undefined) return undefined;
  const { target, conversationId, post } = plain;
  const posted = await postTogether(ctx, conversationId, post);
  if (posted === 'stale') reader.forget();
  return typeof posted === 'number' ? { id: posted, path: pathOf(target, posted) } : undefined;
}

/**
 * The same within a transaction, which has changed nothing that is remembered; `reader` reads in it. Returns the message's
 * id. If PostgreSQL refuses the statement, this throws, and the transaction can do nothing more.
 */
export async function sendPlainlyIn(
  tx: Tx,
  ctx: Preparing,
  reader: FactReader,
  sender: User,
  input: PlainInput,
): Promise<number | undefined> {
  const plain = await preparePlain(reader, ctx, sender, input).catch(onlyRefused);
  if (plain === undefined) return undefined;
  const [posted] = await insertPlain(tx, plain.conversationId, [plain.post]);
  if (posted === 'stale') reader.forget();
  return typeof posted === 'number' ? posted : undefined;
}

function onlyRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}

type Preparing = Pick<OriginContext, 'clock' | 'publicUrl' | 'secrets' | 'config'>;

interface Plain {
  readonly target: Target;
  readonly conversationId: number;
  readonly post: PlainPost;
}

/** Checks and renders the message by what is remembered. Undefined if it is not plain, or would be refused. */
async function preparePlain(
  reader: FactReader,
  ctx: Preparing,
  sender: User,
  input: PlainInput,
): Promise<Plain | undefined> {
  const { addressee, content, manner } = input;
  if (manner.widget !== undefined || parseWidget(content) !== undefined) return undefined;
  if (findReferences(content).uploadPaths.length > 0) return undefined;
  const outgoing = await prepareMessage(reader.db, ctx, sender, content);
  const place = await findPlace(reader.db, outgoing, addressee, input.topic);
  if (place === undefined || outgoing.rendered.uploadPaths.length > 0) return undefined;
  const { target, conversationId } = place;
  const concerned = await findConcerned(reader.db, outgoing, target, manner.isRead);
  if (concerned === undefined) return undefined;
  const change = isInChannel(target)
    ? await changeBySending(reader.db, sender, target.channel.channelId)
    : 'nothing';
  if (change === 'maybe') return undefined;
  const topicLinks = isInChannel(target) ? await linksOfTopic(reader.db, target.topic) : [];
  const post = {
    ...rowsOf(ctx, outgoing, place, concerned, topicLinks, input),
    role: sender.role,
    needs_topic: change === 'if new',
    ...reader.basis(),
  };
  return { target, conversationId, post };
}

const isInChannel = (target: Target): target is Extract<Target, { kind: 'channel' }> =>
  target.kind === 'channel';

/** The number and the id of a message that has none yet. */
const UNDRAWN = { id: 0, seq: 0 };

function rowsOf(
  ctx: Pick<OriginContext, 'clock'>,
  { sender, content, rendered }: OutgoingMessage,
  { target, conversationId, where }: Place,
  { mentioned, readBy, followers }: Concerned,
  topicLinks: Awaited<ReturnType<typeof linksOfTopic>>,
  { manner: { client, echo }, uuid, request }: PlainInput,
): Omit<PlainPost, 'role' | 'needs_topic' | 'about' | 'snapshots'> {
  const topic = isInChannel(target) ? target.topic : '';
  const posting: Posting = { sender, target, content, rendered, client, readBy, echo };
  const message = messageOf(ctx, posting, { conversationId, topic, topicLinks }, false);
  const { event, audience } = announcementOf(
    posting,
    UNDRAWN,
    rowOfFresh(message, UNDRAWN, sender, where),
    { mentioned, called: [], alerted: [], readBy },
  );
  const [event_a, event_b, event_c] = splitMessageSent(event);
  const others = readBy.filter((id) => id !== sender.id);
  const { personally, told } = mentioned;
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
    is_read: readBy.includes(sender.id),
    ...(others.length > 0 && { read_by: others }),
    ...(personally.length > 0 && {
      flagged: personally,
      bits: personally.map((id) => FLAG.namedPersonally | (told.includes(id) ? FLAG.mentioned : 0)),
    }),
    ...(isInChannel(target) &&
      followers.length > 0 && {
        follow: followingOf(ctx, { channelId: target.channel.channelId, topic }, followers),
      }),
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
const pathPrefix = (target: Target): string => pathOf(target, 0).slice(0, -1);
