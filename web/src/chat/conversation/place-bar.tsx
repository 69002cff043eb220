// Where a message is: a channel and its topic, or the people of a direct conversation.
import { useTexts } from '../../i18n/texts.ts';
import type { Conversation } from '../../state/entities.ts';
import { channelOf, emptyTopicName, personOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Icon } from '../../ui/icon.tsx';
import { channelNarrow, directNarrow, topicNarrow } from '../narrow/narrow.ts';
import { printNarrow } from '../narrow/print.ts';
import { texts } from './texts.ts';

/** The names of a place as links; an empty topic has the organization's name for it, in italics. */
export function PlaceName({
  conversation,
  isLink = true,
}: {
  readonly conversation: Conversation;
  readonly isLink?: boolean;
}) {
  const t = useTexts(texts);
  const store = useStore();
  const names = useSelect(store, (state) =>
    conversation.kind === 'topic'
      ? [channelOf(state, conversation.channelId)?.name ?? '', emptyTopicName(state)]
      : conversation.userIds.map((id) => personOf(state, id)?.fullName ?? t.unknown),
  );
  const isPrivate = useSelect(
    store,
    (state) =>
      conversation.kind === 'topic' && channelOf(state, conversation.channelId)?.isPrivate === true,
  );
  const className = isLink ? 'truncate hover:underline' : 'truncate';
  if (conversation.kind === 'direct') {
    return (
      <span className="flex min-w-0 items-center gap-1.5">
        <Icon name="directMessage" className="size-4 text-muted" />
        <Part
          href={isLink ? `/${printNarrow(directNarrow(conversation.userIds))}` : undefined}
          className={className}
        >
          {names.join(t.comma)}
        </Part>
      </span>
    );
  }
  const { channelId, topic } = conversation;
  const [channel = '', emptyName = ''] = names;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Icon name={isPrivate ? 'lock' : 'hash'} className="size-4 text-muted" />
      <Part
        href={isLink ? `/${printNarrow(channelNarrow(channelId))}` : undefined}
        className={`max-w-1/2 shrink-0 ${className}`}
      >
        {channel}
      </Part>
      <Icon name="forward" className="size-3.5 shrink-0 text-muted rtl:-scale-x-100" />
      <Part
        href={isLink ? `/${printNarrow(topicNarrow(channelId, topic))}` : undefined}
        className={className}
      >
        {topic === '' ? <i>{emptyName}</i> : topic}
      </Part>
    </span>
  );
}

function Part({
  href,
  className,
  children,
}: {
  readonly href: string | undefined;
  readonly className: string;
  readonly children: React.ReactNode;
}) {
  return href === undefined ? (
    <span dir="auto" className={className}>
      {children}
    </span>
  ) : (
    <a href={href} dir="auto" className={className}>
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
