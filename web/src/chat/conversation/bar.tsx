// The head of a conversation: where one is, and what can be done with the whole of it.
import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Conversation } from '../../state/entities.ts';
import { channelOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { mayBeMarket, symbolOf } from '../../together/market-channel.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import type { Narrow } from '../narrow/terms.ts';
import { ConversationMenu } from '../topics/menu.tsx';
import type { Feed } from './feed.ts';
import { PlaceName } from './place-bar.tsx';
import { texts } from './texts.ts';

const DateDialog = lazy(() => import('./date-dialog.tsx'));
const MarketPrice = lazy(() =>
  import('../../together/market-parts.tsx').then((file) => ({ default: file.MarketPrice })),
);
const PrintLoaded = lazy(() => import('../print/loaded.tsx'));

export function ConversationBar({
  narrow,
  conversation,
  feed,
  title,
  head,
}: {
  readonly narrow: Narrow;
  readonly title: string;
  /** Stands in the place of the heading, and has one of its own. */
  readonly head: ReactNode;
  readonly conversation: Conversation | undefined;
  readonly feed: Feed;
}) {
  const t = useTexts(texts);
  const store = useStore();
  const [isAsking, setAsking] = useState(false);
  const symbol = useSelect(store, (state) => {
    const channelId = channelIdOf(narrow, conversation);
    const name = channelId === undefined ? '' : (channelOf(state, channelId)?.name ?? '');
    return mayBeMarket(name) ? symbolOf(name) : undefined;
  });
  const readSpan = useCallback(() => feed.view().span, [feed]);
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-2 border-b border-line bg-panel px-4 max-tablet:px-3">
      {head ?? (
        <h1 className="flex min-w-0 flex-1 items-center text-title font-semibold">
          {conversation === undefined ? (
            <span className="truncate">{title}</span>
          ) : (
            <PlaceName conversation={conversation} />
          )}
        </h1>
      )}
      {symbol !== undefined && (
        <Suspense>
          <MarketPrice symbol={symbol} />
        </Suspense>
      )}
      <IconButton icon="schedule" label={t.jumpToDate} onPress={() => setAsking(true)} />
      {conversation !== undefined && <ConversationMenu conversation={conversation} />}
      {isAsking && (
        <Suspense>
          <DateDialog feed={feed} onClose={() => setAsking(false)} />
        </Suspense>
      )}
      <Suspense>
        <PrintLoaded title={title} readSpan={readSpan} />
      </Suspense>
    </header>
  );
}

/** Of a topic, or of a channel with all its topics. */
function channelIdOf(narrow: Narrow, conversation: Conversation | undefined): number | undefined {
  if (conversation?.kind === 'topic') return conversation.channelId;
  const [first, ...others] = narrow.terms;
  return others.length === 0 && first?.operator === 'channel' && typeof first.operand === 'number'
    ? first.operand
    : undefined;
}
