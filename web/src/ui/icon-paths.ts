// Our own icons, drawn with strokes of 1.5 on a grid of 20.

/** One icon: the paths of its strokes, and what of it is filled. */
interface Drawing {
  readonly strokes: string;
  readonly fills?: string;
  /** It points along the line of reading, so it turns around with it. */
  readonly follows?: true;
}

const dot = (x: number, y: number, r = 1.25) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${r * 2} 0a${r} ${r} 0 1 0 ${-r * 2} 0`;

export const drawings = {
  add: { strokes: 'M10 4.5v11M4.5 10h11' },
  alert: {
    strokes:
      'M10 7.5v3.75M8.7 3.6 2.6 14.2a1.5 1.5 0 0 0 1.3 2.3h12.2a1.5 1.5 0 0 0 1.3-2.3L11.3 3.6a1.5 1.5 0 0 0-2.6 0Z',
    fills: dot(10, 13.6, 0.9),
  },
  arrowDown: { strokes: 'M10 4v12M5 11l5 5 5-5' },
  arrowUp: { strokes: 'M10 16V4M5 9l5-5 5 5' },
  at: {
    strokes: 'M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0Zm0 0v1a2.25 2.25 0 0 0 4.5 0v-1a7.5 7.5 0 1 0-3 6',
  },
  attach: {
    strokes:
      'm16.5 9.2-6.6 6.6a4 4 0 0 1-5.7-5.7l6.9-6.9a2.7 2.7 0 0 1 3.8 3.8l-6.7 6.6a1.3 1.3 0 0 1-1.9-1.9l6-6',
  },
  back: { strokes: 'M12.5 4.5 7 10l5.5 5.5', follows: true },
  bell: {
    strokes:
      'M8.3 16.5a1.9 1.9 0 0 0 3.4 0M10 3a4.7 4.7 0 0 0-4.7 4.7c0 3.6-1.8 4.8-1.8 5.8h13c0-1-1.8-2.2-1.8-5.8A4.7 4.7 0 0 0 10 3Z',
  },
  bold: { strokes: 'M6 4h4.5a3 3 0 0 1 0 6H6Zm0 6h5.3a3 3 0 0 1 0 6H6Z' },
  chart: { strokes: 'M5.5 5v2M5.5 12v3M4 7h3v5H4ZM13.5 4v1.5M13.5 12.5V16M12 5.5h3v7h-3Z' },
  chat: {
    strokes:
      'M3 9.3C3 6 6 3.5 10 3.5s7 2.5 7 5.8-3 5.7-7 5.7a9 9 0 0 1-2.3-.3L4 16.5l.7-3.3A5.3 5.3 0 0 1 3 9.3Z',
  },
  check: { strokes: 'm4.5 10.5 3.5 3.5 7.5-8' },
  chevronDown: { strokes: 'm5 7.5 5 5 5-5' },
  chevronUp: { strokes: 'm5 12.5 5-5 5 5' },
  clock: { strokes: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM10 6v4.2l2.7 1.6' },
  close: { strokes: 'm5 5 10 10M15 5 5 15' },
  code: { strokes: 'm7 6-4 4 4 4M13 6l4 4-4 4' },
  coin: {
    strokes:
      'M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M12.25 7.75c-.5-.6-1.3-.9-2.25-.9-1.3 0-2.25.6-2.25 1.6 0 2.2 4.5.9 4.5 3.1 0 1-.95 1.6-2.25 1.6-.95 0-1.75-.3-2.25-.9M10 5.6v1.2M10 13.2v1.2',
  },
  copy: {
    strokes:
      'M7.5 6.5h7a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1ZM4 13.5V4.6c0-.6.5-1.1 1.1-1.1H12',
  },
  directMessage: {
    strokes:
      'M4 4.5h12a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 14V6A1.5 1.5 0 0 1 4 4.5ZM3 6l7 5 7-5',
  },
  download: { strokes: 'M10 3.5v9M6 9l4 4 4-4M4 16.5h12' },
  draft: {
    strokes:
      'M11 3.5H6A1.5 1.5 0 0 0 4.5 5v10A1.5 1.5 0 0 0 6 16.5h8a1.5 1.5 0 0 0 1.5-1.5V8ZM11 3.5V8h4.5M7.5 12h5',
  },
  edit: { strokes: 'm12.5 4.5 3 3L7 16l-3.8.8L4 13Zm-2 2 3 3' },
  emoji: {
    strokes: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM7 11.7c1.4 2.4 4.6 2.4 6 0',
    fills: dot(7.6, 8.2, 0.95) + dot(12.4, 8.2, 0.95),
  },
  eye: {
    strokes:
      'M2.5 10S5 4.8 10 4.8 17.5 10 17.5 10 15 15.2 10 15.2 2.5 10 2.5 10ZM12.3 10a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0Z',
  },
  eyeOff: {
    strokes:
      'M8.3 5c.5-.1 1.1-.2 1.7-.2 5 0 7.5 5.2 7.5 5.2a12 12 0 0 1-2 2.7M5.4 6.7A11.6 11.6 0 0 0 2.5 10s2.5 5.2 7.5 5.2c1.5 0 2.8-.5 3.9-1.1M3.5 3.5l13 13',
  },
  feed: { strokes: 'M3.5 5h13M3.5 10h13M3.5 15h8', follows: true },
  file: {
    strokes:
      'M11 3.5H6A1.5 1.5 0 0 0 4.5 5v10A1.5 1.5 0 0 0 6 16.5h8a1.5 1.5 0 0 0 1.5-1.5V8ZM11 3.5V8h4.5',
  },
  filter: { strokes: 'M4 5.5h12M6.5 10h7M8.5 14.5h3' },
  folder: {
    strokes:
      'M3 6a1.5 1.5 0 0 1 1.5-1.5h3L9.5 7h6A1.5 1.5 0 0 1 17 8.5V14a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14Z',
  },
  forward: { strokes: 'M7.5 4.5 13 10l-5.5 5.5', follows: true },
  gear: {
    strokes:
      'M12.4 10a2.4 2.4 0 1 1-4.8 0 2.4 2.4 0 0 1 4.8 0ZM8.6 3h2.8l.5 2 1.500.9 2-.6 1.4 2.4-1.5 1.5v1.6l1.5 1.5-1.4 2.4-2-.6-1.500.9-.5 2H8.6l-.5-2-1.5-.9-2 .6-1.4-2.4 1.5-1.5V9.2L3.2 7.7l1.4-2.4 2 .6 1.5-.9Z',
  },
  globe: {
    strokes:
      'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM3.2 10h13.6M10 3c2 1.9 2.9 4.2 2.9 7s-.9 5.1-2.9 7c-2-1.9-2.9-4.2-2.9-7S8 4.9 10 3Z',
  },
  halted: { strokes: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM8.3 7.5v5M11.7 7.5v5' },
  hash: { strokes: 'M8 3.5 6.5 16.5M13.5 3.5 12 16.5M4 7.5h12.5M3.5 12.5H16' },
  help: {
    strokes:
      'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM7.9 8a2.1 2.1 0 1 1 3.2 1.8c-.700.4-1.100.9-1.1 1.7',
    fills: dot(10, 13.7, 0.9),
  },
  image: {
    strokes:
      'M4 4.5h12A1 1 0 0 1 17 5.5v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1ZM3.5 14l4-4 3 3 2.5-2.5 3.5 3.5',
    fills: dot(12.8, 8, 1.1),
  },
  inbox: {
    strokes:
      'M3 11.5 5 5a1 1 0 0 1 1-.7h8a1 1 0 0 1 1 .7l2 6.5v3a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1Zm0 0h4l1 2h4l1-2h4',
  },
  info: { strokes: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM10 9.3v4', fills: dot(10, 6.8, 0.9) },
  italic: { strokes: 'M8.5 4h6M5.5 16h6M11.5 4l-3 12' },
  key: {
    strokes: 'M9.8 10.2a3.4 3.4 0 1 1-4.8 4.8 3.4 3.4 0 0 1 4.8-4.8Zm0 0 6.7-6.700M13 7l2.5 2.5',
  },
  link: {
    strokes:
      'M8.5 11.5a3 3 0 0 0 4.3 0l2.7-2.7a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 0l-2.7 2.7a3 3 0 0 0 4.3 4.3l1-1',
  },
  list: {
    strokes: 'M7.5 5.5h9M7.5 10h9M7.5 14.5h9',
    fills: dot(4, 5.5, 1) + dot(4, 10, 1) + dot(4, 14.5, 1),
    follows: true,
  },
  lock: {
    strokes:
      'M5.5 9h9a1 1 0 0 1 1 1v5.5a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1ZM7 9V6.5a3 3 0 0 1 6 0V9',
  },
  menu: { strokes: 'M3.5 5.5h13M3.5 10h13M3.5 14.5h13' },
  minus: { strokes: 'M4.5 10h11' },
  moon: { strokes: 'M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5Z' },
  more: { strokes: '', fills: dot(4.5, 10, 1.35) + dot(10, 10, 1.35) + dot(15.5, 10, 1.35) },
  mute: {
    strokes:
      'M8.3 16.5a1.9 1.9 0 0 0 3.4 0M7 4.1A4.7 4.7 0 0 1 14.7 7.7c0 1.400.3 2.500.6 3.3M5.3 7.3c-.1 3.8-1.8 5.2-1.8 6.2h10M3.5 3.5l13 13',
  },
  offline: {
    strokes:
      'M3 8a10.5 10.5 0 0 1 3-2M9 5c3-.2 5.800.9 8 3M5.5 11a7 7 0 0 1 3.5-2M12.5 9.7c.8.3 1.500.8 2 1.3M3.5 3.5l13 13',
    fills: dot(10, 14.8, 1.2),
  },
  order: {
    strokes:
      'M5.5 3.5h9a1 1 0 0 1 1 1v12l-2.7-1.5-2.8 1.5-2.8-1.5-2.7 1.5v-12a1 1 0 0 1 1-1ZM7.5 7.5h5M7.5 10.5h5',
  },
  people: {
    strokes:
      'M10.3 7a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0ZM2.5 16c.4-2.8 2.3-4.3 5-4.3s4.6 1.5 5 4.3M12.7 4.4a2.8 2.8 0 0 1 0 5.2M14.5 12c1.700.6 2.7 2 3 4',
  },
  percent: {
    strokes:
      'm5.5 14.5 9-9M4.5 6.75a2.25 2.25 0 1 0 4.5 0a2.25 2.25 0 1 0 -4.5 0M11 13.25a2.25 2.25 0 1 0 4.5 0a2.25 2.25 0 1 0 -4.5 0',
  },
  person: { strokes: 'M13 7a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM4 16.5c.5-3 2.7-4.7 6-4.7s5.5 1.7 6 4.7' },
  pin: { strokes: 'M10 12v5M7 3.5h6M7.7 3.5v4L5 12h10l-2.7-4.5v-4' },
  quote: { strokes: 'M4 6h5v5c0 2-1 3-3 3.5M4 6v5h5M11.5 6h5v5c0 2-1 3-3 3.5M11.5 6v5h5' },
  refresh: {
    strokes:
      'M16 8.5A6.3 6.3 0 0 0 4.7 6.7M4 11.5a6.3 6.3 0 0 0 11.3 1.8M4.5 3.5v3.3h3.3M15.5 16.5v-3.3h-3.3',
  },
  reply: { strokes: 'M8 5 3.5 9.5 8 14M3.5 9.5h7.5c3.5 0 5.5 2 5.5 5.5', follows: true },
  schedule: {
    strokes:
      'M4.5 5h11a1 1 0 0 1 1 1v9.5a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1ZM3.5 8.5h13M7 3v3.5M13 3v3.5',
  },
  search: { strokes: 'M14 8.8a5.2 5.2 0 1 1-10.4 0 5.2 5.2 0 0 1 10.4 0ZM12.6 12.6l4.2 4.2' },
  send: { strokes: 'M3.5 4 17 10 3.5 16l2-6Zm2 6h5', follows: true },
  signOut: {
    strokes: 'M8 3.5H5A1.5 1.5 0 0 0 3.5 5v10A1.5 1.5 0 0 0 5 16.5h3M8 10h9M13.5 6l3.5 4-3.5 4',
    follows: true,
  },
  smartphone: {
    strokes: 'M6.5 3h7a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM9 14.5h2',
  },
  star: { strokes: 'm10 3 2.1 4.5 4.900.6-3.6 3.400.9 4.9L10 14l-4.3 2.400.9-4.9L3 8.1l4.9-.6Z' },
  starred: {
    strokes: 'm10 3 2.1 4.5 4.900.6-3.6 3.400.9 4.9L10 14l-4.3 2.400.9-4.9L3 8.1l4.9-.6Z',
    fills: 'm10 3 2.1 4.5 4.900.6-3.6 3.400.9 4.9L10 14l-4.3 2.400.9-4.9L3 8.1l4.9-.6Z',
  },
  strike: {
    strokes:
      'M3.5 10h13M14 6.5C13.5 4.8 12 4 10 4 7.7 4 6 5.2 6 7c0 1 .5 1.7 1.2 2.2M6 13c.3 2 1.8 3 4 3 2.5 0 4-1.2 4-3 0-.6-.2-1-.4-1.4',
  },
  sun: {
    strokes:
      'M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM10 2.5V4M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M4.7 15.3l1-1M14.3 5.7l1-1',
  },
  topic: { strokes: 'm7 5 5 5-5 5', follows: true },
  trade: { strokes: 'M4 7h11M12 4l3 3-3 3M16 13H5M8 10l-3 3 3 3' },
  trash: {
    strokes:
      'M4 5.5h12M8 5.5v-2h4v2M5.5 5.5l.7 10a1 1 0 0 0 1 1h5.6a1 1 0 0 0 1-1l.7-10M8.5 9v4.5M11.5 9v4.5',
  },
  triangleDown: { strokes: '', fills: 'M4.5 6.5h11L10 14.5Z' },
  triangleUp: { strokes: '', fills: 'M4.5 13.5h11L10 5.5Z' },
  upload: { strokes: 'M10 13V4M6 8l4-4 4 4M4 16.5h12' },
  wallet: {
    strokes:
      'M14.5 6.5V5a1 1 0 0 0-1-1h-9A1.5 1.5 0 0 0 3 5.5v9A1.5 1.5 0 0 0 4.5 16h11a1.5 1.5 0 0 0 1.5-1.5V8a1.5 1.5 0 0 0-1.5-1.5h-11',
    fills: dot(13.8, 11.2, 1.1),
  },
} satisfies Readonly<Record<string, Drawing>>;

export type IconName = keyof typeof drawings;

export const drawingOf = (name: IconName): Drawing => drawings[name];
