// The settings that new people start with. Nobody who is here already is changed.
import type { UpdateRealmUserSettingsDefaultsParams } from '@rialto/sdk';
import { ADMINISTRATOR, isAtLeast } from '../../chat/rights/rights.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import type { Choice } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { SaveStatus } from '../setting/status.tsx';
import { useSaved, type Saved } from '../setting/use-saved.ts';
import { texts } from './texts.ts';

type DefaultName = keyof UpdateRealmUserSettingsDefaultsParams;

function useDefault<T>(name: DefaultName): Saved<T> & { readonly isFixed: boolean } {
  const store = useStore();
  const known = useSelect(store, (state) => state.organization.userDefaults[name]) as T;
  const mayChange = useSelect(store, (state) => isAtLeast(state, ADMINISTRATOR));
  const saved = useSaved(known, (value: T) =>
    store.client.chat.updateRealmUserSettingsDefaults({ [name]: value }),
  );
  return { ...saved, isFixed: !mayChange || saved.isSaving };
}

interface DefaultProps {
  readonly name: DefaultName;
  readonly label: string;
}

export function DefaultFlag({ name, label }: DefaultProps) {
  const setting = useDefault<boolean>(name);
  return (
    <div className="flex flex-col gap-1">
      <Switch
        isSelected={setting.value}
        onChange={(isOn) => void setting.save(isOn)}
        isDisabled={setting.isFixed}
      >
        {label}
      </Switch>
      <SaveStatus saved={setting} />
    </div>
  );
}

export function DefaultChoice({
  name,
  label,
  choices,
}: DefaultProps & {
  readonly choices: readonly (Omit<Choice, 'value'> & { readonly value: string | number })[];
}) {
  const setting = useDefault<string | number>(name);
  return (
    <div className="flex flex-col gap-1">
      <Select
        label={label}
        value={String(setting.value)}
        onChange={(text) => {
          const chosen = choices.find(({ value }) => String(value) === text);
          if (chosen !== undefined && chosen.value !== setting.value) {
            void setting.save(chosen.value);
          }
        }}
        isDisabled={setting.isFixed}
        choices={choices.map((choice) => ({ ...choice, value: String(choice.value) }))}
        className="max-w-md"
      />
      <SaveStatus saved={setting} />
    </div>
  );
}

const EVENTS = {
  direct: ['enable_desktop_notifications', 'enable_sounds', 'enable_offline_push_notifications'],
  followed: [
    'enable_followed_topic_desktop_notifications',
    'enable_followed_topic_audible_notifications',
    'enable_followed_topic_push_notifications',
  ],
  inChannels: [
    'enable_stream_desktop_notifications',
    'enable_stream_audible_notifications',
    'enable_stream_push_notifications',
  ],
} as const satisfies Readonly<Record<string, readonly DefaultName[]>>;
const WAYS = ['visual', 'sound', 'phone'] as const;

/** Which events are told on which way: on the screen, by a sound, on the phone. */
export function NotificationMatrix() {
  const t = useTexts(texts);
  return (
    <div className="flex flex-col gap-3">
      {(Object.keys(EVENTS) as (keyof typeof EVENTS)[]).map((event) => (
        <fieldset key={event} className="flex flex-col gap-1">
          <legend className="text-small font-medium">{t[event]}</legend>
          <div className="flex flex-wrap gap-x-6">
            {EVENTS[event].map((name, index) => {
              const way = WAYS[index];
              return way === undefined ? null : <Way key={name} name={name} label={t[way]} />;
            })}
          </div>
        </fieldset>
      ))}
    </div>
  );
}

function Way({ name, label }: DefaultProps) {
  const setting = useDefault<boolean>(name);
  return (
    <div className="flex flex-col">
      <Checkbox
        isSelected={setting.value}
        onChange={(isOn) => void setting.save(isOn)}
        isDisabled={setting.isFixed}
      >
        {label}
      </Checkbox>
      <SaveStatus saved={setting} />
    </div>
  );
}
