// The fields that creating and changing a channel share.
import { useTexts } from '../../i18n/texts.ts';
import type { ChannelPermission, GroupSetting } from '../../state/entities.ts';
import { folders } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { GroupSettingField } from '../rights/setting-field.tsx';
import { PERMISSIONS, PRIVACIES, type Privacy } from './derive.ts';
import { texts } from './texts.ts';

export const POLICIES = [
  'inherit',
  'allow_empty_topic',
  'disable_empty_topic',
  'empty_topic_only',
] as const;

export interface FieldOf<T> {
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly isDisabled?: boolean | undefined;
}

export function PrivacyField({ value, onChange, isDisabled = false }: FieldOf<Privacy>) {
  const t = useTexts(texts);
  const about = {
    public: t.publicWhat,
    webPublic: t.webPublicWhat,
    private: t.privateWhat,
    hidden: t.hiddenWhat,
  };
  return (
    <RadioGroup
      label={t.privacy}
      value={value}
      onChange={(chosen) => onChange(chosen as Privacy)}
      isDisabled={isDisabled}
      choices={PRIVACIES.map((one) => ({ value: one, label: t[one], description: about[one] }))}
    />
  );
}

export function FolderField({ value, onChange, isDisabled }: FieldOf<number | null>) {
  const t = useTexts(texts);
  const all = useSelect(useStore(), folders);
  return (
    <Select
      label={t.folder}
      value={String(value ?? '')}
      onChange={(id) => onChange(id === '' ? null : Number(id))}
      isDisabled={isDisabled}
      choices={[
        { value: '', label: t.noFolder },
        ...all
          .filter(({ isArchived }) => !isArchived)
          .map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  );
}

export function PolicyField({ value, onChange, isDisabled }: FieldOf<string>) {
  const t = useTexts(texts);
  return (
    <Select
      label={t.topics}
      value={value}
      onChange={onChange}
      isDisabled={isDisabled}
      choices={POLICIES.map((one) => ({ value: one as string, label: t[one] }))}
    />
  );
}

export type PermissionValues = Readonly<Partial<Record<ChannelPermission, GroupSetting>>>;

export function PermissionFields({
  values,
  onChange,
  isDisabled,
}: {
  readonly values: PermissionValues;
  readonly onChange: (name: ChannelPermission, value: GroupSetting) => void;
  readonly isDisabled?: boolean | undefined;
}) {
  const t = useTexts(texts);
  return (
    <div className="grid gap-4 tablet:grid-cols-2">
      {PERMISSIONS.map((name) => (
        <GroupSettingField
          key={name}
          of={['stream', name]}
          label={t[name]}
          value={values[name]}
          onChange={(value) => onChange(name, value)}
          isDisabled={isDisabled}
        />
      ))}
    </div>
  );
}
