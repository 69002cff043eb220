// The column at the far edge: who is there.
import { useEffect, useMemo, useState } from 'react';
import { conversationHref } from '../chat/place/address.ts';
import { fold } from '../i18n/fold.ts';
import { useTexts } from '../i18n/texts.ts';
import { derive } from '../state/derive.ts';
import type { Person } from '../state/entities.ts';
import { activityOf, people } from '../state/select.ts';
import type { State } from '../state/state.ts';
import { useSelect, useStore } from '../state/react.ts';
import { Avatar, type Presence } from '../ui/avatar.tsx';
import { Icon } from '../ui/icon.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Link } from './link.tsx';
import { texts } from './texts.ts';

/** More would make the list slow; the filter finds the others. */
const SHOWN_MAX = 150;
const TICK_MS = 30_000;

interface Row {
  readonly person: Person;
  readonly activity: Presence;
}

const ORDER: Readonly<Record<Presence, number>> = { active: 0, idle: 1, offline: 2 };

/** Who is active first, then by name; people before bots. */
export function listPeople(state: State, filter: string, nowSeconds: number): readonly Row[] {
  const sought = fold(filter);
  return people(state)
    .filter(({ fullName, isSystemBot }) => !isSystemBot && fold(fullName).includes(sought))
    .map((person) => ({ person, activity: activityOf(state, person.id, nowSeconds) }))
    .sort(
      (a, b) =>
        Number(a.person.isBot) - Number(b.person.isBot) || ORDER[a.activity] - ORDER[b.activity],
    )
    .slice(0, SHOWN_MAX);
}

export function PeopleList() {
  const t = useTexts(texts);
  const store = useStore();
  const [filter, setFilter] = useState('');
  const now = useNowSeconds();
  const select = useMemo(
    () => derive(['people', 'presences', 'statuses'], (state) => listPeople(state, filter, now)),
    [filter, now],
  );
  const rows = useSelect(store, select);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="px-3 pt-3 pb-2">
        <TextField
          label={t.filterPeople}
          isLabelHidden
          placeholder={t.filterPeople}
          value={filter}
          onChange={setFilter}
          start={<Icon name="search" className="size-4" />}
        />
      </div>
      {rows.length === 0 && <p className="px-4 py-2 text-muted">{t.nobody}</p>}
      <ul className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-4">
        {rows.map((row) => (
          <PersonRow key={row.person.id} {...row} />
        ))}
      </ul>
    </div>
  );
}

function PersonRow({ person, activity }: Row) {
  const t = useTexts(texts);
  const store = useStore();
  const href = useSelect(store, (state) =>
    conversationHref(state, { kind: 'direct', userIds: [person.id] }),
  );
  const status = useSelect(store, (state) => state.statuses.get(person.id)?.text);
  const isOwn = useSelect(store, (state) => state.own.userId === person.id);
  const words = { active: t.active, idle: t.idle, offline: t.away };
  const presence = activity === 'offline' ? '' : words[activity];
  const note = isOwn ? t.you : person.isBot ? t.bot : presence;
  return (
    <li>
      <Link
        to={href}
        className="flex min-h-9 items-center gap-2.5 rounded-control px-2 py-1 hover:bg-hover max-desktop:min-h-row"
      >
        <Avatar
          id={person.id}
          name={person.fullName}
          src={person.avatarUrl ?? undefined}
          size="small"
          isBot={person.isBot}
          presence={person.isBot ? undefined : activity}
        />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex">
            <bdi className="truncate">{person.fullName}</bdi>
          </span>
          {status !== undefined && status !== '' && (
            <span className="flex text-small text-muted">
              <bdi className="truncate">{status}</bdi>
            </span>
          )}
        </span>
        <span className="text-small text-muted">{note}</span>
        {/* The mark at the picture says it to those who see it. */}
        {note === '' && <span className="sr-only">{words[activity]}</span>}
      </Link>
    </li>
  );
}

function useNowSeconds(): number {
  const read = () => Math.floor(Date.now() / 1000);
  const [now, setNow] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setNow(read()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
