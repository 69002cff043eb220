// Sends messages: finds the recipients, checks that sending is allowed, and posts the message.
import { holdActing } from '../../../accounts/users/authority.ts';
import { findUserByEmail, listUsersById } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context, OriginContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import {
  mayNotPost,
  noSuchChannelId,
  noSuchChannelName,
} from '../../conversations/channel/errors.ts';
import { findDirectConversation, peopleOf } from '../../conversations/direct/access.ts';
import { badRequest } from '../../http/errors.ts';
import type { Rendered } from '../../text/markdown/env.ts';
import { channelPath, directPath, messagePath } from '../../text/markdown/narrow-paths.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../limits.ts';
import { readPrincipals, readRights } from '../../rights/permissions/access.ts';
import {
  canCreateTopic,
  canPost,
  findDirectMessageProblem,
  type Rights,
} from '../../rights/permissions/rights.ts';
import { followByMention, followBySending } from '../../conversations/topics/automatic.ts';
import { normalizeTopic } from '../../conversations/topics/rules.ts';
import { parseFormWidget } from '../widgets/given.ts';
import { normalizeContent } from '../../text/markdown/content.ts';
import { checkMentions, listReached } from './mentions.ts';
import {
  readChannelsForReader,
  type ChannelForReader,
  type Target,
} from '../message/channels-for-reader.ts';
import { post, type Posting } from './posting.ts';
import { parseAddressee, type Addressee, type MessageType } from './recipients.ts';
import { renderMessage } from './rendering.ts';
import { claimEcho, hasTopic, lockCounters, storeEcho } from '../message/store.ts';

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
 * A repeated request with the same local id and queue sends nothing again.
 */
export async function sendMessage(
  ctx: OriginContext,
  sender: User,
  input: SendInput,
): Promise<SentMessage> {
  const content = normalizeContent(input.content);
  const addressee = parseAddressee(input.type, input.to);
  const widget = input.widget === undefined ? undefined : parseFormWidget(input.widget);
  // Rendering is the slow part, so it comes before the transaction.
  const outgoing = await prepareMessage(ctx.db, ctx, sender, content);
  const { queueId, localId } = input;
  const echo = queueId !== undefined && localId !== undefined ? { queueId, localId } : undefined;
  return ctx.inTransaction(async (tx) => {
    await holdActing(tx, sender);
    const target = await findTarget(tx, outgoing, addressee, input.topic);
    if (echo !== undefined) {
      const earlier = await claimEcho(tx, sender.id, echo.queueId, echo.localId);
      if (earlier !== undefined) return { id: earlier, path: pathOf(target, earlier) };
    }
    await checkPosting(tx, outgoing, target);
    const isRead = input.readBySender ?? isInteractive(input.client);
    const { client } = input;
    const { id, newVisibility } = await sendPrepared(tx, ctx, outgoing, target, {
      client,
      isRead,
      echo,
      widget,
    });
    if (echo !== undefined) await storeEcho(tx, sender.id, echo.queueId, echo.localId, id);
    return { id, path: pathOf(target, id), newVisibility };
  });
}

/** A message to be sent: rendered, with the sender's rights. */
export interface OutgoingMessage {
  readonly sender: User;
  readonly rights: Rights;
  readonly organization: Readonly<Record<string, RealmValue>>;
  readonly content: string;
  readonly rendered: Rendered;
}

