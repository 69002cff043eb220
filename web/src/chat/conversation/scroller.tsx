// A list of messages that never jumps. Rows are laid out by TanStack's virtualiser; this component adds what it lacks:
// heights that are remembered, no scroll write while a finger or momentum moves, rows that stay mounted, a bound on
// the rows in the page.
import {
  defaultRangeExtractor,
  useVirtualizer,
  type Range,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react';
import type { Heights } from './heights.ts';
import { watchMotion, type Motion } from './motion.ts';

const ROWS_MAX = 60;
const OVERSCAN_MAX = 8;
/** Nearer to the end than this, the reader is at the end. */
/** Sizes of rows that are gone, until they are dropped together. */
const FORGOTTEN_MAX = 1_000;
const END_PX = 48;
/** Before the list was ever laid out. */
const GUESSED_WIDTH = 640;

export interface ScrollerRow {
  readonly key: string;
}

export interface Place {
  readonly key: string;
  /** How far the upper edge of the view is below the upper edge of the row. */
  readonly px: number;
}

export interface View {
  /** The rows whose end is on the screen. */
  readonly ended: readonly string[];
  /** The first row that begins on the screen. */
  readonly begins: string | undefined;
  /** The row at the upper edge, and the last one that is on the screen at all. */
  readonly first: number;
  readonly last: number;
  readonly place: Place | undefined;
  readonly atEnd: boolean;
  /** Space between the view and either end of what is loaded. */
  readonly above: number;
  readonly below: number;
}

export interface ScrollerHandle {
  scrollTo(key: string, align: 'start' | 'center' | 'end' | 'auto'): void;
  scrollToEnd(): void;
  scrollBy(px: number): void;
  focus(): void;
  view(): View | undefined;
}

export interface MessageScrollerProps<R extends ScrollerRow> {
  readonly rows: readonly R[];
  readonly renderRow: (row: R, index: number) => ReactNode;
  /** A guess, used until the row was measured once. */
  readonly estimate: (row: R, width: number) => number;
  readonly heights: Heights;
  /** Where to begin: at a place, or at the end. */
  readonly initial: Place | 'end';
  /** Rows that stay mounted wherever the view is: the focused, selected, edited ones. */
  readonly keep?: ReadonlySet<string>;
  /** Stays with the end when rows are appended and the reader is there. */
  readonly follow: boolean;
  readonly label: string;
  readonly busy?: boolean;
  /** Room above the first row, and what is drawn in it. */
  readonly startPx?: number;
  readonly start?: ReactNode;
  readonly endPx?: number;
  readonly end?: ReactNode;
  /** What sticks to the upper edge covers this much of a row that is scrolled to. */
  readonly coveredPx?: number;
  readonly onView?: (view: View) => void;
  readonly ref?: Ref<ScrollerHandle>;
}

export function MessageScroller<R extends ScrollerRow>(props: MessageScrollerProps<R>) {
  const { rows, heights, estimate, keep, startPx = 16, endPx = 16, coveredPx = 0 } = props;
  const element = useRef<HTMLDivElement>(null);
  const motion = useRef<Motion>(undefined);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const anchorKey = useRef<string>(undefined);
  const latest = useRef<{ onView: typeof props.onView; readView?: () => View | undefined }>({
    onView: props.onView,
  });
  const [initialOffset] = useState(() => offsetOf(props, startPx));

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => element.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => {
      const row = rows[index];
      if (row === undefined) return 0;
      return heights.get(row.key) ?? estimate(row, heights.width || GUESSED_WIDTH);
    },
    measureElement: (node, entry) => {
      const size = entry?.borderBoxSize[0]?.blockSize ?? node.getBoundingClientRect().height;
      const height = Math.round(size);
      const key = node instanceof HTMLElement ? node.dataset['key'] : undefined;
      if (key !== undefined) heights.set(key, height);
      return height;
    },
    rangeExtractor: (range) => boundedRange(range, keptIndexes(rows, keep)),
    initialOffset,
    paddingStart: startPx,
    paddingEnd: endPx,
    scrollPaddingStart: coveredPx,
    scrollPaddingEnd: 8,
    anchorTo: 'end',
    followOnAppend: props.follow && motion.current?.isMoving() !== true,
    scrollEndThreshold: END_PX,
  });

  // The virtualiser remembers the size of every row that it ever had; ours are in `heights`, which is bounded.
  useEffect(() => {
    const { itemSizeCache } = virtualizer;
    if (itemSizeCache.size <= rows.length + FORGOTTEN_MAX) return;
    const present = new Set<unknown>(rows.map(({ key }) => key));
    for (const key of itemSizeCache.keys()) if (!present.has(key)) itemSizeCache.delete(key);
  }, [rows, virtualizer]);

  // The virtualiser holds corrections back on iOS alone while a finger or momentum moves the list, and draws the rows
  // shifted until rest. Other browsers lose momentum to a write too. It asks this function wherever it writes.
  useState(() => {
    const guarded = virtualizer as unknown as { _canWriteScroll: () => boolean };
    const canWrite = guarded._canWriteScroll;
    guarded._canWriteScroll = () => motion.current?.isMoving() !== true && canWrite();
    virtualizer.shouldAdjustScrollPositionOnItemSizeChange = aboveTheAnchor(
      () => anchorKey.current,
    );
  });

  const readView = useCallback((): View | undefined => {
    const box = element.current;
    const offset = virtualizer.scrollOffset;
    if (box === null || offset === null) return undefined;
    const bottom = offset + box.clientHeight;
    const items = virtualizer
      .getVirtualItems()
      .filter(({ start, end }) => end > offset && start < bottom);
    const first = items[0];
    return {
      ended: items.filter(({ end }) => end <= bottom + 1).map(({ key }) => String(key)),
      begins: items.find(({ start }) => start >= offset)?.key.toString(),
      first: first?.index ?? -1,
      last: items.at(-1)?.index ?? -1,
      place: first === undefined ? undefined : { key: String(first.key), px: offset - first.start },
      atEnd: virtualizer.getDistanceFromEnd() <= END_PX,
      above: offset - startPx,
      below: virtualizer.getDistanceFromEnd(),
    };
  }, [virtualizer, startPx]);

  useLayoutEffect(() => {
    latest.current = { onView: props.onView, readView };
  });

  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return;
    motion.current = watchMotion(box, redraw);
    let frame = 0;
    let height = box.clientHeight;
    heights.width = box.clientWidth;
    const report = () => {
      frame = 0;
      const view = latest.current.readView?.();
      if (view === undefined) return;
      anchorKey.current = view.begins;
      latest.current.onView?.(view);
    };
    const schedule = () => (frame ||= requestAnimationFrame(report));
    const observer = new ResizeObserver(() => {
      const wasAtEnd = virtualizer.getDistanceFromEnd() - (height - box.clientHeight) <= END_PX;
      const changed = height !== box.clientHeight;
      height = box.clientHeight;
      heights.width = box.clientWidth;
      // A compose box that grows must not cover the newest message.
      if (changed && wasAtEnd && motion.current?.isMoving() !== true) virtualizer.scrollToEnd();
      schedule();
    });
    observer.observe(box);
    box.addEventListener('scroll', schedule, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      box.removeEventListener('scroll', schedule);
      motion.current?.stop();
    };
  }, [virtualizer, heights]);

  const { initial } = props;
  const placed = useRef(false);
  useLayoutEffect(() => {
    if (placed.current || rows.length === 0) return;
    placed.current = true;
    if (initial === 'end') virtualizer.scrollToEnd();
  });

  useEffect(() => {
    const view = readView();
    if (view !== undefined) latest.current.onView?.(view);
  }, [rows, readView]);

  useImperativeHandle(props.ref, () => ({
    scrollTo(key, align) {
      const index = rows.findIndex((row) => row.key === key);
      if (index >= 0) virtualizer.scrollToIndex(index, { align });
    },
    scrollToEnd: () => virtualizer.scrollToEnd(),
    scrollBy: (px) => virtualizer.scrollBy(px),
    focus: () => element.current?.focus({ preventScroll: true }),
    view: readView,
  }));

  const total = virtualizer.getTotalSize();
  return (
    <div
      ref={element}
      tabIndex={-1}
      data-scroller=""
      className="flex min-h-0 flex-1 flex-col overflow-x-clip overflow-y-auto overscroll-contain outline-none [overflow-anchor:none]"
    >
      <div
        role="feed"
        aria-label={props.label}
        aria-busy={props.busy === true}
        className="relative mbs-auto w-full flex-none"
        style={{ height: total }}
      >
        {props.start !== undefined && (
          <div className="absolute inset-x-0 top-0" style={{ height: startPx }}>
            {props.start}
          </div>
        )}
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              data-key={row.key}
              className="absolute inset-x-0 [contain:layout_style]"
              style={{ top: item.start }}
            >
              {props.renderRow(row, item.index)}
            </div>
          );
        })}
        {props.end !== undefined && (
          <div className="absolute inset-x-0 bottom-0" style={{ height: endPx }}>
            {props.end}
          </div>
        )}
      </div>
    </div>
  );
}

