// The list itself: rows from the feed and the outbox in the scroller, what sticks above it, the way back to the end.
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { dayKeyOf } from '../../i18n/date.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Conversation as Place, Message } from '../../state/entities.ts';
import { keyOf } from '../../state/keys.ts';
import { viewOf } from '../narrow/narrow.ts';
import type { Narrow } from '../narrow/terms.ts';
import type { OutboxRow } from '../../state/outbox.ts';
import { messageOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Feed, FeedView } from './feed.ts';
import { Heights } from './heights.ts';
import { MessageRow } from './message-row.tsx';
import { OutboxView } from './outbox-view.tsx';
import { StickyPlace } from './sticky-place.tsx';
import { deriveRows, type Row, type RowMessage, type UnreadLine } from './rows.ts';
import { MessageScroller, type ScrollerHandle, type View } from './scroller.tsx';
import { useSeen } from './seen-watch.ts';
import { texts } from './texts.ts';
import { unreadIdsIn } from './unread-ids.ts';

const heights = new Heights();
/** Nearer to the edge of what is loaded than this, more is fetched. */
const NEAR_PX = 2_000;
const NOTHING_SENT: readonly OutboxRow[] = [];
const dayOf = (timestamp: number) => dayKeyOf(timestamp * 1000);

export interface MessagesProps {
  readonly feed: Feed;
  readonly view: FeedView;
  readonly place: Place | undefined;
  /** What the view is called. */
  readonly title: string;
  /** The topic lost its messages while the page was away. */
  readonly isGone: boolean;
  readonly selected: number | undefined;
  readonly editing: number | undefined;
}

export function Messages(props: MessagesProps) {
  const { feed, view, place, title, isGone, selected, editing } = props;
  const t = useTexts(texts);
  const store = useStore();
  const span = view.span ?? { ids: [], from: 0, to: Infinity, used: 0 };
  const isNewest = span.to === Infinity;
  const ownId = store.state.own.userId;
  const area = useRef<HTMLDivElement>(null);
  const scroller = useRef<ScrollerHandle>(null);
  const sent = useSyncExternalStore(store.subscribe, () =>
    place === undefined || !isNewest ? NOTHING_SENT : store.outbox.of(keyOf(place, ownId)),
  );
  const [unreadLine] = useState(() => lineOf(view, unreadIdsIn(store.state, feed.narrow)));
  const messages = useSelect(store, (state) => span.ids.map((id) => messageOf(state, id)));
  const rows = useRows({ messages, sent, oldest: span.from === 0, unreadLine, ownId });
  const sentByKey = useMemo(() => new Map(sent.map((row) => [row.localId, row])), [sent]);
  const [here, setHere] = useState<View>();
  const [isUnderBar, setUnderBar] = useState(false);

  useSeen(store, area, scroller, (key) => Number(key) || undefined);
  useOwnSends(sent, scroller);

  const onView = useCallback(
    (now: View) => {
      setHere((before) => (before !== undefined && isSameView(before, now) ? before : now));
      setUnderBar(hidesOwnBar(rows[now.first], now));
      feed.place = now.atEnd && isNewest ? undefined : now.place;
      const id = rows[now.first]?.id;
      if (id !== undefined) feed.moveTo(now.atEnd && isNewest ? Infinity : id);
      if (now.above < NEAR_PX) void feed.loadOlder();
      if (now.below < NEAR_PX) void feed.loadNewer();
    },
    [feed, rows, isNewest],
  );
  const keep = useMemo(
    () => new Set([selected, editing].flatMap((id) => (id === undefined ? [] : [String(id)]))),
    [selected, editing],
  );
  const initial = useMemo(() => initialPlace(feed, view), [feed, view.turn]);
  if (rows.length === 0) {
    return (
      <div className="flex min-h-0 flex-1 flex-col justify-center">
        <EmptyState icon="chat">{isGone ? t.topicGone : emptyText(feed.narrow, t)}</EmptyState>
      </div>
    );
  }
  const behind =
    place === undefined
      ? 0
      : unreadBelow(store.state.unreads.get(keyOf(place, ownId))?.ids ?? [], rows, here);
  return (
    <div ref={area} className="relative flex min-h-0 flex-1 flex-col">
      {(place !== undefined || isUnderBar) && (
        <StickyPlace row={rows[here?.first ?? 0]} showsPlace={place === undefined} />
      )}
      <MessageScroller
        ref={scroller}
        rows={rows}
        heights={heights}
        estimate={place === undefined ? estimateWithBar : estimate}
        initial={initial}
        keep={keep}
        follow={isNewest}
        label={t.messages({ place: title })}
        busy={view.loading !== undefined}
        startPx={span.from === 0 ? 24 : 120}
        start={span.from === 0 ? undefined : <OlderComing label={t.loadingOlder} />}
        coveredPx={48}
        onView={onView}
        renderRow={(row) => {
          const onItsWay = sentByKey.get(row.key);
          return onItsWay === undefined || row.id !== undefined ? (
            <MessageRow
              row={row}
              isSelected={row.id === selected}
              isEdited={row.id === editing && editing !== undefined}
              showsPlaces={place === undefined}
            />
          ) : (
            <OutboxView row={row} sent={onItsWay} />
          );
        }}
      />
      {here !== undefined && (!here.atEnd || !isNewest) && (
        <div className="pointer-events-none absolute inset-x-0 bottom-2 flex justify-center">
          <Button
            size="small"
            icon="arrowDown"
            className="pointer-events-auto rounded-full shadow-overlay"
            onPress={() => (isNewest ? scroller.current?.scrollToEnd() : void feed.open('newest'))}
          >
            {behind === 0 ? t.toLatest : t.toLatestCount({ count: behind })}
          </Button>
        </div>
      )}
    </div>
  );
}

