// The channel of the market beside its chart. It is the same view as in the chat, so that nothing has to be learned twice.
import { useCallback, useMemo } from 'react';
import { Conversation } from '../../chat/conversation/conversation.tsx';
import { channelNarrow } from '../../chat/narrow/narrow.ts';
import { printNarrow } from '../../chat/narrow/print.ts';
import type { Narrow } from '../../chat/narrow/terms.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { symbolOf } from '../../together/market-channel.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { texts } from '../texts.ts';
import { useMarket } from '../venue/react.ts';

export default function MarketChat() {
  const t = useTexts(texts);
  const { symbol } = useMarket();
  const channelId = useSelect(
    useStore(),
    (state) =>
      [...state.channels.values()].find(
        ({ name, isArchived }) => !isArchived && symbolOf(name) === symbol,
      )?.id,
  );
  if (channelId !== undefined) return <Channel key={channelId} channelId={channelId} />;
  return (
    <EmptyState icon="chat" action={<LinkButton href="/channels">{t.browseChannels}</LinkButton>}>
      {t.noChannel({ symbol })}
    </EmptyState>
  );
}

function Channel({ channelId }: { readonly channelId: number }) {
  const narrow = useMemo(() => channelNarrow(channelId), [channelId]);
  // A link of a message leads away from the chart, into the chat.
  const open = useCallback((next: Narrow) => {
    location.href = `/${printNarrow(next)}`;
  }, []);
  return <Conversation narrow={narrow} onOpen={open} />;
}
