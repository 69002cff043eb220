// Where a message is: a channel and its topic, or the people of a direct conversation.
import type { Conversation } from '../../state/entities.ts';
import { channelOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { channelNarrow, directNarrow, topicNarrow } from '../narrow/narrow.ts';
import { printNarrow } from '../narrow/print.ts';
import type { Narrow } from '../narrow/terms.ts';
import { ChannelMark, DirectName, TopicName } from '../place/name.tsx';
import { texts } from '../place/texts.ts';

/** The names of a place as links, written as in every list. */
export function PlaceName({
  conversation,
  isLink = true,
}: {
  readonly conversation: Conversation;
  readonly isLink?: boolean;
}) {
  const t = useTexts(texts);
  const store = useStore();
  const channel = useSelect(store, (state) =>
    conversation.kind === 'topic' ? channelOf(state, conversation.channelId) : undefined,
  );
  if (conversation.kind === 'direct') {
    const { userIds } = conversation;
    return (
      <span className="flex min-w-0 items-center gap-1.5">
        <Icon name="directMessage" className="size-4 text-muted" />
        <Part narrow={isLink ? directNarrow(userIds) : undefined} className="min-w-0">
          <DirectName userIds={userIds} />
        </Part>
      </span>
    );
  }
  const { channelId, topic } = conversation;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {channel !== undefined && <ChannelMark channel={channel} />}
      <Part
        narrow={isLink ? channelNarrow(channelId) : undefined}
        className="max-w-1/2 min-w-0 shrink-0"
      >
        <bdi className="truncate" title={channel?.name}>
          {channel?.name ?? t.unknownChannel}
        </bdi>
      </Part>
      <Icon name="forward" className="size-3.5 text-muted" />
      <Part narrow={isLink ? topicNarrow(channelId, topic) : undefined} className="min-w-0">
        <TopicName topic={topic} />
      </Part>
    </span>
  );
}

function Part({
  narrow,
  className,
  children,
}: {
  readonly narrow: Narrow | undefined;
  readonly className: string;
  readonly children: React.ReactNode;
}) {
  return narrow === undefined ? (
    <span className={`flex ${className}`}>{children}</span>
  ) : (
    <a
      href={`/${printNarrow(narrow)}`}
      className={`flex hover:[&_bdi]:underline hover:[&_i]:underline ${className}`}
    >
      {children}
    </a>
  );
}

/** Stands above the first message of a place in views that show several. */
export function PlaceBar({ conversation }: { readonly conversation: Conversation }) {
  return (
    <div className="mx-2 mbs-3 flex h-8 items-center rounded-control bg-hover px-2.5 text-base font-semibold">
      <PlaceName conversation={conversation} />
    </div>
  );
}
