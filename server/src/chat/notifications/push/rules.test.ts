import { describe, expect, it } from 'vitest';
import { contentOf, isAway, triggerOf, type NotificationChoices } from './rules.ts';

const PLAIN: NotificationChoices = {
  isMuted: false,
  isFollowed: false,
  channelPush: null,
  wildcardsNotify: null,
};
const user = (settings: Record<string, unknown> = {}) => ({ settings });
const message = (more: object = {}) => ({
  channelId: 7,
  bits: 0,
  mentionsEveryone: false,
  isReceived: true,
  isUnread: true,
  ...more,
});

describe('a message', () => {
  it.each([
    ['a direct one', user(), message({ channelId: null }), PLAIN, 'direct_message'],
    ['a direct one that was read', user(), message({ channelId: null, isUnread: false }), PLAIN],
    [
      'a direct one to somebody who wants none',
      user({ enable_offline_push_notifications: false }),
      message({ channelId: null }),
      PLAIN,
    ],
    ['any in a channel', user(), message(), PLAIN],
    ['one that mentions the person', user(), message({ bits: 4 }), PLAIN, 'mentioned'],
    [
      'one that mentions the person in a muted topic',
      user(),
      message({ bits: 4 }),
      { ...PLAIN, isMuted: true },
      'mentioned',
    ],
    ['one that mentions the topic', user(), message({ bits: 8 }), PLAIN, 'wildcard_mentioned'],
    [
      'one that mentions everybody',
      user(),
      message({ mentionsEveryone: true }),
      PLAIN,
      'wildcard_mentioned',
    ],
    [
      'one that mentions everybody in a muted channel',
      user(),
      message({ mentionsEveryone: true }),
      { ...PLAIN, isMuted: true },
    ],
    [
      'one that mentions everybody, to somebody who does not want that',
      user(),
      message({ mentionsEveryone: true }),
      { ...PLAIN, wildcardsNotify: false },
    ],
    [
      'one in a followed topic',
      user(),
      message(),
      { ...PLAIN, isFollowed: true },
      'followed_topic',
    ],
    [
      'one in a channel with notifications on',
      user(),
      message(),
      { ...PLAIN, channelPush: true },
      'stream_push_notify',
    ],
    [
      'one in a channel with notifications off, though they are on in general',
      user({ enable_stream_push_notifications: true }),
      message(),
      { ...PLAIN, channelPush: false },
    ],
  ] as const)('%s', (_what, person, given, wishes, trigger?: string) => {
    expect(triggerOf(person, given, wishes)).toBe(trigger);
  });
});

it('an active person gets no push notification, unless they want it', () => {
  const now = Date.now();
  const active = { lastActive: new Date(now - 1000), lastConnected: new Date(now - 1000) };
  const gone = { lastActive: new Date(now - 3_600_000), lastConnected: new Date(now - 3_600_000) };
  const quiet = user({ enable_online_push_notifications: false });
  expect(isAway(quiet, active, now)).toBe(false);
  expect(isAway(quiet, gone, now)).toBe(true);
  expect(isAway(quiet, undefined, now)).toBe(true);
  expect(isAway(user(), active, now)).toBe(true);
});

it.each([
  ['<p>Good <strong>day</strong> &amp; <em>night</em></p>', 'Good day & night'],
  ['<p>One</p>\n<p>two<br>three</p>', 'One\ntwo\nthree'],
  ['<p>&lt;b&gt; &amp;lt;</p>', '<b> &lt;'],
  [
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>Plot</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>He did it</p>\n</div></div>',
    'Plot\n(…)',
  ],
  ['<p>سلام</p>', 'سلام'],
])('the text of %s is %j', (rendered, text) => {
  expect(contentOf(rendered)).toBe(text);
});

it('a long text is cut between characters', () => {
  expect(contentOf(`<p>${'😀'.repeat(300)}</p>`)).toBe(`${'😀'.repeat(200)}…`);
});
