// The demo's channels, who is subscribed, and drafts that are waiting to be finished.
import type { CastName } from './people.ts';

export interface DemoChannel {
  readonly name: string;
  readonly description: string;
  readonly color: string;
  readonly isPrivate?: boolean;
  /** Everybody but guests, or these people. */
  readonly members: 'everyone' | readonly CastName[];
}

export const CHANNELS: readonly DemoChannel[] = [
  {
    name: 'general',
    description: 'Everything that concerns everybody.',
    color: '#76ce90',
    members: 'everyone',
  },
  {
    name: 'announcements',
    description: 'Listings, maintenance and halts. Announced here first.',
    color: '#fae589',
    members: 'everyone',
  },
  {
    name: 'btcusdt',
    description: 'Bitcoin against Tether: what moves it, and who saw it coming.',
    color: '#a6c7e5',
    members: ['owner', 'moderator', 'member', 'bot', 'trader_a', 'trader_b'],
  },
  {
    name: 'usdtirt',
    description: 'تتر به تومان: قیمت، کارمزد و پرسش‌های روزانه.',
    color: '#c2c2c2',
    members: ['admin', 'member', 'trader_b'],
  },
  {
    name: 'support',
    description: 'Deposits that are late, keys that do not work, questions of every kind.',
    color: '#e79ab5',
    members: ['owner', 'admin', 'moderator', 'member', 'guest'],
  },
  {
    name: 'فارسی',
    description: 'گفت‌وگو به زبان فارسی',
    color: '#f5ce6e',
    members: ['admin', 'member', 'trader_b'],
  },
  {
    name: 'otc-desk',
    description: 'Quotes and bookings of the desk. Private.',
    color: '#94c849',
    isPrivate: true,
    members: ['owner', 'admin', 'trader_a', 'bot'],
  },
];

export interface DemoDraft {
  readonly author: CastName;
  readonly to: { readonly channel: string; readonly topic: string } | { readonly person: CastName };
  readonly content: string;
}

export const DRAFTS: readonly DemoDraft[] = [
  {
    author: 'owner',
    to: { channel: 'announcements', topic: 'ltcusdt' },
    content: 'Litecoin opens against Tether on Monday. Orders are post-only for the first minute.',
  },
  {
    author: 'member',
    to: { channel: 'usdtirt', topic: 'کارمزد' },
    content: 'کارمزد برداشت تتر روی شبکهٔ ترون امروز ۱ USDT است؛ روی تون ارزان‌تر می‌شود؟',
  },
  {
    author: 'trader_a',
    to: { person: 'trader_b' },
    content: 'Are you still offered in size above 64,200?',
  },
];
