// The texts of the notification bot, in the organization's language: Persian where that is set, else English.
// People are named by silent mentions, which link but notify nobody.
import type { Privacy } from '../../conversations/channel/rules.ts';

export interface Named {
  readonly id: number;
  readonly fullName: string;
}

/** The privacy of a channel, as notices name it. */
export type ChannelKind = 'webPublic' | 'public' | 'shared' | 'protected';

export function channelKindOf({
  inviteOnly,
  isWebPublic,
  historyPublicToSubscribers,
}: Privacy): ChannelKind {
  if (isWebPublic) return 'webPublic';
  if (!inviteOnly) return 'public';
  return historyPublicToSubscribers ? 'shared' : 'protected';
}

/**
 * Where messages went or came from. Undefined if readers may not know of the channel; 'another topic' if they may
 * not know of the topic.
 */
export type Location =
  { readonly channel: string; readonly topic: string } | 'another topic' | undefined;

export interface Moved {
  readonly count: number;
  /** All messages of the topic moved. */
  readonly isWhole: boolean;
}

/** The texts of one language. */
export interface Texts {
  readonly eventsTopic: string;
  readonly newChannelsTopic: string;
  created(actor: Named, kind: ChannelKind, description: string): string;
  announced(actor: Named, channels: readonly string[]): string;
  subscribed(actor: Named, channels: readonly string[]): string;
  addedToGroup(actor: Named, group: string): string;
  renamed(actor: Named, from: string, to: string): string;
  described(actor: Named, from: string, to: string): string;
  privacyChanged(actor: Named, from: ChannelKind, to: ChannelKind): string;
  archived(channel: string): string;
  unarchived(channel: string): string;
  movedAway(actor: Named, moved: Moved, to: Location): string;
  movedHere(actor: Named, moved: Moved, from: Location, firstPath: string): string;
  resolved(actor: Named): string;
  unresolved(actor: Named): string;
  reported(report: MessageReport): string;
  readonly signupsTopic: string;
  joined(person: Named, isGuest: boolean): string;
  accepted(person: Named, organization: string): string;
  welcome(person: Named, organization: string, channels: readonly string[]): string;
  notSent(scheduledFor: Date, reason: string): string;
  mailMissing(waiting: Waiting): string;
  botFailed(bot: Named, reason: string): string;
  reminded(reminder: Reminded): string;
}

/** What an invitation cannot do before there is a mail server: send its email, or let people join by its link. */
export type Waiting = 'email' | 'link';

export interface Reminded {
  /** Undefined when the person may no longer read it, or it was deleted. */
  readonly message:
    | {
        readonly sender: Named;
        readonly where: Exclude<Location, undefined> | 'direct';
        readonly path: string;
        readonly content: string;
      }
    | undefined;
  readonly note: string;
}

export interface MessageReport {
  readonly actor: Named;
  readonly sender: Named;
  /** Where the message is, as far as readers of the report may know. */
  readonly where: Location | 'direct';
  readonly path: string;
  readonly reason: string;
  readonly description: string;
  readonly content: string;
}

const person = ({ fullName, id }: Named): string => `@_**${fullName}|${id}**`;
const channel = (name: string): string => `#**${name}**`;
const list = (names: readonly string[]): string =>
  names.map((name) => `* ${channel(name)}`).join('\n');

