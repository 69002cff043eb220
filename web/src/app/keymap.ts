// Which keys call which command. Views answer commands by `useShortcut`; a key whose command nobody answers does nothing.
import type { Binding } from '../ui/shortcuts/matcher.ts';

export const GROUPS = {
  everywhere: ['palette', 'help', 'up', 'compose-channel', 'compose-direct'],
  views: [
    'inbox',
    'recent',
    'feed',
    'starred',
    'drafts',
    'next-topic',
    'next-direct',
    'trade',
    'markets',
    'wallet',
  ],
  messages: [
    'next',
    'previous',
    'reply',
    'edit',
    'thumbs-up',
    'react',
    'quote',
    'wider',
    'in-context',
    'mark-unread',
    'mute-topic',
    'send',
  ],
  trade: ['focus-buy', 'focus-sell', 'cancel-order'],
} as const;

export type CommandKey = (typeof GROUPS)[keyof typeof GROUPS][number];

const KEYS: Readonly<Record<CommandKey, readonly string[]>> = {
  palette: ['Ctrl+K', '/'],
  help: ['?'],
  up: ['Escape'],
  'compose-channel': ['c'],
  'compose-direct': ['x'],
  inbox: ['Shift+I'],
  recent: ['t'],
  feed: ['a'],
  starred: ['*'],
  drafts: ['d'],
  'next-topic': ['n'],
  'next-direct': ['p'],
  trade: ['g t'],
  markets: ['g m'],
  wallet: ['g w'],
  next: ['j', 'ArrowDown'],
  previous: ['k', 'ArrowUp'],
  reply: ['r', 'Enter'],
  edit: ['e'],
  'thumbs-up': ['+'],
  react: [':'],
  quote: ['>'],
  wider: ['s'],
  'in-context': ['z'],
  'mark-unread': ['Shift+U'],
  'mute-topic': ['Shift+M'],
  send: ['Ctrl+Enter'],
  'focus-buy': ['b'],
  'focus-sell': ['Shift+S'],
  'cancel-order': ['Shift+X'],
};

export const BINDINGS: readonly Binding[] = Object.entries(KEYS).flatMap(([command, keys]) =>
  keys.map((one) => ({ command, keys: one })),
);
