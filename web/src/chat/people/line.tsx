import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Person } from '../../state/entities.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { texts } from './texts.ts';

/** A person in a list: picture, name, what they are, and what can be done beside it. */
export function PersonLine({
  person,
  note,
  actions,
}: {
  readonly person: Person;
  /** Below the name; without it the address, where one may see it. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
}) {
  const t = useTexts(texts);
  const below = note ?? person.deliveryEmail;
  return (
    <div className="flex min-h-row min-w-0 items-center gap-3 py-1.5">
      <Avatar
        id={person.id}
        name={person.fullName}
        src={person.avatarUrl ?? undefined}
        isBot={person.isBot}
      />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex min-w-0 items-center gap-2">
          <bdi className="truncate font-medium">{person.fullName}</bdi>
          {person.isBot && <Badge>{t.bot}</Badge>}
          {!person.isActive && <Badge tone="warning">{t.deactivated}</Badge>}
        </span>
        {below !== null && below !== '' && (
          <span className="flex text-small text-muted">
            <bdi className="truncate">{below}</bdi>
          </span>
        )}
      </span>
      {actions}
    </div>
  );
}
