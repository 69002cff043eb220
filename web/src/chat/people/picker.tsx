// Chooses people: those who are chosen as pills, the others below, found by typing.
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Person } from '../../state/entities.ts';
import { people } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Pill } from '../../ui/pill.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { findPeople } from './find.ts';
import { PersonLine } from './line.tsx';
import { texts } from './texts.ts';

const SHOWN_MAX = 20;

export interface PeoplePickerProps {
  readonly label: string;
  readonly chosen: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
  /** Who is not offered, because they are in already. */
  readonly without?: ReadonlySet<number> | undefined;
}

export function PeoplePicker({ label, chosen, onChange, without }: PeoplePickerProps) {
  const t = useTexts(texts);
  const store = useStore();
  const [typed, setTyped] = useState('');
  const all = useSelect(store, people);
  const offered = findPeople(all, typed).filter(
    ({ id }) => !chosen.includes(id) && without?.has(id) !== true,
  );
  const shown = offered.slice(0, SHOWN_MAX);
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={label}
        placeholder={t.find}
        value={typed}
        onChange={setTyped}
        start={<Icon name="search" className="size-4" />}
      />
      {chosen.length > 0 && (
        <div className="flex flex-wrap gap-1.5">
          {chosen.map((id) => {
            const name = store.state.people.get(id)?.fullName ?? String(id);
            return (
              <Pill
                key={id}
                removeLabel={t.remove({ name })}
                onRemove={() => onChange(chosen.filter((one) => one !== id))}
              >
                <bdi>{name}</bdi>
              </Pill>
            );
          })}
        </div>
      )}
      <ul className="max-h-56 overflow-auto rounded-control border border-line" aria-label={label}>
        {shown.map((person) => (
          <Offer
            key={person.id}
            person={person}
            onChoose={() => {
              onChange([...chosen, person.id]);
              setTyped('');
            }}
          />
        ))}
        {shown.length === 0 && <li className="p-3 text-muted">{t.nobodyFits}</li>}
        {offered.length > SHOWN_MAX && (
          <li className="p-3 text-small text-muted">
            {t.more({ count: offered.length - SHOWN_MAX })}
          </li>
        )}
      </ul>
    </div>
  );
}

function Offer({ person, onChoose }: { readonly person: Person; readonly onChoose: () => void }) {
  return (
    <li>
      <button
        type="button"
        onClick={onChoose}
        className="w-full px-3 text-start hover:bg-hover focus-visible:-outline-offset-2"
      >
        <PersonLine person={person} />
      </button>
    </li>
  );
}
