// The fields of the organization's settings. Each saves alone, says how far it is, and says who can change it to those
// who cannot.
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { channels } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import type { Choice } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useRealmSetting, type RealmName, type RealmSetting } from './realm.ts';
import { SaveStatus } from './status.tsx';
import { texts } from './texts.ts';

export interface SettingProps {
  readonly name: RealmName;
  readonly label: string;
  readonly note?: string | undefined;
}

/** The field, and below it who can change it or how far the saving is. */
export function Row({
  setting,
  children,
}: {
  readonly setting: Pick<
    RealmSetting<unknown>,
    'isForOwners' | 'mayChange' | 'isSaving' | 'isSaved' | 'error'
  >;
  readonly children: ReactNode;
}) {
  const t = useTexts(texts);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {children}
      {setting.isForOwners && !setting.mayChange && (
        <p className="text-small text-muted">{t.onlyOwners}</p>
      )}
      <SaveStatus saved={setting} />
    </div>
  );
}

export function FlagSetting({
  name,
  label,
  note,
  isInverted = false,
}: SettingProps & {
  /** The API has the opposite of what the label says. */
  readonly isInverted?: boolean | undefined;
}) {
  const setting = useRealmSetting<boolean>(name);
  return (
    <Row setting={setting}>
      <Switch
        isSelected={setting.value !== isInverted}
        onChange={(isOn) => void setting.save(isOn !== isInverted)}
        isDisabled={!setting.mayChange || setting.isSaving}
        description={note}
      >
        {label}
      </Switch>
    </Row>
  );
}

export function ChoiceSetting({
  name,
  label,
  note,
  choices,
}: SettingProps & {
  readonly choices: readonly (Omit<Choice, 'value'> & { readonly value: string | number })[];
}) {
  const setting = useRealmSetting<string | number>(name);
  return (
    <Row setting={setting}>
      <Select
        label={label}
        description={note}
        value={String(setting.value)}
        onChange={(text) => {
          const chosen = choices.find(({ value }) => String(value) === text);
          if (chosen !== undefined && chosen.value !== setting.value) {
            void setting.save(chosen.value);
          }
        }}
        isDisabled={!setting.mayChange || setting.isSaving}
        choices={choices.map((choice) => ({ ...choice, value: String(choice.value) }))}
        className="max-w-md"
      />
    </Row>
  );
}

export function TextSetting({
  name,
  label,
  note,
  rows,
  maxLength,
  isLatin,
  mayBeEmpty = true,
  preview,
  toWire,
}: SettingProps & {
  /** Several lines. */
  readonly rows?: number | undefined;
  readonly maxLength: number;
  readonly isLatin?: boolean | undefined;
  readonly mayBeEmpty?: boolean | undefined;
  readonly preview?: ((text: string) => ReactNode) | undefined;
  readonly toWire?: ((text: string | null) => string) | undefined;
}) {
  const t = useTexts(texts);
  const setting = useRealmSetting<string | null>(name, toWire);
  const known = setting.value ?? '';
  const [typed, setTyped] = useState<string>();
  const text = typed ?? known;
  const isMissing = !mayBeEmpty && text.trim() === '';
  const isChanged = typed !== undefined && typed.trim() !== known;
  const submit = async () => {
    if (!isChanged || isMissing) return;
    if (await setting.save(text.trim())) setTyped(undefined);
  };
  const shared = {
    label,
    description: note,
    value: text,
    onChange: setTyped,
    maxLength,
    isDisabled: !setting.mayChange,
    error: isMissing ? t.missing : undefined,
    className: 'min-w-0 flex-1',
  };
  return (
    <Row setting={setting}>
      <form
        className="flex max-w-xl flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {rows === undefined ? (
          <TextField {...shared} isLatin={isLatin} />
        ) : (
          <TextArea {...shared} rows={rows} />
        )}
        {preview?.(text)}
        {setting.mayChange && isChanged && (
          <div className="flex flex-wrap gap-2">
            <Button
              type="submit"
              variant="primary"
              size="small"
              isPending={setting.isSaving}
              isDisabled={isMissing}
            >
              {t.save({ what: label })}
            </Button>
            <Button size="small" variant="quiet" onPress={() => setTyped(undefined)}>
              {t.discard}
            </Button>
          </div>
        )}
      </form>
    </Row>
  );
}

export function DaysSetting({ name, label, note, max }: SettingProps & { readonly max: number }) {
  const t = useTexts(texts);
  const setting = useRealmSetting<number>(name);
  const [typed, setTyped] = useState<string>();
  const text = typed ?? String(setting.value);
  const days = /^\d{1,6}$/.test(text) && Number(text) <= max ? Number(text) : undefined;
  const isChanged = typed !== undefined && days !== setting.value;
  return (
    <Row setting={setting}>
      <form
        className="flex max-w-md flex-wrap items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (days === undefined || !isChanged) return;
          void setting.save(days).then((isDone) => isDone && setTyped(undefined));
        }}
      >
        <NumberField
          label={label}
          description={note}
          value={text}
          unit={t.daysUnit}
          onChange={setTyped}
          isDisabled={!setting.mayChange}
          error={days === undefined ? t.daysWrong({ max }) : undefined}
          className="min-w-0 flex-1"
        />
        {setting.mayChange && isChanged && (
          <Button
            type="submit"
            variant="primary"
            className="mt-6"
            isPending={setting.isSaving}
            isDisabled={days === undefined}
          >
            {t.saveShort}
          </Button>
        )}
      </form>
    </Row>
  );
}

/** No channel, in the words of the API. */
const NO_CHANNEL = -1;

export function ChannelSetting({ name, label, note }: SettingProps) {
  const t = useTexts(texts);
  const all = useSelect(useStore(), channels);
  return (
    <ChoiceSetting
      name={name}
      label={label}
      note={note}
      choices={[
        { value: NO_CHANNEL, label: t.noChannel },
        ...all
          .filter(({ isArchived }) => !isArchived)
          .map((one) => ({ value: one.id, label: one.name })),
      ]}
    />
  );
}
