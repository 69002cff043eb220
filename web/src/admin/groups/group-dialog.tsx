import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { PeoplePicker } from '../../chat/people/picker.tsx';
import { groupLabel } from '../../chat/rights/choices.ts';
import { GroupSettingField } from '../../chat/rights/setting-field.tsx';
import { texts as rightsTexts } from '../../chat/rights/texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Group, GroupSetting } from '../../state/entities.ts';
import { useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { difference, possibleSubgroups } from './derive.ts';
import { texts } from './texts.ts';

const PERMISSIONS = [
  'can_mention_group',
  'can_join_group',
  'can_leave_group',
  'can_add_members_group',
  'can_remove_members_group',
  'can_manage_group',
] as const;
type Permissions = Partial<Record<(typeof PERMISSIONS)[number], GroupSetting>>;

/** Creates a group, or changes one. */
export function GroupDialog({
  group,
  onClose,
  onDone,
}: {
  readonly group: Group | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const t = useTexts(texts);
  const labels = useTexts(rightsTexts);
  const store = useStore();
  const { chat } = store.client;
  const [name, setName] = useState(group?.name ?? '');
  const [description, setDescription] = useState(group?.description ?? '');
  const [members, setMembers] = useState<readonly number[]>(
    group?.memberIds ?? [store.state.own.userId],
  );
  const [subgroups, setSubgroups] = useState<readonly number[]>(group?.subgroupIds ?? []);
  const [permissions, setPermissions] = useState<Permissions>({});
  const [isTried, setTried] = useState(false);
  const possible = possibleSubgroups(store.state.groups, group?.id);

  const save = useAct(async () => {
    const facts = { name: name.trim(), description: description.trim() };
    if (group === undefined) {
      await chat.createUserGroup({ ...facts, members, subgroups, ...permissions });
    } else {
      const changed = Object.entries(permissions).map(([key, value]) => [
        key,
        { new: value, old: group.permissions[key] },
      ]);
      await chat.updateUserGroup({
        user_group_id: group.id,
        ...(facts.name !== group.name && { name: facts.name }),
        ...(facts.description !== group.description && { description: facts.description }),
        ...Object.fromEntries(changed),
      });
      const people = difference(group.memberIds, members);
      const inside = difference(group.subgroupIds, subgroups);
      const isSame = [people, inside].every(({ add, remove }) => add.length + remove.length === 0);
      if (!isSame) {
        await chat.updateUserGroupMembers({
          user_group_id: group.id,
          add: people.add,
          delete: people.remove,
          add_subgroups: inside.add,
          delete_subgroups: inside.remove,
        });
      }
    }
    onDone();
  });
  const submit = () => {
    setTried(true);
    if (name.trim() !== '') void save.run();
  };
  return (
    <Dialog
      title={group === undefined ? t.create : t.editTitle}
      size="large"
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button variant="primary" isPending={save.isRunning} onPress={submit}>
            {group === undefined ? t.create : t.save}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FailureNotice what={t.notSaved} error={save.error} />
        <TextField
          label={t.name}
          value={name}
          onChange={setName}
          isRequired
          autoFocus
          error={isTried && name.trim() === '' ? t.nameMissing : undefined}
        />
        <TextField label={t.description} value={description} onChange={setDescription} />
        <PeoplePicker label={t.members} chosen={members} onChange={setMembers} />
        <fieldset>
          <legend className="text-small font-medium">{t.subgroups}</legend>
          {possible.length === 0 && <p className="text-muted">{t.noSubgroups}</p>}
          <div className="grid tablet:grid-cols-2">
            {possible.map((one) => (
              <Checkbox
                key={one.id}
                isSelected={subgroups.includes(one.id)}
                onChange={(isOn) =>
                  setSubgroups((before) =>
                    isOn ? [...before, one.id] : before.filter((id) => id !== one.id),
                  )
                }
              >
                <bdi>{groupLabel(one.name, labels)}</bdi>
              </Checkbox>
            ))}
          </div>
        </fieldset>
        <details>
          <summary className="min-h-control content-center font-medium">{t.permissions}</summary>
          <div className="grid gap-4 pt-2 tablet:grid-cols-2">
            {PERMISSIONS.map((key) => (
              <GroupSettingField
                key={key}
                of={['group', key]}
                label={t[key]}
                value={permissions[key] ?? group?.permissions[key]}
                onChange={(value) => setPermissions((before) => ({ ...before, [key]: value }))}
              />
            ))}
          </div>
        </details>
      </div>
    </Dialog>
  );
}
