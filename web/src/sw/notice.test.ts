import { expect, it } from 'vitest';
import { pathOf, readPushed, type Notice } from './notice.ts';

const ORIGIN = 'https://rialto.example';
const MESSAGE = {
  type: 'message',
  realm_url: 'https://evil.example',
  user_id: 9,
  message_id: 41,
  sender_id: 7,
  sender_full_name: 'سارا',
  content: 'سلام',
  time: 1_700_000_000,
};
const CHANNEL = {
  ...MESSAGE,
  recipient_type: 'channel',
  channel_id: 3,
  channel_name: 'desk',
  topic: 'Plan 2.0',
};

function noticeOf(payload: unknown): Notice {
  const pushed = readPushed(payload, 'en');
  if (pushed.kind !== 'notice') throw new Error('Nothing is shown.');
  return pushed.notice;
}

it('says who wrote where, and leads to the message', () => {
  expect(noticeOf(CHANNEL)).toEqual({
    title: '\u2068سارا\u2069 (#\u2068desk\u2069 > \u2068Plan 2.0\u2069)',
    body: 'سلام',
    tag: 'channel:3:plan 2.0',
    path: '/#narrow/channel/3/topic/Plan.202.2E0/near/41',
    messageId: 41,
    sentAtMs: 1_700_000_000_000,
  });
  expect(noticeOf({ ...CHANNEL, topic: '' }).title).toBe('\u2068سارا\u2069 (#\u2068desk\u2069)');
});

it('has one tag for each conversation, whatever the case of a topic and the order of people', () => {
  expect(noticeOf({ ...CHANNEL, topic: 'PLAN 2.0', message_id: 42 }).tag).toBe(
    noticeOf(CHANNEL).tag,
  );
  const direct = { ...MESSAGE, recipient_type: 'direct' };
  expect(noticeOf(direct)).toMatchObject({
    title: 'سارا',
    tag: 'direct:7',
    path: '/#narrow/dm/7-dm/near/41',
  });
  const three = noticeOf({ ...direct, pm_users: '9,7,8' });
  expect(three.tag).toBe('direct:7,8,9');
  expect(three.path).toBe('/#narrow/dm/7,8,9-group/near/41');
  expect(noticeOf({ ...direct, pm_users: '8,9,7' }).tag).toBe(three.tag);
});

it('hears of messages that were read elsewhere', () => {
  const pushed = readPushed({ type: 'remove', message_ids: [41, 'x', 42, null, 1.5] }, 'en');
  expect(pushed).toEqual({ kind: 'read', messageIds: [41, 42] });
  expect(readPushed({ type: 'remove' }, 'en')).toEqual({ kind: 'read', messageIds: [] });
});

it('speaks the language of the page in what it says itself', () => {
  const test = readPushed({ type: 'test' }, 'fa');
  expect(test).toMatchObject({ kind: 'notice', notice: { title: 'اعلان آزمایشی', tag: 'test' } });
});

it.each([
  undefined,
  null,
  'text',
  [],
  {},
  { type: 'message' },
  { ...CHANNEL, message_id: '41' },
  { ...CHANNEL, channel_id: '3/../../evil' },
  { type: 'something of tomorrow' },
])('shows something harmless for %j', (payload) => {
  expect(noticeOf(payload)).toMatchObject({ path: '/inbox', messageId: undefined, body: '' });
});

it('a name or a topic cannot change where a click leads', () => {
  const notice = noticeOf({ ...CHANNEL, topic: '/../../near/1?x=#//evil.example' });
  const url = new URL(pathOf(notice, ORIGIN), ORIGIN);
  expect(url.origin).toBe(ORIGIN);
  expect(url.pathname).toBe('/');
  expect(url.hash.split('/')).toHaveLength(7);
  expect(url.hash.endsWith('/near/41')).toBe(true);
});

it.each([
  'https://evil.example/inbox',
  '//evil.example/inbox',
  String.raw`/\evil.example/inbox`,
  'javascript:alert(1)',
  '/accounts/logout/',
  '/api/v1/messages',
  'inbox',
  '',
  undefined,
  7,
])('a click leads to a view of ours and nowhere else: %j', (path) => {
  expect(pathOf({ path }, ORIGIN)).toBe('/inbox');
});

it('a click leads where the notice says', () => {
  expect(pathOf({ path: '/#narrow/channel/3/near/41' }, ORIGIN)).toBe('/#narrow/channel/3/near/41');
  expect(pathOf({ path: '/settings/notifications' }, ORIGIN)).toBe('/settings/notifications');
  expect(pathOf(null, ORIGIN)).toBe('/inbox');
});
