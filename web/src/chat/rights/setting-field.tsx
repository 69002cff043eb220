// Who has a permission: a group of the organization, or people and groups that are chosen by hand.
import { lazy, Suspense, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { GroupSetting, PermissionRules } from '../../state/entities.ts';
import { groups } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Select } from '../../ui/select.tsx';
import { groupChoices, groupLabel } from './choices.ts';
import { texts } from './texts.ts';

const ChosenDialog = lazy(() => import('./chosen-dialog.tsx'));

const CHOSEN = 'chosen';
const CHOOSE = 'choose';

export interface GroupSettingFieldProps {
  readonly label: string;
  readonly value: GroupSetting | undefined;
  readonly onChange: (value: GroupSetting) => void;
  /** Where the permission is, and its name in the API: the server says which groups it may have. */
  readonly of: readonly [scope: keyof PermissionRules, name: string];
  readonly description?: string | undefined;
  readonly isDisabled?: boolean | undefined;
}

export function GroupSettingField({
  label,
  value,
  onChange,
  of: [scope, name],
  description,
  isDisabled,
}: GroupSettingFieldProps) {
  const t = useTexts(texts);
  const store = useStore();
  const all = useSelect(store, groups);
  const rule = useSelect(store, (state) => state.organization.permissionRules[scope][name]);
  const [isChoosing, setChoosing] = useState(false);
  const byHand = typeof value === 'object' ? value : undefined;
  const offered = groupChoices(all, rule, typeof value === 'number' ? value : undefined);
  const choices = [
    ...(byHand === undefined
      ? []
      : [
          {
            value: CHOSEN,
            label: t.chosen({
              people: byHand.direct_members.length,
              groups: byHand.direct_subgroups.length,
            }),
          },
        ]),
    ...offered.map((group) => ({ value: String(group.id), label: groupLabel(group.name, t) })),
    ...(rule?.require_system_group === true ? [] : [{ value: CHOOSE, label: t.choose }]),
  ];
  return (
    <>
      <Select
        label={label}
        description={description}
        choices={choices}
        value={typeof value === 'number' ? String(value) : byHand === undefined ? null : CHOSEN}
        onChange={(chosen) => {
          if (chosen === CHOOSE) setChoosing(true);
          else if (chosen !== CHOSEN) onChange(Number(chosen));
        }}
        isDisabled={isDisabled}
      />
      {isChoosing && (
        <Suspense fallback={null}>
          <ChosenDialog
            title={label}
            value={value}
            offered={offered}
            onClose={() => setChoosing(false)}
            onChoose={(chosen) => {
              setChoosing(false);
              onChange(chosen);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
