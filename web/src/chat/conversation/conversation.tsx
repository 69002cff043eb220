// The messages of a narrow, and the box to answer in.
import {
  lazy,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Conversation as Place } from '../../state/entities.ts';
import { directOf } from '../../state/keys.ts';
import { messageOf } from '../../state/select.ts';
import { useConnection, useSelect, useStore } from '../../state/react.ts';
import { Banner } from '../../ui/banner.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Compose } from '../compose/compose.tsx';
import { composeBoxOf } from '../compose/box.ts';
import { ContentProvider } from '../content/world.tsx';
import { viewOf } from '../narrow/narrow.ts';
import type { Narrow } from '../narrow/terms.ts';
import { ConversationBar } from './bar.tsx';
import { useContentWorldOf } from './content-world.ts';
import { ActsProvider, type Over } from './context.tsx';
import { feedOf, type Feed } from './feed.ts';
import { Messages } from './messages.tsx';
import { WaitingMessages } from './waiting.tsx';
import { texts } from './texts.ts';
import { TypingLine } from './typing-line.tsx';
import { useMakeActs, whyOf } from './use-acts.ts';
import { useNews } from './use-news.ts';
import { useTitle } from './use-title.ts';
import { useMessageKeys } from './use-message-keys.ts';
import { unreadIdsIn } from './unread-ids.ts';

const MessageDialogs = lazy(() =>
  import('./message-dialogs.tsx').then((file) => ({ default: file.MessageDialogs })),
);

export interface ConversationProps {
  readonly narrow: Narrow;
  /** The message to open at; without it, the first unread one. */
  readonly near?: number | undefined;
  /** Goes to another narrow; without it, by the address. */
  readonly onOpen?: ((narrow: Narrow) => void) | undefined;
  /** Stands in the place of the name of the view, and has the heading in it. */
  readonly head?: ReactNode;
}

/** The conversation that a narrow is, if it is just one. */
function placeOf(narrow: Narrow, ownId: number): Place | undefined {
  const view = viewOf(narrow);
  if (view.kind === 'topic') return { kind: 'topic', channelId: view.channelId, topic: view.topic };
  return view.kind === 'direct' ? directOf(ownId, view.userIds) : undefined;
}

export function Conversation({ narrow, near = narrow.near, onOpen, head }: ConversationProps) {
  const t = useTexts(texts);
  const store = useStore();
  const feed = feedOf(store, narrow);
  const title = useTitle(narrow);
  const view = useSyncExternalStore(feed.subscribe, feed.view);
  const isOffline = useConnection(store).kind === 'offline';
  const place = useMemo(() => placeOf(narrow, store.state.own.userId), [store, narrow]);
  const world = useContentWorldOf(store, onOpen);
  const box = composeBoxOf(store);
  useEffect(() => box.follow(place), [box, place]);
  const { isGone } = useNews(store, feed, place, world.openNarrow);
  useOpening(feed, near);

  const [selected, select] = useState<number>();
  const [editing, edit] = useState<number>();
  const [over, open] = useState<Over>();
  const acts = useMakeActs({ select, edit, open });
  const selectedMessage = useSelect(store, (state) => messageOf(state, selected ?? -1));
  useMessageKeys(feed, selectedMessage, acts);

  return (
    <ContentProvider world={world}>
      <ActsProvider acts={acts}>
        <div className="relative flex min-h-0 min-w-0 flex-1 flex-col bg-background">
          <ConversationBar
            narrow={narrow}
            conversation={place}
            feed={feed}
            title={title}
            head={head}
          />
          {view.isKept && (
            <div className="px-4 pt-2">
              <Banner tone="warning" icon="offline">
                {t.kept}
              </Banner>
            </div>
          )}
          {view.span !== undefined ? (
            <Messages
              // A jump lays the list out anew; scrolling and new messages do not.
              key={view.turn}
              feed={feed}
              view={view}
              place={place}
              title={title}
              isGone={isGone}
              selected={selected}
              editing={editing}
            />
          ) : view.error === undefined ? (
            <WaitingMessages label={t.loading} />
          ) : (
            <div className="flex min-h-0 flex-1 flex-col justify-center">
              <ErrorState
                what={t.failed}
                why={isOffline ? t.noNetwork : whyOf(view.error)}
                onRetry={() => void feed.retry()}
                isRetrying={view.loading !== undefined}
              />
            </div>
          )}
          <TypingLine conversation={place} />
          <Compose viewed={place} />
          {over !== undefined && (
            <Suspense>
              <MessageDialogs over={over} onClose={() => open(undefined)} />
            </Suspense>
          )}
        </div>
      </ActsProvider>
    </ContentProvider>
  );
}

/** Opens at the message that was asked for, else at the first unread one, else where the reader was, else at the end. */
function useOpening(feed: Feed, near: number | undefined): void {
  const store = useStore();
  const opened = useRef<{ feed: Feed; near: number | undefined }>(undefined);
  useEffect(() => {
    if (opened.current?.feed === feed && opened.current.near === near) return;
    opened.current = { feed, near };
    const [firstUnread] = unreadIdsIn(store.state, feed.narrow);
    const isKnown = feed.view().span !== undefined;
    if (near !== undefined) void feed.open(near);
    else if (!isKnown) void feed.open('first_unread');
    else if (firstUnread !== undefined) void feed.open(firstUnread);
    else if (feed.place === undefined) void feed.open('newest');
  }, [feed, near, store]);
}