/** The offset that puts the initial place at the upper edge, if every guess is right; measuring corrects the rest. */
function offsetOf<R extends ScrollerRow>(
  { initial, rows, estimate, heights }: MessageScrollerProps<R>,
  startPx: number,
): number {
  if (initial === 'end') return 0;
  let offset = startPx;
  for (const row of rows) {
    if (row.key === initial.key) return Math.max(0, offset + initial.px);
    offset += heights.get(row.key) ?? estimate(row, heights.width || GUESSED_WIDTH);
  }
  return 0;
}

function keptIndexes(
  rows: readonly ScrollerRow[],
  keep: ReadonlySet<string> | undefined,
): number[] {
  if (keep === undefined || keep.size === 0) return [];
  return rows.flatMap((row, index) => (keep.has(row.key) ? [index] : []));
}

/** The rows on the screen, those that must stay, and as many around as the bound leaves. */
function boundedRange(range: Range, kept: readonly number[]): number[] {
  const visible = range.endIndex - range.startIndex + 1;
  const spare = Math.floor((ROWS_MAX - visible - kept.length) / 2);
  const overscan = Math.max(1, Math.min(OVERSCAN_MAX, spare));
  const indexes = defaultRangeExtractor({ ...range, overscan });
  return [...new Set([...indexes, ...kept])].sort((a, b) => a - b);
}

