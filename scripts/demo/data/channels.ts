// The demo's channels in their folders: who created each, who is in it, and its settings.
import type { PersonKey } from './people.ts';

export interface DemoChannel {
  readonly name: string;
  readonly description: string;
  readonly folder: string;
  readonly creator: PersonKey;
  /** Private channels show their history to new members, or only to those who were there. */
  readonly kind?: 'public' | 'shared' | 'protected' | 'web-public';
  readonly isDefault?: boolean;
  /** Everybody but guests, or these people. */
  readonly members: 'everyone' | readonly PersonKey[];
}

export const FOLDERS: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'Company', description: 'What concerns everybody.' },
  { name: 'Trading', description: 'Markets, and the desk.' },
  { name: 'Venue', description: 'How it is built and kept running.' },
  { name: 'فارسی', description: 'گفت‌وگو به زبان فارسی' },
];

export const CHANNELS: readonly DemoChannel[] = [
  {
    name: 'announcements',
    description: 'Listings, maintenance and halts. Announced here first.',
    folder: 'Company',
    creator: 'marco',
    isDefault: true,
    members: 'everyone',
  },
  {
    name: 'general',
    description: 'Everything that concerns everybody.',
    folder: 'Company',
    creator: 'marco',
    isDefault: true,
    members: 'everyone',
  },
  {
    name: 'offsite',
    description: 'Four days in October: where, when, what for, and above all what to eat.',
    folder: 'Company',
    creator: 'sara',
    members: 'everyone',
  },
  {
    name: 'support',
    description: 'Deposits that are late, keys that do not work, questions of every kind.',
    folder: 'Company',
    creator: 'grace',
    members: ['marco', 'sara', 'grace', 'reza', 'tomas', 'niloofar', 'ali'],
  },
  {
    name: 'btcusdt',
    description: 'Bitcoin against Tether: what moves it, and who saw it coming.',
    folder: 'Trading',
    creator: 'nora',
    members: [
      'marco',
      'grace',
      'reza',
      'bot',
      'nora',
      'amir',
      'maryam',
      'daniel',
      'niloofar',
      'hana',
      'omar',
    ],
  },
  {
    name: 'market-news',
    description: 'What happened, what is listed, what to read.',
    folder: 'Trading',
    creator: 'hana',
    members: 'everyone',
  },
  {
    name: 'otc-desk',
    description: 'Quotes and bookings of the desk.',
    folder: 'Trading',
    creator: 'marco',
    kind: 'shared',
    members: ['marco', 'sara', 'nora', 'bot', 'maryam'],
  },
  {
    name: 'risk',
    description: 'Limits and exposures. New members see what comes, not what was.',
    folder: 'Trading',
    creator: 'sara',
    kind: 'protected',
    members: ['marco', 'sara', 'niloofar'],
  },
  {
    name: 'engineering',
    description: 'The engine, the chat, and everything in between.',
    folder: 'Venue',
    creator: 'daniel',
    members: ['marco', 'sara', 'reza', 'daniel', 'niloofar', 'hana', 'omar', 'nora'],
  },
  {
    name: 'incidents',
    description: 'One topic an incident. Resolved when it is.',
    folder: 'Venue',
    creator: 'daniel',
    members: ['marco', 'sara', 'grace', 'reza', 'bot', 'daniel', 'niloofar'],
  },
  {
    name: 'api-users',
    description: 'For people who write programs against the API. Readable by everybody on the web.',
    folder: 'Venue',
    creator: 'marco',
    kind: 'web-public',
    members: ['marco', 'tomas', 'omar', 'hana', 'nora', 'daniel', 'reza'],
  },
  {
    name: 'usdtirt',
    description: 'تتر به تومان: قیمت، کارمزد و پرسش‌های روزانه.',
    folder: 'فارسی',
    creator: 'amir',
    members: ['sara', 'reza', 'amir', 'maryam'],
  },
  {
    name: 'فارسی',
    description: 'گفت‌وگو به زبان فارسی',
    folder: 'فارسی',
    creator: 'sara',
    members: ['sara', 'reza', 'amir', 'maryam', 'niloofar'],
  },
];

export interface DemoGroup {
  readonly name: string;
  readonly description: string;
  readonly creator: PersonKey;
  readonly members: readonly PersonKey[];
}

export const GROUPS: readonly DemoGroup[] = [
  {
    name: 'desk',
    description: 'People who quote.',
    creator: 'marco',
    members: ['marco', 'nora', 'maryam'],
  },
  {
    name: 'engineering',
    description: 'People who can fix it.',
    creator: 'daniel',
    members: ['daniel', 'reza', 'sara', 'niloofar'],
  },
  {
    name: 'on-call',
    description: 'People on duty.',
    creator: 'sara',
    members: ['daniel', 'reza', 'sara'],
  },
  {
    name: 'tehran',
    description: 'دفتر تهران',
    creator: 'sara',
    members: ['sara', 'reza', 'amir', 'maryam', 'niloofar'],
  },
];

/** Their status texts. */
export const STATUSES: readonly {
  readonly who: PersonKey;
  readonly text: string;
  readonly emoji: string;
}[] = [
  { who: 'marco', text: 'Early quotes on Friday', emoji: 'coffee' },
  { who: 'sara', text: 'در جلسه تا ۱۵', emoji: 'calendar' },
  { who: 'grace', text: 'Packing for Tbilisi', emoji: 'airplane' },
  { who: 'daniel', text: 'On call', emoji: 'pager' },
  { who: 'hana', text: 'Learning Haskell, send help', emoji: 'books' },
  { who: 'amir', text: 'پشت بازار', emoji: 'chart' },
];

/** How long ago each of them last read everything, in hours. */
export const LAST_LOOK_HOURS: Readonly<Partial<Record<PersonKey, number>>> = {
  marco: 3,
  sara: 4.5,
  grace: 2,
  reza: 5,
  tomas: 24 * 5,
  nora: 2.5,
  amir: 28,
  maryam: 1,
  daniel: 1,
  niloofar: 1,
  hana: 12,
  omar: 6,
  ali: 24 * 3,
};

/** Channels that somebody muted, and topics that somebody follows. */
export const MUTED: readonly { readonly who: PersonKey; readonly channel: string }[] = [
  { who: 'nora', channel: 'offsite' },
  { who: 'reza', channel: 'market-news' },
];
export const PINNED: readonly { readonly who: PersonKey; readonly channel: string }[] = [
  { who: 'marco', channel: 'otc-desk' },
  { who: 'reza', channel: 'engineering' },
  { who: 'nora', channel: 'btcusdt' },
  { who: 'amir', channel: 'usdtirt' },
];

export interface DemoDraft {
  readonly author: PersonKey;
  readonly to:
    { readonly channel: string; readonly topic: string } | { readonly person: PersonKey };
  readonly content: string;
}

export const DRAFTS: readonly DemoDraft[] = [
  {
    author: 'marco',
    to: { channel: 'announcements', topic: 'ltcusdt' },
    content: 'Litecoin opens against Tether on Monday. Orders are post-only for the first minute.',
  },
  {
    author: 'reza',
    to: { channel: 'usdtirt', topic: 'کارمزد برداشت' },
    content: 'کارمزد برداشت تتر روی شبکهٔ ترون امروز ۱ USDT است؛ روی تون ارزان‌تر می‌شود؟',
  },
  {
    author: 'nora',
    to: { person: 'amir' },
    content: 'Same again on Monday? I may have 20 to cross.',
  },
];
