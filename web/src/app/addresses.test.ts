import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonical,
  isOurs,
  matchPlace,
  overOf,
  printPlace,
  SETTINGS_PAGES,
  WALLET_PAGES,
  withOver,
  withQuery,
  type Place,
} from './addresses.ts';

const addressOf = (text: string) => new URL(text, 'https://venue.example');
const match = (text: string) => matchPlace(addressOf(text));

describe('matchPlace', () => {
  test.each<[string, Place]>([
    ['/', { view: 'home' }],
    ['/inbox', { view: 'inbox' }],
    ['/inbox/', { view: 'inbox' }],
    ['/search?q=topic%3Abtc+wall', { view: 'search', q: 'topic:btc wall' }],
    ['/search', { view: 'search', q: '' }],
    ['/trade/BTCUSDT', { view: 'trade', symbol: 'BTCUSDT' }],
    ['/coins/BTC', { view: 'unknown', path: '/coins/BTC' }],
    ['/settings', { view: 'settings', page: 'profile' }],
    ['/settings/keys', { view: 'settings', page: 'keys' }],
    ['/wallet', { view: 'wallet', page: 'balances' }],
    ['/wallet/statements', { view: 'wallet', page: 'statements' }],
    ['/wallet/balances', { view: 'unknown', path: '/wallet/balances' }],
    ['/admin', { view: 'admin', page: '' }],
    ['/admin/people', { view: 'admin', page: 'people' }],
    ['/channels', { view: 'channels' }],
    ['/channels/7', { view: 'channels', channelId: 7 }],
    ['/channels/x', { view: 'unknown', path: '/channels/x' }],
    ['/settings/other', { view: 'unknown', path: '/settings/other' }],
    ['/trade', { view: 'trade' }],
    ['/docs/trading/', { view: 'unknown', path: '/docs/trading/' }],
    ['/accounts/security/', { view: 'unknown', path: '/accounts/security/' }],
    ['/trade/%E0%A4%A', { view: 'unknown', path: '/trade/%E0%A4%A' }],
  ])('%s', (text, place) => expect(match(text)).toEqual(place));

  test('opens a link of another client, whatever page it was pasted behind', () => {
    const hash = '#narrow/channel/7-btcusdt/topic/funding/near/41';
    for (const path of ['/', '/inbox', '/settings/keys', '/narrow/x']) {
      expect(match(`${path}${hash}`)).toEqual({ view: 'narrow', hash });
    }
  });

  test.each<[string, Place]>([
    ['/#inbox', { view: 'inbox' }],
    ['/#recent_topics', { view: 'recent' }],
    ['/#all_messages', { view: 'feed' }],
    ['/#settings/notifications', { view: 'settings', page: 'notifications' }],
    ['/#narrow/is/starred', { view: 'starred' }],
    ['/#narrow/is/mentioned', { view: 'mentions' }],
    ['/#something', { view: 'home' }],
  ])('opens %s of another client', (text, place) => expect(match(text)).toEqual(place));
});

const symbol = fc.stringMatching(/^[A-Z0-9/ %ی]{1,12}$/);
const places: fc.Arbitrary<Place> = fc.oneof(
  fc.constantFrom<Place>({ view: 'home' }, { view: 'recent' }, { view: 'trade' }),
  fc.record({ view: fc.constant('wallet' as const), page: fc.constantFrom(...WALLET_PAGES) }),
  fc.record({ view: fc.constant('search' as const), q: fc.string() }),
  fc.record({ view: fc.constant('trade' as const), symbol }),
  fc.record({ view: fc.constant('settings' as const), page: fc.constantFrom(...SETTINGS_PAGES) }),
  fc.record({ view: fc.constant('admin' as const), page: fc.string() }),
  fc
    .stringMatching(/^#narrow\/channel\/[a-z0-9./-]{1,20}$/)
    .map((hash): Place => ({ view: 'narrow', hash })),
);

test('every printed place is found again', () => {
  fc.assert(
    fc.property(places, (place) => {
      fc.pre(!('symbol' in place) || !/^\.+$/.test(place.symbol));
      fc.pre(!('page' in place) || !/^\.+$/.test(place.page));
      expect(match(printPlace(place))).toEqual(place);
    }),
  );
});

test('what lies over a view is part of the address, and leaves it unchanged', () => {
  const narrow = addressOf('/?a=1#narrow/channel/7/topic/x');
  const over = withOver(narrow, 'shortcuts');
  expect(over).toBe('/?a=1&over=shortcuts#narrow/channel/7/topic/x');
  expect(overOf(addressOf(over))).toBe('shortcuts');
  expect(withOver(addressOf(over), undefined)).toBe('/?a=1#narrow/channel/7/topic/x');
  expect(withQuery(addressOf('/inbox'), 'filter', 'btc')).toBe('/inbox?filter=btc');
});

test('pages of the server are not ours', () => {
  expect(isOurs(addressOf('/docs/'))).toBe(false);
  expect(isOurs(addressOf('/markets'))).toBe(false);
  expect(isOurs(addressOf('/user_uploads/2/a.png'))).toBe(false);
  expect(isOurs(addressOf('/starred'))).toBe(true);
});

test.each([
  ['/inbox?filter=x#narrow/dm/9', '/#narrow/dm/9'],
  ['/inbox?over=tour#narrow/dm/9', '/?over=tour#narrow/dm/9'],
  ['/#recent_topics', '/recent'],
  ['/#link', '/#link'],
  ['/inbox?filter=x', '/inbox?filter=x'],
  ['/docs/#a', '/docs/#a'],
])('%s is written as %s', (given, written) => expect(canonical(addressOf(given))).toBe(written));
