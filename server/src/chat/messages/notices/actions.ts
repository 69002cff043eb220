// Posts notification-bot messages in the transaction of the change that they report, so a change that is rolled back
// announces nothing.
import { ROLE } from '../../../accounts/roles.ts';
import { listSystemBots, listUsersById } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { findNoticeChannel } from '../../conversations/channel/access.ts';
import type { Privacy } from '../../conversations/channel/rules.ts';
import { peopleOf } from '../../conversations/direct/access.ts';
import type { EnvChannel, EnvGroup, EnvUser, Rendered } from '../../text/markdown/env.ts';
import { hasMessages } from '../message/access.ts';
import { post } from '../sending/post.ts';
import { renderNotice } from '../sending/rendering.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';
import { LIMITS } from '../../limits.ts';
import { findAnnouncements, findSignups, holdToWrite, topicIn } from './channels.ts';
import { channelKindOf, textsIn, type Texts, type Waiting } from './texts.ts';

type Clocked = Pick<Context, 'clock'>;

/** The client name of the bot's messages. */
const CLIENT = 'Internal';

/** What a notice needs: the bot that speaks, the organization's settings, and the texts in its language. */
export interface Voice {
  readonly bot: User;
  readonly texts: Texts;
  readonly settings: Readonly<Record<string, RealmValue>>;
}

export async function readVoice(db: Db): Promise<Voice> {
  const [bot] = await listSystemBots(db);
  if (bot === undefined) throw new Error('There is no notification bot; the migrations make it.');
  const settings = await readOrganizationSettings(db);
  return { bot, settings, texts: textsIn(settings['default_language']) };
}

/** The people, channels and groups that the text links to. They are linked for every reader. */
export interface Names {
  readonly users: readonly Pick<User, 'id' | 'fullName'>[];
  readonly channels?: readonly EnvChannel[];
  readonly groups?: readonly EnvGroup[];
}

const render = (content: string, { users, channels = [], groups = [] }: Names) =>
  renderNotice(content, {
    users: users.map(({ id, fullName }): EnvUser => ({ id, fullName, isActive: true })),
    channels,
    groups,
  });

export interface TopicNotice {
  readonly channelId: number;
  readonly conversationId: number;
  /** If it is known, the message need not be read back for its event. */
  readonly channelName?: string;
  readonly topic: string;
  readonly content: string;
  readonly names: Names;
  /** Usually the person who made the change: for them the notice arrives as read. */
  readonly readBy: readonly number[];
}

/** Posts a notice into a topic; returns the message's id. */
export async function tellTopic(
  tx: Tx,
  ctx: Clocked,
  { bot }: Pick<Voice, 'bot'>,
  notice: TopicNotice,
): Promise<number> {
  const { channelId, conversationId, channelName: name, topic, content, names, readBy } = notice;
  const { id } = await post(tx, ctx, {
    sender: bot,
    target: { kind: 'channel', channel: { channelId, conversationId, name }, topic },
    content,
    rendered: await render(content, names),
    client: CLIENT,
    readBy,
  });
  return id;
}

interface DirectNotice {
  readonly userId: number;
  readonly content: string;
  readonly names: Names;
}

/**
 * Posts direct notices. `notices` must be in the order of user ids, like all locks, so that two transactions never
 * wait for each other.
 */
async function tellEach(
  tx: Tx,
  ctx: Clocked,
  { bot }: Voice,
  notices: readonly DirectNotice[],
): Promise<void> {
  const texts = new Map<string, Rendered>();
  for (const { userId, content, names } of notices) {
    const rendered = texts.get(content) ?? (await render(content, names));
    texts.set(content, rendered);
    await tellPerson(tx, ctx, bot, userId, { content, rendered });
  }
}

/** Posts a rendered notice to one person; returns the message's id. */
export async function tellPerson(
  tx: Tx,
  ctx: Clocked,
  bot: User,
  userId: number,
  { content, rendered }: { readonly content: string; readonly rendered: Rendered },
): Promise<number> {
  const { id } = await post(tx, ctx, {
    sender: bot,
    target: { kind: 'direct', people: peopleOf([bot.id, userId]) },
    content,
    rendered,
    client: CLIENT,
    readBy: [],
  });
  return id;
}

