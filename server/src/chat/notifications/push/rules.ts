// Whether a message should notify somebody, and with which text. Pure.
import { statusAt, type Presence } from '../../people/presence/rules.ts';
import { FLAG } from '../../messages/message/flags.ts';
import type { MessageRow } from '../../messages/message/rows.ts';
import { settingOf } from '../../organization/setting-definitions/definitions.ts';

type Settings = { readonly settings: Readonly<Record<string, unknown>> };

/** A person's settings for the channel and topic of the message. */
export interface NotificationChoices {
  readonly isMuted: boolean;
  readonly isFollowed: boolean;
  /** Null: the person's general setting applies. */
  readonly channelPush: boolean | null;
  readonly wildcardsNotify: boolean | null;
}

export type Trigger =
  'direct_message' | 'mentioned' | 'wildcard_mentioned' | 'followed_topic' | 'stream_push_notify';

/** Why somebody is notified of the message; undefined if they are not. */
export function triggerOf(
  user: Settings,
  message: Pick<MessageRow, 'channelId' | 'bits' | 'mentionsEveryone' | 'isReceived' | 'isUnread'>,
  wishes: NotificationChoices,
): Trigger | undefined {
  if (!message.isUnread) return undefined;
  const wants = (name: string) => settingOf(user, name) === true;
  const isOffline = wants('enable_offline_push_notifications');
  if (message.channelId === null) return isOffline ? 'direct_message' : undefined;
  if ((message.bits & FLAG.mentioned) !== 0 && isOffline) return 'mentioned';
  // A mention by name gets through a mute; a mention of everybody does not.
  if (wishes.isMuted) return undefined;
  const isCalled =
    (message.bits & FLAG.topicWildcard) !== 0 || (message.mentionsEveryone && message.isReceived);
  if (isCalled) {
    const inTopic = wishes.isFollowed && wants('enable_followed_topic_wildcard_mentions_notify');
    const inChannel = wishes.wildcardsNotify ?? wants('wildcard_mentions_notify');
    if ((inTopic || inChannel) && isOffline) return 'wildcard_mentioned';
  }
  if (wishes.isFollowed && wants('enable_followed_topic_push_notifications')) {
    return 'followed_topic';
  }
  const inChannel = wishes.channelPush ?? wants('enable_stream_push_notifications');
  return inChannel ? 'stream_push_notify' : undefined;
}

/** Active people see the message on their screen, so they get no push notification unless they want both. */
export function isAway(user: Settings, presence: Presence | undefined, nowMs: number): boolean {
  if (settingOf(user, 'enable_online_push_notifications') === true) return true;
  return presence === undefined || statusAt(presence, nowMs).status !== 'active';
}

const CONTENT_CHARACTERS_MAX = 200;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

/** The beginning of a rendered message as plain text. Leaves out the content of spoilers. */
export function contentOf(rendered: string): string {
  const hidden = rendered.indexOf('class="spoiler-content"');
  const shown =
    hidden < 0 ? rendered : `${rendered.slice(0, rendered.lastIndexOf('<', hidden))}(…)`;
  const text = shown
    .replaceAll(/<(br|\/p|\/li|\/h\d|\/blockquote|\/pre|\/div)\b[^<>]*>/g, '\n')
    .replaceAll(/<img\b[^<>]*\balt="([^"]*)"[^<>]*>/g, '$1')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
  const characters = Array.from(text);
  if (characters.length <= CONTENT_CHARACTERS_MAX) return text;
  return `${characters.slice(0, CONTENT_CHARACTERS_MAX).join('')}…`;
}
