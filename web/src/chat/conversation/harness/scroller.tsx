// A page for the acceptance suite of the scroller: one topic of many generated messages, served page by page from
// memory with a delay. Nothing else of the client is in it, so what moves is the scroller.
import { useEffect, useReducer, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../../../ui/tokens.css';
import { Heights } from '../heights.ts';
import { deriveRows, type Row } from '../rows.ts';
import { MessageScroller, type ScrollerHandle, type View } from '../scroller.tsx';
import {
  addMessage,
  beginFetch,
  coverOf,
  endFetch,
  indexFrom,
  NO_SPANS,
  spanAt,
  trimAround,
  type Spans,
} from '../span.ts';

const query = new URLSearchParams(location.search);
const TOTAL = Number(query.get('messages') ?? 1_000);
const DELAY_MS = Number(query.get('delay') ?? 20);
const WORDS = 'the desk pulled its quote twice this morning and nobody knows why it did so'.split(
  ' ',
);

let newest = TOTAL;

function textOf(id: number): string {
  const length = ((id * 7919) % 97) ** 2 / 90 + 3;
  return Array.from({ length }, (_, index) => WORDS[(id + index * index) % WORDS.length]).join(' ');
}

interface Answer {
  ids: readonly number[];
  foundOldest: boolean;
  foundNewest: boolean;
}

async function fetchPage(anchor: number, before: number, after: number): Promise<Answer> {
  await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
  const first = Math.max(1, anchor - before);
  const last = Math.min(newest, anchor + after);
  return {
    ids: Array.from({ length: last - first + 1 }, (_, index) => first + index),
    foundOldest: before > 0 && first === 1,
    foundNewest: after > 0 && last === newest,
  };
}

const heights = new Heights();

/** What the suite may ask of the page. */
interface Controls {
  append(count: number): void;
  prepend(): Promise<void>;
  grow(id: number, px: number): void;
  jumpTo(id: number): Promise<void>;
  toEnd(): void;
  keep(ids: readonly number[]): void;
  view(): View | undefined;
  busy(): boolean;
  /** Every write of a scroll position since the page was opened. */
  writes: { at: number; top: number }[];
}

declare global {
  interface Window {
    controls: Controls;
  }
}

function Page() {
  const spans = useRef<Spans>(NO_SPANS);
  const rows = useRef<readonly Row[]>([]);
  const grown = useRef(new Map<number, number>());
  const kept = useRef<ReadonlySet<string>>(new Set());
  const busy = useRef({ above: false, below: false });
  const anchor = useRef(Number(query.get('anchor') ?? TOTAL));
  const scroller = useRef<ScrollerHandle>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [opened, setOpened] = useState<{ at: number; turn: number }>();

  const load = async (at: number, before: number, after: number) => {
    spans.current = beginFetch(spans.current);
    const answer = await fetchPage(at, before, after);
    spans.current = endFetch(spans.current, coverOf({ ...answer, anchor: at }));
    spans.current = trimAround(spans.current, anchor.current);
  };
  const more = async (side: 'above' | 'below') => {
    const ids = spanAt(spans.current, anchor.current)?.ids ?? [];
    const edge = side === 'above' ? ids[0] : ids.at(-1);
    if (busy.current[side] || edge === undefined) return;
    busy.current[side] = true;
    await load(edge, side === 'above' ? 100 : 0, side === 'above' ? 0 : 100);
    busy.current[side] = false;
    redraw();
  };

  useEffect(() => {
    const open = async (at: number) => {
      anchor.current = at;
      await load(at, 60, 150);
      setOpened((before) => ({ at, turn: (before?.turn ?? 0) + 1 }));
    };
    void open(anchor.current);
    window.controls = {
      writes: [],
      append(count) {
        for (let left = count; left > 0; left--)
          spans.current = addMessage(spans.current, ++newest);
        redraw();
      },
      prepend: () => more('above'),
      grow(id, px) {
        grown.current.set(id, px);
        redraw();
      },
      jumpTo: open,
      toEnd: () => scroller.current?.scrollToEnd(),
      keep(ids) {
        kept.current = new Set(ids.map(String));
        redraw();
      },
      busy: () => busy.current.above || busy.current.below,
      view: () => scroller.current?.view(),
    };
    const write = Element.prototype.scrollTo;
    Element.prototype.scrollTo = function (this: Element, options?: ScrollToOptions | number) {
      const top = typeof options === 'object' ? (options.top ?? 0) : 0;
      window.controls.writes.push({ at: performance.now(), top });
      Reflect.apply(write, this, [options]);
    };
    // The controls are made once, for the whole life of the page.
  }, []);

  const span = spanAt(spans.current, anchor.current);
  if (opened === undefined || span === undefined) return <p>Loading</p>;
  rows.current = deriveRows(
    {
      messages: span.ids.map((id) => ({
        key: String(id),
        id,
        senderId: Math.floor(id / 3) % 5,
        timestamp: id * 60,
        place: 'topic',
      })),
      oldest: span.from === 0,
      dayOf: (timestamp) => String(Math.floor(timestamp / 86_400)),
    },
    rows.current,
  );
  const ids = span.ids;
  return (
    <div className="flex h-dvh flex-col">
      <MessageScroller
        key={opened.turn}
        ref={scroller}
        rows={rows.current}
        heights={heights}
        estimate={(row, width) => 44 + Math.ceil((textOf(row.id ?? 0).length * 7) / width) * 20}
        initial={opened.at >= newest ? 'end' : { key: String(opened.at), px: 0 }}
        keep={kept.current}
        follow={span.to === Infinity}
        label="Generated messages"
        startPx={span.from === 0 ? 16 : 96}
        start={span.from === 0 ? undefined : <p>Loading older messages</p>}
        onView={(view) => {
          const at = rows.current[view.first]?.id;
          if (at !== undefined) anchor.current = at;
          if (view.above < 1_500 && span.from !== 0 && indexFrom(ids, anchor.current) < 60)
            void more('above');
          if (view.below < 1_500 && span.to !== Infinity) void more('below');
        }}
        renderRow={(row) => (
          <>
            {row.day !== undefined && (
              <div style={{ lineHeight: '32px' }}>Day {Math.floor(row.day / 86_400)}</div>
            )}
            <article
              tabIndex={-1}
              aria-label={`Message ${row.id}`}
              style={{
                padding: row.startsSender ? '8px 16px 2px' : '2px 16px',
                lineHeight: '20px',
              }}
            >
              {row.startsSender && <b>Sender {Math.floor((row.id ?? 0) / 3) % 5}</b>}
              <p>
                {row.id}: {textOf(row.id ?? 0)}
              </p>
              <div style={{ height: grown.current.get(row.id ?? 0) ?? 0, background: 'silver' }} />
            </article>
          </>
        )}
      />
    </div>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');
createRoot(root).render(<Page />);
