// Everybody with an account: roles, and who may sign in.
import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { findPeople } from '../../chat/people/find.ts';
import { PersonLine } from '../../chat/people/line.tsx';
import { texts as peopleTexts } from '../../chat/people/texts.ts';
import { writeDate } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { isAtLeast, OWNER } from '../../chat/rights/rights.ts';
import { useTexts } from '../../i18n/texts.ts';
import { derive } from '../../state/derive.ts';
import type { Person, Role } from '../../state/entities.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { Table } from '../../ui/table.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { DeactivateDialog } from './deactivate-dialog.tsx';
import { texts } from './texts.ts';

const SHOWN_MAX = 100;
export const ROLES: readonly Role[] = [100, 200, 300, 400, 600];

const humans = derive(['people'], (state): readonly Person[] =>
  [...state.people.values()]
    .filter(({ isBot }) => !isBot)
    .sort((a, b) => a.role - b.role || a.fullName.localeCompare(b.fullName)),
);

export default function PeoplePage() {
  const t = useTexts(texts);
  const roles = useTexts(peopleTexts);
  const locale = useLocale();
  const store = useStore();
  const toasts = useToasts();
  const { chat } = store.client;
  const [typed, setTyped] = useState('');
  const [isActive, setActive] = useState(true);
  const [leaving, setLeaving] = useState<Person>();
  const found = findPeople(useSelect(store, humans), typed).filter(
    (person) => person.isActive === isActive,
  );
  const setRole = useAct(async (person: Person, role: Role) => {
    await chat.updateUser({ user_id: person.id, role });
    toasts.show({
      tone: 'success',
      text: t.changed({ name: person.fullName, role: roles[role] }),
    });
  });
  const reactivate = useAct((person: Person) => chat.reactivateUser({ user_id: person.id }));
  const ownId = store.state.own.userId;
  const isOwner = useSelect(store, (state) => isAtLeast(state, OWNER));
  // Only owners make owners, and only they change them.
  const mayChange = ({ role }: Person): boolean => isOwner || role !== OWNER;
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={t.find}
          isLabelHidden
          placeholder={t.find}
          value={typed}
          onChange={setTyped}
          start={<Icon name="search" className="size-4" />}
          className="min-w-48 flex-1"
        />
        <RadioGroup
          look="segments"
          label={t.which}
          isLabelHidden
          value={isActive ? 'active' : 'deactivated'}
          onChange={(value) => setActive(value === 'active')}
          choices={[
            { value: 'active', label: t.active },
            { value: 'deactivated', label: t.deactivated },
          ]}
        />
      </div>
      <FailureNotice what={t.notChanged} error={setRole.error} />
      <FailureNotice what={t.notReactivated} error={reactivate.error} />
      <Table
        label={isActive ? t.active : t.deactivated}
        rows={found.slice(0, SHOWN_MAX)}
        keyOf={({ id }) => id}
        empty={<p className="p-4 text-muted">{t.nobody}</p>}
        columns={[
          {
            id: 'person',
            title: t.person,
            isRowTitle: true,
            cell: (person) => (
              <PersonLine person={person} note={person.id === ownId ? t.you : undefined} />
            ),
          },
          {
            id: 'role',
            title: t.role,
            cell: (person) => (
              <Select
                label={t.roleOf({ name: person.fullName })}
                isLabelHidden
                isDisabled={!isActive || !mayChange(person) || setRole.isRunning}
                value={String(person.role)}
                onChange={(role) => void setRole.run(person, Number(role) as Role)}
                choices={ROLES.filter(
                  (role) => role !== OWNER || isOwner || person.role === OWNER,
                ).map((role) => ({ value: String(role), label: roles[role] }))}
                className="w-40"
              />
            ),
          },
          {
            id: 'joined',
            title: t.joined,
            cell: (person) => writeDate(Date.parse(person.dateJoined), locale),
          },
          {
            id: 'acts',
            title: t.acts,
            cell: (person) =>
              isActive ? (
                <Button
                  size="small"
                  variant="quiet"
                  isDisabled={person.id === ownId || !mayChange(person)}
                  onPress={() => setLeaving(person)}
                >
                  {t.deactivate}
                </Button>
              ) : (
                <Button
                  size="small"
                  isPending={reactivate.isRunning}
                  onPress={() => void reactivate.run(person)}
                >
                  {t.reactivate}
                </Button>
              ),
          },
        ]}
      />
      {found.length > SHOWN_MAX && (
        <p className="text-small text-muted">{t.more({ count: found.length - SHOWN_MAX })}</p>
      )}
      {leaving !== undefined && (
        <DeactivateDialog
          person={leaving}
          onClose={() => setLeaving(undefined)}
          onDone={() => {
            toasts.show({ text: t.done({ name: leaving.fullName }) });
            setLeaving(undefined);
          }}
        />
      )}
    </>
  );
}