/**
 * A row that changes its height keeps those below it in place, if it is above the anchor: the first row that began on
 * the screen when it last moved. Without one, a single row fills the screen, and it grows at its end, unseen. Rows are
 * measured in batches, before any of them is moved, so all of a batch are compared with the position before it.
 */
function aboveTheAnchor(anchorKey: () => string | undefined) {
  let layout: unknown;
  let offset = 0;
  return (item: VirtualItem, _delta: number, list: Virtualizer<HTMLDivElement, Element>) => {
    if (layout !== list.measurementsCache) {
      layout = list.measurementsCache;
      offset = list.scrollOffset ?? 0;
      queueMicrotask(() => (layout = undefined));
    }
    const height = list.scrollRect?.height ?? 0;
    const index = indexOf(list, anchorKey());
    const anchor = index < 0 ? undefined : list.measurementsCache[index];
    return anchor !== undefined && Math.abs(anchor.start - offset) <= height
      ? item.index < index
      : item.start < offset && item.end <= offset + height;
  };
}

function indexOf(
  { options }: Virtualizer<HTMLDivElement, Element>,
  key: string | undefined,
): number {
  for (let index = 0; key !== undefined && index < options.count; index++) {
    if (options.getItemKey(index) === key) return index;
  }
  return -1;
}