/** A fence longer than any that the text holds, so that the text cannot end the quote. */
function quote(text: string, language = 'quote'): string {
  const longest = Math.max(3, ...[...text.matchAll(/[`~]+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${language}\n${text}\n${fence}`;
}

const ENGLISH_KINDS: Readonly<Record<ChannelKind, string>> = {
  webPublic: 'Web-public',
  public: 'Public',
  shared: 'Private, shared history',
  protected: 'Private, protected history',
};

const english: Texts = {
  eventsTopic: 'channel events',
  newChannelsTopic: 'new channels',
  created: (actor, kind, description) =>
    `**${ENGLISH_KINDS[kind]}** channel created by ${person(actor)}. **Description:**\n` +
    quote(description === '' ? '*No description.*' : description),
  announced: (actor, names) =>
    names.length === 1
      ? `${person(actor)} created a new channel ${names.map(channel).join()}.`
      : `${person(actor)} created the following channels: ${names.map(channel).join(', ')}.`,
  subscribed: (actor, names) =>
    names.length === 1
      ? `${person(actor)} subscribed you to ${names.map(channel).join()}.`
      : `${person(actor)} subscribed you to the following channels:\n\n${list(names)}`,
  addedToGroup: (actor, group) => `${person(actor)} added you to the group @_*${group}*.`,
  renamed: (actor, from, to) => `${person(actor)} renamed channel **${from}** to **${to}**.`,
  described: (actor, from, to) =>
    `${person(actor)} changed the description for this channel.\n\n` +
    `* **Old description:**\n${quote(from === '' ? '*No description.*' : from)}\n` +
    `* **New description:**\n${quote(to === '' ? '*No description.*' : to)}`,
  privacyChanged: (actor, from, to) =>
    `${person(actor)} changed the access permissions for this channel ` +
    `from **${ENGLISH_KINDS[from]}** to **${ENGLISH_KINDS[to]}**.`,
  archived: (name) => `Channel ${channel(name)} has been archived.`,
  unarchived: (name) => `Channel ${channel(name)} has been unarchived.`,
  movedAway: (actor, { count, isWhole }, to) => {
    const where = describeLocation(to, ENGLISH_PLACES);
    if (isWhole) return `This topic was moved to ${where} by ${person(actor)}.`;
    const what = count === 1 ? 'A message was' : `${count} messages were`;
    return `${what} moved from this topic to ${where} by ${person(actor)}.`;
  },
  movedHere: (actor, { count, isWhole }, from, firstPath) => {
    const where = describeLocation(from, ENGLISH_PLACES);
    if (isWhole) return `This topic was moved here from ${where} by ${person(actor)}.`;
    const what = count === 1 ? `[A message](${firstPath}) was` : `${count} messages were`;
    return `${what} moved here from ${where} by ${person(actor)}.`;
  },
  resolved: (actor) => `${person(actor)} has marked this topic as resolved.`,
  unresolved: (actor) => `${person(actor)} has marked this topic as unresolved.`,
  reported: ({ actor, sender, where, path, reason, description, content }) =>
    `${person(actor)} reported ${where === 'direct' ? 'a direct message' : linked('a message', path)} ` +
    `sent by ${person(sender)}${where === 'direct' ? '' : ` in ${describeLocation(where, ENGLISH_PLACES)}`}.\n\n` +
    `* **Reason:** ${reason}\n` +
    (description === '' ? '' : `* **Notes:**\n${quote(description)}\n`) +
    `* **Message:**\n${quote(content, 'spoiler')}`,
  signupsTopic: 'signups',
  joined: (newcomer, isGuest) =>
    `${person(newcomer)} joined this organization${isGuest ? ' as a guest' : ''}.`,
  accepted: (newcomer, organization) =>
    `${person(newcomer)} accepted your invitation to join ${organization}!`,
  welcome: (newcomer, organization, names) =>
    `Hello ${person(newcomer)}, and welcome to ${organization}!\n\n` +
    (names.length === 0
      ? 'You are in no channel yet. Look for one that you would like to read, or ask somebody to add you.'
      : `You are subscribed to:\n\n${list(names)}\n\nWrite in one of them, and give your message a topic.`),
  mailMissing: (waiting) =>
    waiting === 'email'
      ? 'Your invitation is saved, but its email waits: this server has no mail server yet. ' +
        'Ask its operator to set `SMTP_URL`; the email is sent as soon as that is done.'
      : 'Your invitation link is made, but nobody can join by it: this server has no mail server yet, so it ' +
        'cannot confirm their email addresses. Ask its operator to set `SMTP_URL`; then the link works.',
  notSent: (scheduledFor, reason) =>
    `The message that you scheduled for ${time(scheduledFor)} was not sent:\n${quote(reason)}\n` +
    'It is still among your [scheduled messages](/#scheduled).',
  botFailed: (bot, reason) =>
    `A message to your bot ${person(bot)} triggered an outgoing webhook, which failed:\n${quote(reason)}\n` +
    'Look at the program behind it, and at its payload URL.',
  reminded: ({ message, note }) =>
    (message === undefined
      ? 'You requested a reminder for a message that you can no longer read.'
      : `You requested a reminder for ${
          message.where === 'direct'
            ? 'the following direct message'
            : describeLocation(message.where, ENGLISH_PLACES)
        }.`) +
    (note === '' ? '' : ` **Note:**\n${quote(note)}`) +
    (message === undefined
      ? ''
      : `\n\n${person(message.sender)} [said](${message.path}):\n${quote(message.content)}`),
};

/** A time that each client shows in its reader's own time zone. */
const time = (at: Date): string => `<time:${at.toISOString()}>`;

/** The words for a channel or a topic whose name is hidden. */
interface Unnamed {
  readonly channel: string;
  readonly topic: string;
}
const ENGLISH_PLACES: Unnamed = { channel: 'a private channel', topic: 'another topic' };

function describeLocation(where: Location, unnamed: Unnamed): string {
  if (where === undefined) return unnamed.channel;
  return where === 'another topic' ? unnamed.topic : channel(`${where.channel}>${where.topic}`);
}

/** Without a link if readers may not know where the message is. */
const linked = (words: string, path: string): string =>
  path === '' ? words : `[${words}](${path})`;

const PERSIAN_KINDS: Readonly<Record<ChannelKind, string>> = {
  webPublic: 'همگانی در وب',
  public: 'همگانی',
  shared: 'خصوصی با تاریخچهٔ مشترک',
  protected: 'خصوصی با تاریخچهٔ محفوظ',
};
const NO_DESCRIPTION_FA = '*بدون توضیح.*';
const PERSIAN_PLACES: Unnamed = { channel: 'یک کانال خصوصی', topic: 'موضوعی دیگر' };

/** With Persian digits. */
const number = (count: number): string => count.toLocaleString('fa-IR', { useGrouping: false });

const persian: Texts = {
  eventsTopic: 'رویدادهای کانال',
  newChannelsTopic: 'کانال‌های تازه',
  created: (actor, kind, description) =>
    `${person(actor)} این کانال **${PERSIAN_KINDS[kind]}** را ساخت. **توضیح:**\n` +
    quote(description === '' ? NO_DESCRIPTION_FA : description),
  announced: (actor, names) =>
    names.length === 1
      ? `${person(actor)} کانال تازه‌ای ساخت: ${names.map(channel).join()}`
      : `${person(actor)} این کانال‌ها را ساخت: ${names.map(channel).join('، ')}`,
  subscribed: (actor, names) =>
    names.length === 1
      ? `${person(actor)} شما را عضو ${names.map(channel).join()} کرد.`
      : `${person(actor)} شما را عضو این کانال‌ها کرد:\n\n${list(names)}`,
  addedToGroup: (actor, group) => `${person(actor)} شما را به گروه @_*${group}* افزود.`,
  renamed: (actor, from, to) =>
    `${person(actor)} نام کانال را از **${from}** به **${to}** تغییر داد.`,
  described: (actor, from, to) =>
    `${person(actor)} توضیح این کانال را تغییر داد.\n\n` +
    `* **توضیح پیشین:**\n${quote(from === '' ? NO_DESCRIPTION_FA : from)}\n` +
    `* **توضیح تازه:**\n${quote(to === '' ? NO_DESCRIPTION_FA : to)}`,
  privacyChanged: (actor, from, to) =>
    `${person(actor)} دسترسی این کانال را از **${PERSIAN_KINDS[from]}** به **${PERSIAN_KINDS[to]}** تغییر داد.`,
  archived: (name) => `کانال ${channel(name)} بایگانی شد.`,
  unarchived: (name) => `کانال ${channel(name)} از بایگانی خارج شد.`,
  movedAway: (actor, { count, isWhole }, to) => {
    const where = describeLocation(to, PERSIAN_PLACES);
    if (isWhole) return `${person(actor)} این موضوع را به ${where} منتقل کرد.`;
    return count === 1
      ? `${person(actor)} یک پیام را از این موضوع به ${where} منتقل کرد.`
      : `${person(actor)} ${number(count)} پیام را از این موضوع به ${where} منتقل کرد.`;
  },
  movedHere: (actor, { count, isWhole }, from, firstPath) => {
    const where = describeLocation(from, PERSIAN_PLACES);
    if (isWhole) return `${person(actor)} این موضوع را از ${where} به اینجا منتقل کرد.`;
    return count === 1
      ? `${person(actor)} [یک پیام](${firstPath}) را از ${where} به اینجا منتقل کرد.`
      : `${person(actor)} ${number(count)} پیام را از ${where} به اینجا منتقل کرد.`;
  },
  resolved: (actor) => `${person(actor)} این موضوع را حل‌شده اعلام کرد.`,
  unresolved: (actor) => `${person(actor)} این موضوع را حل‌نشده اعلام کرد.`,
  reported: ({ actor, sender, where, path, reason, description, content }) =>
    `${person(actor)} ${where === 'direct' ? 'یک پیام مستقیم' : linked('یک پیام', path)} از ${person(sender)}` +
    `${where === 'direct' ? '' : ` در ${describeLocation(where, PERSIAN_PLACES)}`} را گزارش کرد.\n\n` +
    `* **دلیل:** ${reason}\n` +
    (description === '' ? '' : `* **یادداشت:**\n${quote(description)}\n`) +
    `* **پیام:**\n${quote(content, 'spoiler')}`,
  signupsTopic: 'عضوهای تازه',
  joined: (newcomer, isGuest) =>
    `${person(newcomer)} ${isGuest ? 'به‌عنوان مهمان ' : ''}به این سازمان پیوست.`,
  accepted: (newcomer, organization) =>
    `${person(newcomer)} دعوت شما به ${organization} را پذیرفت.`,
  welcome: (newcomer, organization, names) =>
    `سلام ${person(newcomer)}، به ${organization} خوش آمدید!\n\n` +
    (names.length === 0
      ? 'هنوز در هیچ کانالی نیستید. کانالی را که می‌خواهید بخوانید پیدا کنید، یا از کسی بخواهید شما را به کانالی بیفزاید.'
      : `شما عضو این کانال‌ها هستید:\n\n${list(names)}\n\nدر یکی از آن‌ها بنویسید و به پیام خود موضوعی بدهید.`),
  mailMissing: (waiting) =>
    waiting === 'email'
      ? 'دعوت شما ثبت شد، اما ایمیل آن منتظر می‌ماند: این سرور هنوز سرور ایمیل ندارد. ' +
        'از گردانندهٔ سرور بخواهید `SMTP_URL` را تنظیم کند؛ پس از آن ایمیل فرستاده می‌شود.'
      : 'پیوند دعوت شما ساخته شد، اما هنوز کسی نمی‌تواند با آن بپیوندد: این سرور هنوز سرور ایمیل ندارد و ' +
        'نمی‌تواند نشانی ایمیل را تأیید کند. از گردانندهٔ سرور بخواهید `SMTP_URL` را تنظیم کند؛ پس از آن پیوند کار می‌کند.',
  notSent: (scheduledFor, reason) =>
    `پیامی که برای ${time(scheduledFor)} زمان‌بندی کرده بودید فرستاده نشد:\n${quote(reason)}\n` +
    'این پیام هنوز در میان [پیام‌های زمان‌بندی‌شدهٔ](/#scheduled) شماست.',
  botFailed: (bot, reason) =>
    `پیامی به ربات شما ${person(bot)} وب‌هوک خروجی آن را فراخواند، اما این فراخوانی ناموفق بود:\n${quote(reason)}\n` +
    'برنامهٔ پشت آن و نشانی آن را بررسی کنید.',
  reminded: ({ message, note }) =>
    (message === undefined
      ? 'خواسته بودید پیامی به شما یادآوری شود که دیگر نمی‌توانید آن را بخوانید.'
      : `خواسته بودید ${
          message.where === 'direct'
            ? 'این پیام مستقیم'
            : `پیامی در ${describeLocation(message.where, PERSIAN_PLACES)}`
        } به شما یادآوری شود.`) +
    (note === '' ? '' : ` **یادداشت:**\n${quote(note)}`) +
    (message === undefined
      ? ''
      : `\n\n${person(message.sender)} [گفته بود](${message.path}):\n${quote(message.content)}`),
};

export const textsIn = (language: unknown): Texts => (language === 'fa' ? persian : english);
