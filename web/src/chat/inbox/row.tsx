// One line of the inbox. The whole line leads to the conversation; its buttons stand above the link.
import { memo, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { CountBadge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { Icon } from '../../ui/icon.tsx';
import { channelHref, conversationHref } from '../place/address.ts';
import { ChannelMark, DirectName, TopicName } from '../place/name.tsx';
import { ConversationMenu } from '../topics/menu.tsx';
import type { InboxRow } from './rows.ts';
import { texts } from './texts.ts';

export interface RowProps {
  readonly row: InboxRow;
  /** The one row that Tab reaches. */
  readonly isCurrent: boolean;
  /** Whether its section is the only one, and needs no "other" in its name. */
  readonly isAlone: boolean;
  readonly onToggle: (key: string) => void;
  readonly onMarkRead: (row: InboxRow) => void;
  readonly onFocus: (key: string) => void;
}

const INDENT = { 1: 'ps-1', 2: 'ps-2', 3: 'ps-9 tablet:ps-15.5' } as const;

export const Row = memo(function Row(props: RowProps) {
  const { row, isCurrent, onMarkRead, onFocus } = props;
  const t = useTexts(texts);
  const tabIndex = isCurrent ? 0 : -1;
  // The rows under an open one call for themselves.
  const isLoud = row.isOpen !== true;
  // A menu for each of 500 rows would be slow; a row gets its own when somebody comes near it.
  const [isMet, setMet] = useState(false);
  return (
    <div
      role="row"
      aria-level={row.level}
      {...(row.isOpen === undefined ? {} : { 'aria-expanded': row.isOpen })}
      data-key={row.key}
      tabIndex={tabIndex}
      onFocus={() => {
        setMet(true);
        onFocus(row.key);
      }}
      onPointerEnter={() => setMet(true)}
      className={classes(
        'group/row relative flex min-h-row items-center gap-2 rounded-control pe-2 hover:bg-hover focus-visible:-outline-offset-2',
        INDENT[row.level],
        row.kind === 'section' && 'not-first:mt-4',
      )}
    >
      <div role="gridcell" className="flex min-w-0 flex-1 items-center gap-2">
        <RowName {...props} />
        {row.kind === 'topic' && row.topic.isFollowed && (
          <Icon name="eye" label={t.followed} className="size-4 text-muted" />
        )}
      </div>
      <div role="gridcell" className="flex items-center gap-2">
        {isMet && (row.kind === 'topic' || row.kind === 'direct') && (
          <ConversationMenu
            conversation={
              row.kind === 'topic'
                ? row.topic.conversation
                : { kind: 'direct', userIds: row.userIds }
            }
            size="small"
            className="relative z-10 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 data-pressed:opacity-100 max-tablet:hidden"
          />
        )}
        <button
          type="button"
          tabIndex={tabIndex}
          title={t.markRead}
          aria-label={t.markRead}
          onClick={() => onMarkRead(row)}
          className={classes(
            'relative z-10 flex size-control-small items-center justify-center rounded-control text-muted opacity-0 hover:bg-pressed hover:text-text focus-visible:opacity-100 group-focus-within/row:opacity-100 group-hover/row:opacity-100',
            row.kind === 'section' ? 'max-tablet:hidden' : 'max-tablet:opacity-100',
          )}
        >
          <Icon name="check" className="size-4.5" />
        </button>
        <span className="flex w-4.5 shrink-0 text-accent">
          {row.isMentioned && isLoud && <Icon name="at" label={t.mentioned} className="size-4.5" />}
        </span>
        <span className="flex min-w-10 justify-end">
          <CountBadge count={row.count} isQuiet={!isLoud} />
        </span>
      </div>
    </div>
  );
});

function RowName({ row, isAlone, onToggle }: RowProps) {
  const { state } = useStore();
  const t = useTexts(texts);
  if (row.kind === 'section') {
    const name =
      row.name ??
      { directs: t.directs, pinned: t.pinned, other: isAlone ? t.onlyOther : t.other }[row.section];
    return (
      <>
        <Toggle row={row} onToggle={onToggle} />
        <h2 className="flex min-w-0 text-small font-semibold text-muted">
          <bdi className="truncate">{name}</bdi>
        </h2>
      </>
    );
  }
  if (row.kind === 'channel') {
    return (
      <>
        <Toggle row={row} onToggle={onToggle} />
        <ChannelMark channel={row.channel} />
        <a href={channelHref(state, row.channel.id)} tabIndex={-1} className={LINK}>
          <bdi className="truncate font-semibold">{row.channel.name}</bdi>
        </a>
      </>
    );
  }
  if (row.kind === 'topic') {
    return (
      <a href={conversationHref(state, row.topic.conversation)} tabIndex={-1} className={LINK}>
        <TopicName topic={row.topic.topic} />
      </a>
    );
  }
  const conversation = { kind: 'direct' as const, userIds: row.userIds };
  return (
    <>
      <DirectAvatar userIds={row.userIds} />
      <a href={conversationHref(state, conversation)} tabIndex={-1} className={LINK}>
        <DirectName userIds={row.userIds} className="font-medium" />
      </a>
    </>
  );
}

/** The link covers the line. */
const LINK = 'flex min-w-0 text-text after:absolute after:inset-0 after:content-[""]';

function Toggle({ row, onToggle }: { row: InboxRow; onToggle: (key: string) => void }) {
  return (
    <span
      aria-hidden
      onClick={() => onToggle(row.key)}
      className={classes(
        'z-10 flex size-5 cursor-default items-center justify-center text-muted',
        row.kind === 'section' && 'after:absolute after:inset-y-0 after:start-0 after:end-24',
      )}
    >
      <Icon
        name="chevronDown"
        className={classes(
          'size-4 transition-transform',
          row.isOpen === false && '-rotate-90 rtl:rotate-90',
        )}
      />
    </span>
  );
}

function DirectAvatar({ userIds }: { userIds: readonly number[] }) {
  const { state } = useStore();
  const [first = state.own.userId] = userIds;
  const person = state.people.get(first);
  if (userIds.length > 1) {
    return (
      <span className="flex size-5 shrink-0 items-center justify-center rounded-full bg-pressed text-muted">
        <Icon name="people" className="size-3.5" />
      </span>
    );
  }
  return (
    <Avatar
      id={first}
      name={person?.fullName ?? '?'}
      src={person?.avatarUrl ?? undefined}
      size="small"
      isBot={person?.isBot}
    />
  );
}
