// A page that shows one message at a time, for tests in a real browser. It is not part of the client.
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { localeOf, LocaleProvider, type Language } from '../../i18n/locale.tsx';
import { preparePage } from '../../ui/page.ts';
import '../../ui/tokens.css';
import { printNarrow } from '../narrow/print.ts';
import { parseDocument, parseHtml } from './dom.ts';
import { MessageContent, type MessageContentProps } from './message-content.tsx';
import { readBlocks } from './read-blocks.ts';
import { ContentProvider, type ContentWorld } from './world.tsx';

interface Shown {
  readonly html: string;
  readonly submessages?: MessageContentProps['message']['submessages'];
  readonly isMe?: boolean;
}

interface Look {
  readonly language?: Language;
  readonly theme?: 'dark' | 'light';
}

const NAMES: Readonly<Record<number, string>> = {
  1: 'Reza Ahmadi',
  2: 'سارا کریمی',
  12: 'Ada Lovelace',
};

preparePage();
const element = document.getElementById('root');
if (element === null) throw new Error('The page has no element with the id root.');
const root = createRoot(element);
const opened: string[] = [];
const sent: string[] = [];
let drawn = 0;

const world: ContentWorld = {
  origin: location.origin,
  readerId: 12,
  zone: 'Asia/Tehran',
  playgrounds: [
    { name: 'Play', language: 'Python', urlTemplate: 'https://play.example/?code={code}' },
  ],
  personName: (id) => NAMES[id],
  groupName: () => undefined,
  isInGroup: (id) => id === 7,
  fileSize: () => 48_200,
  openNarrow: (narrow) => opened.push(printNarrow(narrow)),
  reply: (_id, text) => sent.push(text),
  addSubmessage: (_id, content) => {
    sent.push(content);
    return Promise.resolve();
  },
};

function draw(look: Look, children: ReactNode): void {
  const { language = 'en', theme = 'dark' } = look;
  const { documentElement: page } = document;
  page.lang = language;
  page.dir = localeOf(language).direction;
  page.dataset['theme'] = theme;
  flushSync(() =>
    root.render(
      <LocaleProvider locale={localeOf(language)}>
        <ContentProvider world={world}>
          <main className="mx-auto flex max-w-3xl flex-col gap-4 bg-panel p-4">{children}</main>
        </ContentProvider>
      </LocaleProvider>,
    ),
  );
}

/** How long reading takes, beside the browser's own parser alone. */
function measure(pages: readonly string[]): { own: number; plain: number } {
  const once = (work: (html: string) => unknown): number => {
    const start = performance.now();
    for (const html of pages) work(html);
    return performance.now() - start;
  };
  // The best of ten: a busy machine only makes a round longer.
  const time = (work: (html: string) => unknown): number =>
    Math.min(...Array.from({ length: 10 }, () => once(work)));
  return { own: time((html) => readBlocks(parseHtml(html))), plain: time(parseDocument) };
}

const harness = {
  opened,
  sent,
  measure,
  show(shown: readonly Shown[], look: Look = {}): void {
    drawn += 1;
    const round = drawn;
    draw(
      look,
      shown.map(({ html, ...message }, index) => (
        <article key={`${round}-${index}`}>
          <MessageContent html={html} message={{ id: index + 1, senderId: 1, ...message }} />
        </article>
      )),
    );
  },
};

Object.assign(globalThis, { harness });
