// From what the server pushes to what the person sees, and where a click on it leads. What is pushed is encrypted for
// this browser, so only our server can have written it; still, nothing in it is taken for an address.
import { isOurs } from '../app/addresses.ts';
import { directNarrow, nearMessage, topicNarrow } from '../chat/narrow/narrow.ts';
import { printNarrow } from '../chat/narrow/print.ts';

export type Language = 'en' | 'fa';

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** One for each conversation: its next notice takes the place of the one before. */
  readonly tag: string;
  readonly path: string;
  /** Undefined for a test. */
  readonly messageId: number | undefined;
  readonly sentAtMs: number | undefined;
}

/** What is pushed, as far as this browser understands it. */
export type Pushed =
  | { readonly kind: 'notice'; readonly notice: Notice }
  /** These messages were read elsewhere. */
  | { readonly kind: 'read'; readonly messageIds: readonly number[] };

const TEXTS = {
  en: {
    testTitle: 'Test notice',
    testBody: 'Notices reach this browser.',
    news: 'There is something new.',
  },
  fa: {
    testTitle: 'اعلان آزمایشی',
    testBody: 'اعلان‌ها به این مرورگر می‌رسند.',
    news: 'خبر تازه‌ای هست.',
  },
} as const;

const HOME = '/inbox';
const SETTINGS = '/settings/notifications';

export function readPushed(given: unknown, language: Language): Pushed {
  const payload = isRecord(given) ? given : {};
  switch (payload['type']) {
    case 'message':
      return { kind: 'notice', notice: messageNotice(payload) ?? unknownNotice(language) };
    case 'remove':
      return { kind: 'read', messageIds: idsIn(payload['message_ids']) };
    case 'test': {
      const { testTitle: title, testBody: body } = TEXTS[language];
      const notice = { title, body, tag: 'test', path: SETTINGS };
      return { kind: 'notice', notice: { ...notice, messageId: undefined, sentAtMs: undefined } };
    }
    default:
      return { kind: 'notice', notice: unknownNotice(language) };
  }
}

/** A browser insists that something is shown, also for what a newer server sends. */
const unknownNotice = (language: Language): Notice => ({
  title: TEXTS[language].news,
  body: '',
  tag: 'news',
  path: HOME,
  messageId: undefined,
  sentAtMs: undefined,
});

function messageNotice(payload: Fields): Notice | undefined {
  const id = numberIn(payload['message_id']);
  const senderId = numberIn(payload['sender_id']);
  const sender = textIn(payload['sender_full_name']);
  const seconds = numberIn(payload['time']);
  if (id === undefined || senderId === undefined) return undefined;
  const common = {
    body: textIn(payload['content']),
    messageId: id,
    sentAtMs: seconds === undefined ? undefined : seconds * 1000,
  };
  if (payload['recipient_type'] === 'channel') {
    const channelId = numberIn(payload['channel_id']);
    if (channelId === undefined) return undefined;
    const topic = textIn(payload['topic']);
    const channel = textIn(payload['channel_name']);
    return {
      ...common,
      title: `${isolate(sender)} (#${isolate(channel)}${topic === '' ? '' : ` > ${isolate(topic)}`})`,
      tag: `channel:${channelId}:${topic.toLowerCase()}`,
      path: addressOf(nearMessage(topicNarrow(channelId, topic), id)),
    };
  }
  const people = textIn(payload['pm_users']).split(',').map(Number).filter(Number.isSafeInteger);
  const userIds = people.length > 1 ? people : [senderId];
  return {
    ...common,
    title: sender,
    tag: `direct:${userIds.toSorted((a, b) => a - b).join(',')}`,
    path: addressOf(nearMessage(directNarrow(userIds), id)),
  };
}

const addressOf = (narrow: Parameters<typeof printNarrow>[0]): string => `/${printNarrow(narrow)}`;

/** Names of both directions stand in one line: each keeps its own. */
const isolate = (text: string): string => `\u2068${text}\u2069`;

/** Where a click leads: to a view of ours, whatever the notification carries. */
export function pathOf(data: unknown, origin: string): string {
  const path = isRecord(data) ? textIn(data['path']) : '';
  // Two slashes would begin another host.
  if (!path.startsWith('/') || !URL.canParse(path, origin)) return HOME;
  const url = new URL(path, origin);
  return url.origin === origin && isOurs(url) ? `${url.pathname}${url.search}${url.hash}` : HOME;
}

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (given: unknown): given is Fields => typeof given === 'object' && given !== null;
const textIn = (given: unknown): string => (typeof given === 'string' ? given : '');
const numberIn = (given: unknown): number | undefined =>
  Number.isSafeInteger(given) ? (given as number) : undefined;
const idsIn = (given: unknown): readonly number[] =>
  Array.isArray(given) ? given.filter((id): id is number => Number.isSafeInteger(id)) : [];
