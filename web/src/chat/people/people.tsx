// Everybody in the organization: who they are, and how to reach them.
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { activityOf, people, statusOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ListPage, moveByKey } from '../lists/page.tsx';
import { PersonCard } from './card.tsx';
import { findPeople } from './find.ts';
import { PersonLine } from './line.tsx';
import { texts } from './texts.ts';

/** Enough to look through; the rest is found by typing. */
const SHOWN_MAX = 200;

export interface PeopleProps {
  /** What is typed; it belongs to the address of the view. */
  readonly filter: string | undefined;
  readonly onFilter: (filter: string | undefined) => void;
}

export function People({ filter = '', onFilter }: PeopleProps) {
  const t = useTexts(texts);
  const store = useStore();
  const [shownId, setShownId] = useState<number>();
  const found = findPeople(useSelect(store, people), filter);
  return (
    <ListPage
      title={t.title}
      actions={
        <TextField
          label={t.find}
          isLabelHidden
          placeholder={t.find}
          value={filter}
          onChange={(text) => onFilter(text === '' ? undefined : text)}
          start={<Icon name="search" className="size-4" />}
          className="w-64"
        />
      }
    >
      {found.length === 0 && <EmptyState icon="people">{t.nobodyFits}</EmptyState>}
      <ul onKeyDown={moveByKey} className="grid gap-x-4 tablet:grid-cols-2">
        {found.slice(0, SHOWN_MAX).map((person) => {
          const status = statusOf(store.state, person.id);
          const activity = activityOf(store.state, person.id, Date.now() / 1000);
          return (
            <li key={person.id}>
              <button
                type="button"
                data-row
                onClick={() => setShownId(person.id)}
                className="w-full rounded-control px-2 text-start hover:bg-hover"
              >
                <PersonLine
                  person={person}
                  note={
                    person.isBot ? (
                      status?.text
                    ) : (
                      <>
                        <bdi>{status?.text ?? t[person.role]}</bdi> · {t[activity]}
                      </>
                    )
                  }
                />
              </button>
            </li>
          );
        })}
      </ul>
      {found.length > SHOWN_MAX && (
        <p className="p-3 text-small text-muted">{t.more({ count: found.length - SHOWN_MAX })}</p>
      )}
      {shownId !== undefined && (
        <PersonCard userId={shownId} onClose={() => setShownId(undefined)} />
      )}
    </ListPage>
  );
}
