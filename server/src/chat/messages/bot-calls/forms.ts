// What the program behind a bot is sent, and how its answer is parsed. Pure: no request is made here.
import { shownName, type Sight } from '../../../accounts/users/sight.ts';
import type { User } from '../../../accounts/user.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { messageObject } from '../message/object.ts';
import type { MessageRow } from '../message/rows.ts';
import type { TriggerKind } from '../bot-services/store.ts';

interface Calling {
  readonly bot: Pick<User, 'id' | 'email' | 'fullName'>;
  /** What the bot sees of people. */
  readonly sight: Sight;
  readonly token: string;
  readonly trigger: TriggerKind;
  readonly message: MessageRow;
  /** The URL of this server, without a slash at the end. */
  readonly origin: string;
}

export interface OutgoingForm {
  readonly contentType: string;
  readonly body: string;
}

/** The format of the chat API: the message as `GET /messages` shows it, as Markdown and as HTML. */
export function genericForm({
  bot,
  sight,
  token,
  trigger,
  message,
  origin,
}: Calling): OutgoingForm {
  const {
    content_type: _type,
    avatar_url: avatar,
    ...object
  } = messageObject(message, {
    applyMarkdown: false,
    allowsEmptyTopic: true,
    historyPolicy: 'none',
    sight,
  });
  const body = JSON.stringify({
    bot_email: bot.email,
    bot_full_name: bot.fullName,
    data: message.content,
    message: {
      ...object,
      avatar_url: avatar === null ? null : new URL(avatar, origin).href,
      rendered_content: message.rendered,
    },
    token,
    trigger,
  });
  return { contentType: 'application/json', body };
}

/** The format of Slack's outgoing webhooks, which know only channels. */
export function slackForm({ bot, sight, token, trigger, message, origin }: Calling): OutgoingForm {
  const sentAt = String(unixSeconds(message.sentAt));
  const body = new URLSearchParams({
    token,
    team_id: 'T1',
    team_domain: new URL(origin).hostname,
    channel_id: `C${String(message.channelId)}`,
    channel_name: message.channelName ?? '',
    thread_ts: sentAt,
    timestamp: sentAt,
    user_id: `U${message.senderId}`,
    user_name: shownName(sight, message.sender),
    text: message.content,
    trigger_word: trigger,
    service_id: String(bot.id),
  });
  return { contentType: 'application/x-www-form-urlencoded', body: body.toString() };
}

type Reply =
  | { readonly kind: 'words'; readonly content: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'nonsense'; readonly why: string };

const SILENCE: Reply = { kind: 'silence' };

/** Parses the program's answer. An empty body is no answer; anything but a JSON object is a failure. */
export function parseReply(text: string, isSlack: boolean): Reply {
  if (text.trim() === '') return SILENCE;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return { kind: 'nonsense', why: 'Invalid JSON in response' };
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    return { kind: 'nonsense', why: 'Invalid response format' };
  }
  const given = answer as Readonly<Record<string, unknown>>;
  if (isSlack) return wordsIn(given['text']);
  if (given['response_not_required'] === true) return SILENCE;
  // Some programs still answer with the older name of the field.
  return wordsIn(given['content'] ?? given['response_string']);
}

function wordsIn(value: unknown): Reply {
  if (value === undefined || value === null) return SILENCE;
  if (typeof value !== 'string' && typeof value !== 'number') {
    return { kind: 'nonsense', why: 'Invalid response format' };
  }
  const content = String(value);
  return content.trim() === '' ? SILENCE : { kind: 'words', content };
}
