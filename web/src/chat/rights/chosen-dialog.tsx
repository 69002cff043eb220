// Chooses people and groups by hand for one permission.
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Group, GroupSetting } from '../../state/entities.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PeoplePicker } from '../people/picker.tsx';
import { groupLabel, partsOf, settingFrom } from './choices.ts';
import { texts } from './texts.ts';

export default function ChosenDialog({
  title,
  value,
  offered,
  onChoose,
  onClose,
}: {
  readonly title: string;
  readonly value: GroupSetting | undefined;
  readonly offered: readonly Group[];
  readonly onChoose: (value: GroupSetting) => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const before = partsOf(value, offered);
  const [people, setPeople] = useState(before.people);
  const [groups, setGroups] = useState(before.groups);
  const chosen = settingFrom(people, groups);
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button
            variant="primary"
            isDisabled={chosen === undefined}
            onPress={() => chosen !== undefined && onChoose(chosen)}
          >
            {t.take}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <PeoplePicker label={t.people} chosen={people} onChange={setPeople} />
        <fieldset>
          <legend className="text-small font-medium">{t.groups}</legend>
          <div className="grid tablet:grid-cols-2">
            {offered
              .filter(({ name }) => name !== 'role:nobody')
              .map(({ id, name }) => (
                <Checkbox
                  key={id}
                  isSelected={groups.includes(id)}
                  onChange={(isOn) =>
                    setGroups((now) => (isOn ? [...now, id] : now.filter((one) => one !== id)))
                  }
                >
                  <bdi>{groupLabel(name, t)}</bdi>
                </Checkbox>
              ))}
          </div>
        </fieldset>
      </div>
    </Dialog>
  );
}
