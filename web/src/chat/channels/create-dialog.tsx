import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { PeoplePicker } from '../people/picker.tsx';
import { isAtLeast, OWNER } from '../rights/rights.ts';
import type { Privacy } from './derive.ts';
import {
  FolderField,
  PermissionFields,
  POLICIES,
  PolicyField,
  PrivacyField,
  type PermissionValues,
} from './fields.tsx';
import { RetentionField } from './retention-field.tsx';
import { retentionText, type Retention } from './retention.ts';
import { texts } from './texts.ts';

export function CreateChannelDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (name: string) => void;
}) {
  const t = useTexts(texts);
  const store = useStore();
  const isOwner = useSelect(store, (state) => isAtLeast(state, OWNER));
  const [name, setName] = useState('');
  const [isTried, setTried] = useState(false);
  const [description, setDescription] = useState('');
  const [privacy, setPrivacy] = useState<Privacy>('public');
  const [folderId, setFolderId] = useState<number | null>(null);
  const [policy, setPolicy] = useState('inherit');
  const [retention, setRetention] = useState<Retention>(null);
  const [isDefault, setDefault] = useState(false);
  const [isAnnounced, setAnnounced] = useState(true);
  const [isPushed, setPushed] = useState(false);
  const [subscribers, setSubscribers] = useState<readonly number[]>([store.state.own.userId]);
  const [permissions, setPermissions] = useState<PermissionValues>({});
  const isPrivate = privacy === 'private' || privacy === 'hidden';

  const create = useAct(async () => {
    const topicsPolicy = POLICIES.find((one) => one === policy) ?? 'inherit';
    await store.client.chat.createChannel({
      name: name.trim(),
      description: description.trim(),
      subscribers,
      invite_only: isPrivate,
      is_web_public: privacy === 'webPublic',
      ...(isPrivate && { history_public_to_subscribers: privacy === 'private' }),
      ...(folderId !== null && { folder_id: folderId }),
      ...(topicsPolicy !== 'inherit' && { topics_policy: topicsPolicy }),
      ...(retention !== null &&
        retention !== undefined && { message_retention_days: retentionText(retention) }),
      ...(isDefault && !isPrivate && { is_default_stream: true }),
      ...(isPushed && { default_push_notifications: true }),
      announce: isAnnounced && !isPrivate,
      ...permissions,
    });
    onCreated(name.trim());
  });
  const submit = () => {
    setTried(true);
    if (name.trim() !== '' && retention !== undefined) void create.run();
  };
  return (
    <Dialog
      title={t.create}
      size="large"
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button variant="primary" isPending={create.isRunning} onPress={submit}>
            {t.create}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FailureNotice what={t.notCreated} error={create.error} />
        <TextField
          label={t.name}
          value={name}
          onChange={setName}
          isRequired
          autoFocus
          error={isTried && name.trim() === '' ? t.nameMissing : undefined}
        />
        <TextArea label={t.description} value={description} onChange={setDescription} rows={2} />
        <PrivacyField value={privacy} onChange={setPrivacy} />
        <PeoplePicker label={t.initial} chosen={subscribers} onChange={setSubscribers} />
        <div className="grid gap-4 tablet:grid-cols-2">
          <FolderField value={folderId} onChange={setFolderId} />
          <PolicyField value={policy} onChange={setPolicy} />
        </div>
        <RetentionField
          value={retention}
          onChange={setRetention}
          isDisabled={!isOwner}
          description={isOwner ? undefined : t.retentionOwners}
        />
        <div className="flex flex-col">
          <Checkbox isSelected={isAnnounced} onChange={setAnnounced} isDisabled={isPrivate}>
            {t.announce}
          </Checkbox>
          <Checkbox isSelected={isDefault} onChange={setDefault} isDisabled={isPrivate}>
            {t.isDefault}
          </Checkbox>
          <Checkbox isSelected={isPushed} onChange={setPushed}>
            {t.push}
          </Checkbox>
        </div>
        <details>
          <summary className="min-h-control content-center font-medium">{t.permissions}</summary>
          <div className="pt-2">
            <PermissionFields
              values={permissions}
              onChange={(permission, value) =>
                setPermissions((before) => ({ ...before, [permission]: value }))
              }
            />
          </div>
        </details>
      </div>
    </Dialog>
  );
}
