// The rows of the navigation: a view, a heading of a section, a channel with its topics, people.
import { useId, useState, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Conversation } from '../../state/entities.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { CountBadge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import type { IconName } from '../../ui/icon-paths.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Place } from '../addresses.ts';
import { Link } from '../link.tsx';
import { channelHref, conversationHref } from '../../chat/place/address.ts';
import { ChannelMark, DirectName, TopicName } from '../../chat/place/name.tsx';
import { ConversationMenu } from '../../chat/topics/menu.tsx';
import { texts } from '../texts.ts';
import { type NavChannel, type NavDirect, type NavTopic } from './derive.ts';
import { useRow } from './roving.ts';

interface RowProps {
  readonly id: string;
  readonly to: Place | string;
  readonly isCurrent: boolean;
  /** Where Tab stops even if it was never used. */
  readonly isStop?: boolean;
  readonly isQuiet?: boolean;
  readonly count?: number;
  readonly isMentioned?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

function Row(props: RowProps) {
  const {
    id,
    to,
    isCurrent,
    isStop = false,
    isQuiet = false,
    count = 0,
    isMentioned = false,
  } = props;
  const t = useTexts(texts);
  const row = useRow(id, isStop || isCurrent);
  return (
    <Link
      to={to}
      {...row}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      className={classes(
        'flex min-h-7.5 min-w-0 flex-1 items-center gap-2 rounded-control px-2 max-desktop:min-h-row',
        isCurrent ? 'bg-selected font-medium text-text' : 'hover:bg-hover',
        !isCurrent && (count > 0 && !isQuiet ? 'font-medium text-text' : 'text-muted'),
        props.className,
      )}
    >
      {props.children}
      {isMentioned && (
        <span className="font-semibold text-accent">
          <span aria-hidden>@</span>
          <span className="sr-only">{t.mentioned}</span>
        </span>
      )}
      <CountBadge count={count} isQuiet={isQuiet} />
    </Link>
  );
}

export function ViewRow({
  place,
  icon,
  label,
  isCurrent,
  isStop = false,
  count = 0,
  isQuiet = false,
}: {
  readonly place: Place;
  readonly icon: IconName;
  readonly label: string;
  readonly isCurrent: boolean;
  readonly isStop?: boolean;
  readonly count?: number;
  readonly isQuiet?: boolean;
}) {
  return (
    <li>
      <Row id={place.view} to={place} {...{ isCurrent, isStop, count, isQuiet }}>
        <Icon name={icon} className="size-4.5" />
        <span className="flex-1 truncate">{label}</span>
      </Row>
    </li>
  );
}

/** A heading that folds what is below it. */
export function SectionHeading({
  name,
  isOpen,
  count,
  onToggle,
  controls,
}: {
  readonly name: string;
  readonly isOpen: boolean;
  readonly count: number;
  readonly onToggle: () => void;
  readonly controls: string;
}) {
  const row = useRow(controls, false);
  return (
    <h3 className="mt-3 mb-0.5">
      <button
        type="button"
        {...row}
        aria-expanded={isOpen}
        aria-controls={controls}
        onClick={onToggle}
        className="flex min-h-7 w-full cursor-default items-center gap-1 rounded-control px-2 text-small font-semibold text-muted hover:bg-hover hover:text-text max-desktop:min-h-row"
      >
        <Icon name={isOpen ? 'chevronDown' : 'forward'} className="size-3.5" />
        <span className="flex min-w-0 flex-1">
          <bdi className="truncate">{name}</bdi>
        </span>
        {!isOpen && <CountBadge count={count} />}
      </button>
    </h3>
  );
}

export function ChannelRow({
  row,
  currentTopic,
  isCurrent,
  onToggle,
}: {
  readonly row: NavChannel;
  /** Set while the reader is in a topic of this channel. */
  readonly currentTopic: string | undefined;
  readonly isCurrent: boolean;
  readonly onToggle: () => void;
}) {
  const t = useTexts(texts);
  const store = useStore();
  const listId = useId();
  const { channel, count, mutedCount, isOpen, isMentioned, topics } = row;
  const isMuted = channel.subscription?.isMuted === true;
  const href = useSelect(store, (state) => channelHref(state, channel.id));
  const shownCount = isMuted ? count + mutedCount : count;
  return (
    <li data-nav-item>
      <div className="group relative flex items-center">
        <Row
          id={`c${channel.id}`}
          to={href}
          isCurrent={isCurrent && currentTopic === undefined}
          count={isOpen && topics.some((one) => one.count > 0) ? 0 : shownCount}
          isQuiet={isMuted}
          isMentioned={isMentioned && !isOpen}
          className="pe-8"
        >
          <ChannelMark channel={channel} />
          <span className="flex min-w-0 flex-1">
            <bdi className="truncate">{channel.name}</bdi>
          </span>
          {isMuted && <Icon name="mute" label={t.muted} className="size-4" />}
        </Row>
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-label={(isOpen ? t.hideTopics : t.showTopics)({ name: channel.name })}
          onClick={onToggle}
          className="absolute end-0.5 flex size-6.5 cursor-default items-center justify-center rounded-small text-muted hover:bg-pressed hover:text-text max-desktop:size-10 max-desktop:-end-0.5"
        >
          <Icon name={isOpen ? 'chevronDown' : 'forward'} className="size-3.5" />
        </button>
      </div>
      <ul id={listId} hidden={!isOpen} className="ms-4 border-s border-line ps-1">
        {topics.map((topic) => (
          <TopicRow
            key={topic.name}
            channelId={channel.id}
            topic={topic}
            isCurrent={currentTopic?.toLowerCase() === topic.name.toLowerCase()}
          />
        ))}
        {row.hasMore && (
          <li>
            <Row id={`m${channel.id}`} to={href} isCurrent={false}>
              <span className="flex-1 truncate text-small">{t.moreTopics}</span>
            </Row>
          </li>
        )}
      </ul>
    </li>
  );
}

function TopicRow({
  channelId,
  topic,
  isCurrent,
}: {
  readonly channelId: number;
  readonly topic: NavTopic;
  readonly isCurrent: boolean;
}) {
  const store = useStore();
  const conversation = { kind: 'topic' as const, channelId, topic: topic.name };
  const href = useSelect(store, (state) => conversationHref(state, conversation));
  return (
    <WithMenu conversation={conversation}>
      <Row
        id={`t${channelId}:${topic.name}`}
        to={href}
        isCurrent={isCurrent}
        count={topic.count}
        isQuiet={topic.isMuted}
        isMentioned={topic.isMentioned}
      >
        <TopicName topic={topic.name} className="flex-1" />
      </Row>
    </WithMenu>
  );
}

/** A row that shows its menu to a pointer. By keys and by touch the same menu is in the heading of the conversation. */
function WithMenu({
  conversation,
  children,
}: {
  readonly conversation: Conversation;
  readonly children: ReactNode;
}) {
  // A row gets its menu when somebody comes near it: most never do.
  const [isMet, setMet] = useState(false);
  return (
    <li className="group/item relative flex items-center" onPointerEnter={() => setMet(true)}>
      {children}
      {isMet && (
        <span className="hidden has-[[aria-expanded=true]]:flex pointer-fine:group-hover/item:flex">
          <ConversationMenu conversation={conversation} size="small" isTabStop={false} />
        </span>
      )}
    </li>
  );
}

export function DirectRow({
  row,
  isCurrent,
}: {
  readonly row: NavDirect;
  readonly isCurrent: boolean;
}) {
  const store = useStore();
  const people = useSelect(store, (state) =>
    row.userIds.flatMap((id) => state.people.get(id) ?? []),
  );
  const href = useSelect(store, (state) =>
    conversationHref(state, { kind: 'direct', userIds: row.userIds }),
  );
  const [first] = people;
  return (
    <WithMenu conversation={{ kind: 'direct', userIds: row.userIds }}>
      <Row id={`d${row.key}`} to={href} isCurrent={isCurrent} count={row.count}>
        {people.length === 1 && first !== undefined ? (
          <Avatar
            id={first.id}
            name={first.fullName}
            src={first.avatarUrl ?? undefined}
            size="small"
            isBot={first.isBot}
          />
        ) : (
          <Icon name="people" />
        )}
        <DirectName userIds={row.userIds} className="flex-1" />
      </Row>
    </WithMenu>
  );
}