/** `content` as `normalizeContent` leaves it. */
export async function prepareMessage(
  db: Db,
  ctx: Pick<OriginContext, 'publicUrl' | 'secrets' | 'config'>,
  sender: User,
  content: string,
): Promise<OutgoingMessage> {
  const rights = await readRights(db, sender);
  const organization = await readOrganizationSettings(db);
  const author = { rights, settings: sender.settings };
  const rendered = await renderMessage(db, ctx, author, organization, content);
  return { sender, rights, organization, content, rendered };
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

interface Manner {
  readonly client: string;
  /** Whether the message arrives as read for the sender. */
  readonly isRead: boolean;
  readonly echo?: Posting['echo'];
  readonly widget?: Posting['widget'];
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
  const id = await post(tx, ctx, { sender, target, content, rendered, client, readBy, ...rest });
  return { id, newVisibility: await followTopic(tx, ctx, sender, target, id, rendered) };
}

/** Follows the topic for the sender, and for mentioned people who get the message, if their settings say so. */
async function followTopic(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  sender: User,
  target: Target,
  messageId: number,
  { mentions }: Rendered,
): Promise<number | undefined> {
  if (target.kind !== 'channel') return undefined;
  const { channelId, conversationId } = target.channel;
  const topic = { channelId, conversationId, topic: target.topic };
  const newVisibility = await followBySending(tx, ctx, sender, { ...topic, messageId });
  const called = await listReached(tx, mentions.userIds, target);
  await followByMention(tx, ctx, called, topic);
  return newVisibility;
}

/** Clients in which a person writes: their messages count as read by the sender. */
const INTERACTIVE: ReadonlySet<string> = new Set([
  'website',
  'zulipmobile',
  'zulipdesktop',
  'zulipelectron',
  'zulipterminal',
  'zulipandroid',
  'zulipios',
  'ios',
  'android',
  'snipe',
]);
export const isInteractive = (client: string): boolean => INTERACTIVE.has(client.toLowerCase());

/** Checks that the sender may start the topic, and may mention the people in the text. */
async function checkPosting(
  tx: Tx,
  { sender, rights, rendered }: OutgoingMessage,
  target: Target,
): Promise<void> {
  if (target.kind === 'channel') {
    const { channel: destination, topic } = target;
    await asBotOrOwner(tx, sender, rights, (who) => checkNewTopic(tx, who, destination, topic));
  }
  await checkMentions(tx, rights, rendered.mentions, target);
}

/**
 * A bot may also write where its owner may. The check runs with the bot's rights first, then with the owner's present
 * rights. If both are refused, the bot's refusal is thrown.
 */
async function asBotOrOwner<T>(
  db: Db,
  sender: User,
  rights: Rights,
  ask: (who: Rights) => Promise<T>,
): Promise<T> {
  try {
    return await ask(rights);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const owner = await readOwnerRights(db, sender);
    if (owner === undefined) throw error;
    try {
      return await ask(owner);
    } catch (refusal) {
      throw refusal instanceof Refusal ? error : refusal;
    }
  }
}

/** Undefined for people, and for a bot whose owner is deactivated. */
async function readOwnerRights(db: Db, { botType, botOwnerId }: User): Promise<Rights | undefined> {
  if (botType === null || botOwnerId === null) return undefined;
  const [owner] = await listUsersById(db, [botOwnerId]);
  return owner?.isActive === true ? readRights(db, owner) : undefined;
}

/** The target of the message, if the sender may write there. */
async function findTarget(
  db: Db,
  { sender, rights, organization }: OutgoingMessage,
  addressee: Addressee,
  topic: string | undefined,
): Promise<Target> {
  if (addressee.kind === 'direct') {
    return { kind: 'direct', people: await findPeople(db, sender, rights, addressee) };
  }
  if (topic === undefined) throw badRequest('Missing topic');
  const destination = await asBotOrOwner(db, sender, rights, (who) =>
    accessPlaceToPost(db, who, addressee.channel),
  );
  const normalized = normalizeTopic(topic);
  checkTopicPolicy(destination, organization, normalized);
  return { kind: 'channel', channel: destination, topic: normalized };
}

/** The channel by name or id, if the person may post there. A channel that they may not see is refused as unknown. */
async function accessPlaceToPost(
  db: Db,
  rights: Rights,
  channel: string | number,
): Promise<ChannelForReader> {
  const among =
    typeof channel === 'number' ? { channelIds: [channel] } : { names: [channel.trim()] };
  const [destination] = await readChannelsForReader(db, rights, among);
  if (destination === undefined || !destination.maySee) {
    throw typeof channel === 'number' ? noSuchChannelId(channel) : noSuchChannelName(channel);
  }
  if (!destination.mayRead || destination.isArchived) throw mayNotPost(destination.name);
  if (!canPost(rights, destination)) {
    throw badRequest('You do not have permission to post in this channel.');
  }
  return destination;
}

export function checkTopicPolicy(
  destination: ChannelForReader,
  organization: Readonly<Record<string, RealmValue>>,
  topic: string,
): void {
  const policy =
    destination.topicsPolicy === 'inherit'
      ? organization['topics_policy']
      : destination.topicsPolicy;
  if (policy === 'disable_empty_topic' && topic === '') {
    throw badRequest(
      `Sending messages to the ${EMPTY_TOPIC_DISPLAY_NAME} is not allowed in this channel.`,
      { empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME },
    );
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw badRequest(`Only the ${EMPTY_TOPIC_DISPLAY_NAME} topic is allowed in this channel.`, {
      empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
    });
  }
}

/** The caller has locked the counter, so a topic that exists now still exists when the message is written. */
export async function checkNewTopic(
  tx: Tx,
  rights: Rights,
  destination: ChannelForReader,
  topic: string,
): Promise<void> {
  if (canCreateTopic(rights, destination)) return;
  await lockCounters(tx, [destination.conversationId]);
  if (await hasTopic(tx, destination.conversationId, topic)) return;
  throw badRequest('You do not have permission to create new topics in this channel.');
}

async function findPeople(
  db: Db,
  sender: User,
  rights: Rights,
  addressee: Extract<Addressee, { kind: 'direct' }>,
): Promise<number[]> {
  const others = await listAddressed(db, addressee);
  const stranger = others.find(({ isActive, id }) => !isActive && id !== sender.id);
  if (stranger !== undefined) throw badRequest(`'${stranger.email}' is no longer using Zulip.`);
  const people = peopleOf([sender.id, ...others.map(({ id }) => id)]);
  const principals = await readPrincipals(db, others);
  const participants = principals.map((one) => ({ ...one, isBot: one.botType !== null }));
  const isNew = (await findDirectConversation(db, people)) === undefined;
  switch (findDirectMessageProblem(rights, participants, isNew)) {
    case 'disabled':
      throw badRequest('Direct messages are disabled in this organization.');
    case 'nobody may authorize it':
      throw badRequest('This conversation does not include any users who can authorize it.');
    case 'may not initiate':
      throw badRequest('You do not have permission to initiate direct message conversations.');
    default:
      return people;
  }
}

async function listAddressed(
  db: Db,
  addressee: Extract<Addressee, { kind: 'direct' }>,
): Promise<User[]> {
  if ('userIds' in addressee) {
    const found = await listUsersById(db, addressee.userIds);
    const known = new Set(found.map(({ id }) => id));
    const missing = addressee.userIds.find((id) => !known.has(id));
    if (missing !== undefined) throw badRequest(`Invalid user ID ${missing}`);
    return found;
  }
  const found: User[] = [];
  for (const email of addressee.emails) {
    const user = await findUserByEmail(db, email);
    if (user === undefined) throw badRequest(`Invalid email '${email}'`);
    found.push(user);
  }
  return found;
}

function pathOf(target: Target, id: number): string {
  if (target.kind === 'direct') return `${directPath(target.people)}/near/${id}`;
  const { channelId, name } = target.channel;
  return messagePath(channelPath(channelId, name), target.topic, id);
}