function OlderComing({ label }: { readonly label: string }) {
  return (
    <div role="status" className="flex h-full flex-col justify-end gap-3 px-4 pb-3">
      <span className="sr-only">{label}</span>
      <Skeleton className="h-3.5 w-40" />
      <Skeleton className="h-3.5 w-2/3" />
      <Skeleton className="h-3.5 w-1/2" />
    </div>
  );
}

function useRows({
  messages,
  sent,
  oldest,
  unreadLine,
  ownId,
}: {
  readonly messages: readonly (Message | undefined)[];
  readonly sent: readonly OutboxRow[];
  readonly oldest: boolean;
  readonly unreadLine: UnreadLine | undefined;
  readonly ownId: number;
}): readonly Row[] {
  const before = useRef<readonly Row[]>([]);
  return useMemo(() => {
    const known = new Set(messages.map((message) => message?.id));
    const all = [
      ...messages.flatMap((message) => (message === undefined ? [] : [rowOf(message)])),
      ...sent.flatMap((row) => (known.has(row.messageId) ? [] : [rowOfSent(row, ownId)])),
    ];
    const rows = deriveRows({ messages: all, oldest, unreadLine, dayOf }, before.current);
    before.current = rows;
    return rows;
  }, [messages, sent, oldest, unreadLine, ownId]);
}

const rowOf = (message: Message): RowMessage => ({
  key: String(message.id),
  id: message.id,
  senderId: message.senderId,
  timestamp: message.sentAt,
  place: message.key,
  alone: message.isMe,
});

const rowOfSent = (row: OutboxRow, ownId: number): RowMessage => ({
  key: row.localId,
  senderId: ownId,
  timestamp: Math.floor(row.createdAtMs / 1000),
  place: row.key,
});

/** The line as it is at opening; reading does not move it. */
function lineOf({ target }: FeedView, unread: readonly number[]): UnreadLine | undefined {
  const [firstId] = unread;
  if (firstId === undefined || target === undefined) return undefined;
  return { firstId, count: unread.length };
}

function initialPlace(feed: Feed, { target }: FeedView) {
  if (target !== undefined) return { key: String(target), px: -56 };
  return feed.place ?? ('end' as const);
}

/** A person who sends wants to see it, wherever they were reading. */
function useOwnSends(
  sent: readonly OutboxRow[],
  scroller: React.RefObject<ScrollerHandle | null>,
): void {
  const last = useRef(sent.at(-1)?.localId);
  useEffect(() => {
    const newest = sent.at(-1)?.localId;
    if (newest !== undefined && newest !== last.current) scroller.current?.scrollToEnd();
    last.current = newest;
  }, [sent, scroller]);
}

function unreadBelow(
  unread: readonly number[],
  rows: readonly Row[],
  here: View | undefined,
): number {
  const lastSeen = rows[here?.last ?? -1]?.id;
  return lastSeen === undefined ? unread.length : unread.filter((id) => id > lastSeen).length;
}

const isSameView = (a: View, b: View): boolean =>
  a.first === b.first && a.last === b.last && a.atEnd === b.atEnd;

/** What stands above the bar with the name of the place, and the bar itself. */
const linesPx = (row: Row): number =>
  (row.day === undefined ? 0 : 44) + (row.unread === undefined ? 0 : 32);
const BAR_PX = 44;

const estimate = (row: Row): number => (row.startsSender ? 58 : 26) + linesPx(row);
const estimateWithBar = (row: Row): number => estimate(row) + (row.startsPlace ? BAR_PX : 0);

/** Whether the bar that names the place of the uppermost row has left the view: only then another one is needed. */
function hidesOwnBar(row: Row | undefined, { place }: View): boolean {
  if (row === undefined || place === undefined) return false;
  return !row.startsPlace || place.px > linesPx(row);
}

function emptyText(narrow: Narrow, t: ReturnType<typeof useTexts<(typeof texts)['en']>>): string {
  const { kind } = viewOf(narrow);
  if (kind === 'topic' || kind === 'direct') return t.emptyTopic;
  if (kind === 'mentions') return t.emptyMentions;
  if (kind === 'starred') return t.emptyStarred;
  return kind === 'search' ? t.emptySearch : t.emptyView;
}
