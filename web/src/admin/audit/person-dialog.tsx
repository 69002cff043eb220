import { useState } from 'react';
import { findPeople } from '../../chat/people/find.ts';
import { PersonLine } from '../../chat/people/line.tsx';
import { texts as peopleTexts } from '../../chat/people/texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { derive } from '../../state/derive.ts';
import type { Person } from '../../state/entities.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { texts } from './texts.ts';

const SHOWN_MAX = 20;

/** Those who left too: what they did stays in the log. */
const everybody = derive(['people'], (state): readonly Person[] =>
  [...state.people.values()].sort(
    (a, b) => Number(b.isActive) - Number(a.isActive) || a.fullName.localeCompare(b.fullName),
  ),
);

/** Chooses one person. */
export function PersonDialog({
  onChoose,
  onClose,
}: {
  readonly onChoose: (id: number) => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const names = useTexts(peopleTexts);
  const [typed, setTyped] = useState('');
  const found = findPeople(useSelect(useStore(), everybody), typed);
  return (
    <Dialog title={t.person} isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <div className="flex flex-col gap-3">
        <TextField
          label={names.find}
          value={typed}
          onChange={setTyped}
          autoFocus
          start={<Icon name="search" className="size-4" />}
        />
        <ul aria-label={t.person} className="rounded-control border border-line">
          {found.slice(0, SHOWN_MAX).map((person) => (
            <li key={person.id}>
              <button
                type="button"
                onClick={() => onChoose(person.id)}
                className="w-full px-3 text-start hover:bg-hover focus-visible:-outline-offset-2"
              >
                <PersonLine person={person} />
              </button>
            </li>
          ))}
          {found.length === 0 && <li className="p-3 text-muted">{names.nobodyFits}</li>}
          {found.length > SHOWN_MAX && (
            <li className="p-3 text-small text-muted">
              {names.more({ count: found.length - SHOWN_MAX })}
            </li>
          )}
        </ul>
      </div>
    </Dialog>
  );
}