/** Tells somebody that their scheduled message was not sent at its time, and why. */
export async function tellNotSent(
  tx: Tx,
  ctx: Clocked,
  userId: number,
  scheduledFor: Date,
  reason: string,
): Promise<void> {
  const voice = await readVoice(tx);
  const content = voice.texts.notSent(scheduledFor, reason);
  await tellEach(tx, ctx, voice, [{ userId, content, names: { users: [] } }]);
}

/** Tells the inviter that an invitation has no effect until a mail server is configured. */
export async function tellMailMissing(
  tx: Tx,
  ctx: Clocked,
  userId: number,
  waiting: Waiting,
): Promise<void> {
  const voice = await readVoice(tx);
  const content = voice.texts.mailMissing(waiting);
  await tellEach(tx, ctx, voice, [{ userId, content, names: { users: [] } }]);
}

/** Tells the owner of a bot that a call to it failed. */
export async function tellBotFailed(
  tx: Tx,
  ctx: Clocked,
  ownerId: number,
  bot: Pick<User, 'id' | 'fullName'>,
  reason: string,
): Promise<void> {
  const voice = await readVoice(tx);
  const content = voice.texts.botFailed(bot, reason);
  await tellEach(tx, ctx, voice, [{ userId: ownerId, content, names: { users: [bot] } }]);
}

export interface Noted extends Privacy {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly conversationId: number;
  readonly topicsPolicy: string;
}

/** Posts a channel event into the channel itself, if the organization has turned such notices on. */
export async function noteChannelEvent(
  tx: Tx,
  ctx: Clocked,
  actor: Pick<User, 'id' | 'fullName'>,
  channel: Noted,
  say: (texts: Texts) => string,
): Promise<void> {
  const voice = await readVoice(tx);
  if (voice.settings['send_channel_events_messages'] !== true) return;
  await tellTopic(tx, ctx, voice, {
    channelId: channel.id,
    conversationId: channel.conversationId,
    topic: topicIn(channel, voice.settings, voice.texts.eventsTopic),
    content: say(voice.texts),
    names: { users: [actor], channels: [{ id: channel.id, name: channel.name }] },
    readBy: [actor.id],
  });
}

export const noteCreated = (
  tx: Tx,
  ctx: Clocked,
  actor: Pick<User, 'id' | 'fullName'>,
  channel: Noted,
): Promise<void> =>
  noteChannelEvent(tx, ctx, actor, channel, (texts) =>
    texts.created(actor, channelKindOf(channel), channel.description),
  );

/** Announces new channels. Private ones are left out, because their names are secret. */
export async function announceChannels(
  tx: Tx,
  ctx: Clocked,
  actor: Pick<User, 'id' | 'fullName'>,
  channels: readonly Noted[],
): Promise<void> {
  const open = channels.filter(({ inviteOnly }) => !inviteOnly);
  if (open.length === 0) return;
  const voice = await readVoice(tx);
  const channel = await findAnnouncements(tx, voice.settings);
  if (channel === undefined) return;
  await tellTopic(tx, ctx, voice, {
    channelId: channel.channelId,
    conversationId: channel.conversationId,
    topic: topicIn(channel, voice.settings, voice.texts.newChannelsTopic),
    content: voice.texts.announced(
      actor,
      open.map(({ name }) => name),
    ),
    names: { users: [actor], channels: open },
    readBy: [actor.id],
  });
}

export interface FirstNotice {
  readonly channelId: number;
  readonly topic: string;
  readonly content: string;
  /** The channels that the text links to. */
  readonly channels: readonly EnvChannel[];
}

/** Posts a notice in a channel without messages; returns false if it has some. */
export async function tellFirst(
  tx: Tx,
  ctx: Clocked,
  { channelId, topic, content, channels }: FirstNotice,
): Promise<boolean> {
  await holdToWrite(tx, [channelId]);
  const channel = await findNoticeChannel(tx, channelId);
  if (channel === undefined || (await hasMessages(tx, channel.conversationId))) return false;
  const voice = await readVoice(tx);
  const { conversationId } = channel;
  await tellTopic(tx, ctx, voice, {
    channelId,
    conversationId,
    topic: topicIn(channel, voice.settings, topic),
    content,
    names: { users: [], channels },
    readBy: [],
  });
  return true;
}

