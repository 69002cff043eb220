import { lazy, memo, Suspense } from 'react';
import { writeMoment, writeTime, writeUtc } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import type { Message } from '../../state/entities.ts';
import { channelOf, isStarred, messageOf, personOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { mayBeMarket, symbolOf } from '../../together/market-channel.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { Icon } from '../../ui/icon.tsx';
import { MessageContent } from '../content/message-content.tsx';
import { useActs } from './context.tsx';
import { DayLine, UnreadLine } from './day-line.tsx';
import { PlaceBar } from './place-bar.tsx';
import { Reactions } from './reactions.tsx';
import type { Row } from './rows.ts';
import { texts } from './texts.ts';
import { Toolbar } from './toolbar.tsx';

const MessageEdit = lazy(() =>
  import('./message-edit.tsx').then((file) => ({ default: file.MessageEdit })),
);

const MessagePrice = lazy(() =>
  import('../../together/market-parts.tsx').then((file) => ({ default: file.MessagePrice })),
);

export interface MessageRowProps {
  readonly row: Row;
  readonly isSelected: boolean;
  readonly isEdited: boolean;
  /** The view shows several topics, so each begins with its name. */
  readonly showsPlaces: boolean;
}

const MENTIONS = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned'];

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { row, isSelected, isEdited, showsPlaces } = props;
  const store = useStore();
  const acts = useActs();
  const message = useSelect(store, (state) => messageOf(state, row.id ?? -1));
  if (message === undefined) return <div className="h-10" />;
  const name = `m${message.id}`;
  const isMentioned = MENTIONS.some((flag) => message.flags.has(flag));
  return (
    <>
      {row.day !== undefined && <DayLine at={row.day} />}
      {row.unread !== undefined && <UnreadLine count={row.unread} />}
      {showsPlaces && row.startsPlace && <PlaceBar conversation={message.conversation} />}
      <article
        aria-labelledby={`${name}s ${name}c ${name}t`}
        data-message={message.id}
        tabIndex={isSelected ? 0 : -1}
        onFocus={() => acts.select(message.id)}
        className={classes(
          'group/row relative grid grid-cols-[2.25rem_minmax(0,1fr)] gap-x-3 border-s-2 px-3.5 -outline-offset-2 max-tablet:px-2.5',
          row.startsSender ? 'mbs-1 pt-2 pb-0.5' : 'py-0.5',
          isSelected ? 'border-accent' : 'border-transparent',
          isMentioned ? 'bg-warning-tint' : isSelected ? 'bg-selected/50' : 'hover:bg-hover/60',
        )}
      >
        <Gutter message={message} startsSender={row.startsSender} />
        <div className="min-w-0">
          <Head message={message} name={name} startsSender={row.startsSender} />
          {isEdited ? (
            <Suspense fallback={<div className="min-h-24" />}>
              <MessageEdit message={message} />
            </Suspense>
          ) : (
            <div id={`${name}c`} className="max-w-[50rem]">
              <MessageContent html={message.content} message={message} />
            </div>
          )}
          {!row.startsSender && <Labels message={message} />}
          <Reactions message={message} />
        </div>
        {!isEdited && <Toolbar message={message} />}
      </article>
    </>
  );
});

function Gutter({
  message,
  startsSender,
}: {
  readonly message: Message;
  readonly startsSender: boolean;
}) {
  const locale = useLocale();
  const store = useStore();
  const person = useSelect(store, (state) => personOf(state, message.senderId));
  if (startsSender) {
    return (
      <span className="pt-0.5">
        <Avatar
          id={message.senderId}
          name={person?.fullName ?? message.senderName}
          src={person?.avatarUrl ?? message.avatarUrl ?? undefined}
          isBot={person?.isBot}
        />
      </span>
    );
  }
  return (
    <span
      aria-hidden
      className="figures invisible self-start pt-1 text-end text-tiny text-muted group-hover/row:visible group-focus-within/row:visible"
    >
      {writeTime(message.sentAt * 1000, locale)}
    </span>
  );
}

function Head({
  message,
  name,
  startsSender,
}: {
  readonly message: Message;
  readonly name: string;
  readonly startsSender: boolean;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const store = useStore();
  const person = useSelect(store, (state) => personOf(state, message.senderId));
  const symbol = useSelect(store, (state) => {
    const { conversation } = message;
    const name =
      conversation.kind === 'topic' ? (channelOf(state, conversation.channelId)?.name ?? '') : '';
    return mayBeMarket(name) ? symbolOf(name) : undefined;
  });
  const at = message.sentAt * 1000;
  return (
    <div className={startsSender ? 'flex min-w-0 items-baseline gap-2 pe-10' : 'sr-only'}>
      <span id={`${name}s`} className="flex min-w-0 text-message font-semibold">
        <bdi className="truncate">{person?.fullName ?? message.senderName}</bdi>
      </span>
      {person?.isBot === true && (
        <span className="self-center">
          <Badge>{t.bot}</Badge>
        </span>
      )}
      <time
        id={`${name}t`}
        dateTime={new Date(at).toISOString()}
        title={`${writeMoment(at, locale)} · ${writeUtc(at)}`}
        className="figures shrink-0 text-small text-muted"
      >
        {writeTime(at, locale)}
      </time>
      {startsSender && <Labels message={message} />}
      {startsSender && symbol !== undefined && (
        <Suspense>
          <MessagePrice symbol={symbol} atMs={at} />
        </Suspense>
      )}
    </div>
  );
}

/** Whether it was edited, moved, starred. */
function Labels({ message }: { readonly message: Message }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const acts = useActs();
  const store = useStore();
  const starred = useSelect(store, (state) => isStarred(state, message.id));
  const { editedAt, movedAt } = message;
  if (editedAt === undefined && movedAt === undefined && !starred) return null;
  const at = (seconds: number) => writeMoment(seconds * 1000, locale);
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-tiny text-muted">
      {(editedAt !== undefined || movedAt !== undefined) && (
        <button
          type="button"
          title={
            editedAt === undefined
              ? t.movedAt({ when: at(movedAt ?? 0) })
              : t.editedAt({ when: at(editedAt) })
          }
          className="rounded-small hover:text-text hover:underline"
          onClick={() => acts.open({ kind: 'history', id: message.id })}
        >
          {editedAt === undefined ? t.moved : t.edited}
        </button>
      )}
      {starred && (
        <>
          <Icon name="starred" className="size-3.5 text-warning" />
          <span className="sr-only">{t.starred}</span>
        </>
      )}
    </span>
  );
}
