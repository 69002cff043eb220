// Who somebody is, in a small window, and what one can do with them.
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { writeDate, writeTime } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { activityOf, isUserMuted, personOf, statusOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { directNarrow, senderNarrow } from '../narrow/narrow.ts';
import { hrefOf } from '../place/address.ts';
import { texts } from './texts.ts';

export function PersonCard({
  userId,
  onClose,
}: {
  readonly userId: number;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const store = useStore();
  const person = useSelect(store, (state) => personOf(state, userId));
  const status = useSelect(store, (state) => statusOf(state, userId));
  const isMuted = useSelect(store, (state) => isUserMuted(state, userId));
  const mute = useAct((isMuting: boolean) => {
    const asked = { muted_user_id: userId };
    return isMuting ? store.client.chat.muteUser(asked) : store.client.chat.unmuteUser(asked);
  });
  if (person === undefined) return null;
  const nowSeconds = Date.now() / 1000;
  const activity = activityOf(store.state, userId, nowSeconds);
  const isOwn = userId === store.state.own.userId;
  const owner =
    person.botOwnerId === null ? undefined : store.state.people.get(person.botOwnerId)?.fullName;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t.role, person.isBot ? t.bot : t[person.role]],
    [t.email, person.deliveryEmail ?? undefined],
    [t.localTime, localTime(person.timezone, locale)],
    [t.joined, writeDate(Date.parse(person.dateJoined), locale)],
    [t.ownerOf, owner],
    ...store.state.profileFields.map(
      ({ id, name }) => [name, person.profile[String(id)]?.value] as const,
    ),
  ];
  return (
    <Dialog
      title={t.card({ name: person.fullName })}
      size="small"
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <div className="flex flex-col gap-4">
        <FailureNotice what={isMuted ? t.unmuteUser : t.muteUser} error={mute.error} />
        <div className="flex items-center gap-4">
          <Avatar
            id={userId}
            name={person.fullName}
            src={person.avatarUrl ?? undefined}
            size="large"
            isBot={person.isBot}
            presence={person.isBot ? undefined : activity}
          />
          <div className="flex min-w-0 flex-col gap-1">
            <bdi className="truncate text-title font-semibold">{person.fullName}</bdi>
            <span className="flex flex-wrap items-center gap-2 text-small text-muted">
              {!person.isBot && t[activity]}
              {isOwn && <Badge>{t.you}</Badge>}
              {!person.isActive && <Badge tone="warning">{t.deactivated}</Badge>}
            </span>
            {status?.text !== undefined && (
              <span dir="auto" className="text-small">
                {status.text}
              </span>
            )}
          </div>
        </div>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
          {facts.map(
            ([name, value]) =>
              value !== undefined &&
              value !== '' && (
                <div key={name} className="contents">
                  <dt className="text-muted">{name}</dt>
                  <dd className="min-w-0 break-words">
                    <bdi>{value}</bdi>
                  </dd>
                </div>
              ),
          )}
        </dl>
        {isMuted && <p className="text-small text-muted">{t.muted}</p>}
        <div className="flex flex-wrap gap-2">
          {person.isActive && (
            <LinkButton
              variant="primary"
              icon="directMessage"
              href={hrefOf(store.state, directNarrow([userId]))}
            >
              {t.message}
            </LinkButton>
          )}
          <LinkButton icon="search" href={hrefOf(store.state, senderNarrow(userId))}>
            {t.messages}
          </LinkButton>
          {!isOwn && (
            <Button
              icon={isMuted ? 'bell' : 'mute'}
              isPending={mute.isRunning}
              onPress={() => void mute.run(!isMuted)}
            >
              {isMuted ? t.unmuteUser : t.muteUser}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** A zone that this browser does not know is left out. */
function localTime(zone: string, locale: Parameters<typeof writeTime>[1]): string | undefined {
  if (zone === '') return undefined;
  try {
    return writeTime(Date.now(), locale, { zone });
  } catch {
    return undefined;
  }
}