/**
 * Tells people which channels somebody else subscribed them to. Returns false and tells nobody when there are too
 * many people. Bots are not told; they get the event.
 */
export async function tellSubscribed(
  tx: Tx,
  ctx: Clocked,
  actor: Pick<User, 'id' | 'fullName'>,
  joined: ReadonlyMap<number, readonly EnvChannel[]>,
): Promise<boolean> {
  if (joined.size > LIMITS.max_bulk_new_subscription_messages) return false;
  const people = await listUsersById(tx, [...joined.keys()]);
  const others = people.filter(({ id, botType }) => id !== actor.id && botType === null);
  if (others.length === 0) return true;
  const voice = await readVoice(tx);
  const notices = others.map(({ id }): DirectNotice => {
    const channels = joined.get(id) ?? [];
    const names = channels.map(({ name }) => name);
    return {
      userId: id,
      content: voice.texts.subscribed(actor, names),
      names: { users: [actor], channels },
    };
  });
  await tellEach(tx, ctx, voice, notices);
  return true;
}

/** Announces a new member in the configured channel. */
export async function announceJoined(
  tx: Tx,
  ctx: Clocked,
  newcomer: Pick<User, 'id' | 'fullName' | 'role'>,
): Promise<void> {
  const voice = await readVoice(tx);
  const channel = await findSignups(tx, voice.settings);
  if (channel === undefined) return;
  await tellTopic(tx, ctx, voice, {
    channelId: channel.channelId,
    conversationId: channel.conversationId,
    topic: topicIn(channel, voice.settings, voice.texts.signupsTopic),
    content: voice.texts.joined(newcomer, newcomer.role === ROLE.guest),
    names: { users: [newcomer] },
    readBy: [newcomer.id],
  });
}

/** Tells the inviter that the invited person joined. */
export async function tellAccepted(
  tx: Tx,
  ctx: Pick<Context, 'clock' | 'config'>,
  inviter: Pick<User, 'id'>,
  newcomer: Pick<User, 'id' | 'fullName'>,
): Promise<void> {
  const voice = await readVoice(tx);
  const content = voice.texts.accepted(newcomer, nameOf(voice, ctx));
  await tellEach(tx, ctx, voice, [{ userId: inviter.id, content, names: { users: [newcomer] } }]);
}

/**
 * Welcomes a new member, and passes on the inviter's custom text, or else the organization's. An empty text is left
 * out.
 */
export async function tellWelcome(
  tx: Tx,
  ctx: Pick<Context, 'clock' | 'config'>,
  newcomer: Pick<User, 'id' | 'fullName'>,
  customText: string | null,
  channels: readonly EnvChannel[],
): Promise<void> {
  const voice = await readVoice(tx);
  const greeting = voice.texts.welcome(
    newcomer,
    nameOf(voice, ctx),
    channels.map(({ name }) => name),
  );
  const text = customText ?? String(voice.settings['welcome_message_custom_text'] ?? '');
  const names: Names = { users: [newcomer], channels };
  const contents = text.trim() === '' ? [greeting] : [greeting, text];
  await tellEach(
    tx,
    ctx,
    voice,
    contents.map((content) => ({ userId: newcomer.id, content, names })),
  );
}

/** The organization's name, or else the deployment's. */
const nameOf = ({ settings }: Voice, { config }: Pick<Context, 'config'>): string =>
  String(settings['name'] || config.ORGANIZATION_NAME);

/** Tells people that somebody else added them to a group. If there are too many of them, nobody is told. */
export async function tellAddedToGroup(
  tx: Tx,
  ctx: Clocked,
  actor: Pick<User, 'id' | 'fullName'>,
  group: Pick<EnvGroup, 'id' | 'name'>,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length > LIMITS.max_bulk_new_subscription_messages) return;
  const people = await listUsersById(tx, userIds);
  const others = people.filter(({ id, botType }) => id !== actor.id && botType === null);
  if (others.length === 0) return;
  const voice = await readVoice(tx);
  const content = voice.texts.addedToGroup(actor, group.name);
  const names: Names = { users: [actor], groups: [{ ...group, isActive: true }] };
  await tellEach(
    tx,
    ctx,
    voice,
    others.map(({ id }) => ({ userId: id, content, names })),
  );
}
