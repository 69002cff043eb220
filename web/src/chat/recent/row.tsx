import { memo, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeLately, writeMoment, writeUtc } from '../../i18n/date.ts';
import { writeCount } from '../../i18n/number.ts';
import { messageOf, type RecentConversation } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { CountBadge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { Icon } from '../../ui/icon.tsx';
import { conversationHref } from '../place/address.ts';
import { DestinationName } from '../place/destination.tsx';
import { ConversationMenu } from '../topics/menu.tsx';
import { texts } from './texts.ts';

/** Pictures in one line. */
const FACES = 4;

export const Row = memo(function Row({ recent }: { readonly recent: RecentConversation }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const store = useStore();
  const { conversation, senderIds, unread, isMuted } = recent;
  const sentAt = useSelect(store, (state) => messageOf(state, recent.maxId)?.sentAt);
  const at = sentAt === undefined ? undefined : sentAt * 1000;
  // A row gets its menu when somebody comes near it.
  const [isMet, setMet] = useState(false);
  return (
    <li
      onFocus={() => setMet(true)}
      onPointerEnter={() => setMet(true)}
      className="group/row relative grid min-h-row grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 rounded-control px-2 py-1.5 hover:bg-hover tablet:grid-cols-[minmax(0,1fr)_7rem_2.75rem_6.5rem_2rem]"
    >
      <a
        data-row
        href={conversationHref(store.state, conversation)}
        className={classes(
          'flex min-w-0 items-center gap-2 after:absolute after:inset-0 after:rounded-control after:content-[""] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus',
          unread > 0 && !isMuted ? 'font-medium text-text' : 'text-muted',
        )}
      >
        <DestinationName destination={conversation} />
        {isMuted && <Icon name="mute" label={t.mutedMark} className="size-4" />}
      </a>
      <span className="flex items-center -space-x-0.5 max-tablet:col-start-1 max-tablet:row-start-2 max-tablet:ps-6.5 rtl:space-x-reverse">
        {senderIds.slice(0, FACES).map((id) => (
          <Face key={id} id={id} />
        ))}
        {senderIds.length > FACES && <MoreFaces ids={senderIds.slice(FACES)} />}
      </span>
      <span className="flex justify-end max-tablet:col-start-2 max-tablet:row-start-1">
        <CountBadge count={unread} isQuiet={isMuted} />
      </span>
      <span className="text-end text-small text-muted max-tablet:col-start-2 max-tablet:row-start-2">
        {at !== undefined && (
          <time
            dateTime={new Date(at).toISOString()}
            title={`${writeMoment(at, locale)} · ${writeUtc(at)}`}
            className="figures"
          >
            {writeLately(at, Date.now(), locale)}
          </time>
        )}
      </span>
      <span className="z-10 max-tablet:hidden">
        {isMet && (
          <ConversationMenu
            conversation={conversation}
            size="small"
            className="opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 aria-expanded:opacity-100"
          />
        )}
      </span>
    </li>
  );
});

/** A number is as wide in every language; whom it stands for is said. */
function MoreFaces({ ids }: { readonly ids: readonly number[] }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { people } = useStore().state;
  const names = ids.flatMap((id) => people.get(id)?.fullName ?? []);
  return (
    <span title={names.join(t.comma)} className="ps-2 text-tiny text-muted">
      <bdi dir="ltr" aria-hidden className="figures whitespace-nowrap">
        +{writeCount(ids.length, locale)}
      </bdi>
      <span className="sr-only">{t.morePeople({ count: ids.length })}</span>
    </span>
  );
}

function Face({ id }: { readonly id: number }) {
  const person = useSelect(useStore(), (state) => state.people.get(id));
  const name = person?.fullName ?? '?';
  return (
    <span title={name} className="z-10 inline-flex rounded-full ring-2 ring-background">
      <Avatar
        id={id}
        name={name}
        src={person?.avatarUrl ?? undefined}
        size="small"
        isBot={person?.isBot}
      />
      <span className="sr-only">{name}</span>
    </span>
  );
}
