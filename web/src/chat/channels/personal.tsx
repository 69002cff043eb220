// How one person follows a channel: colour, place, sound. Each change is saved at once.
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Channel, Subscription } from '../../state/entities.ts';
import { useStore } from '../../state/react.ts';
import { ReadOnlyNotice } from '../../ui/states.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Switch } from '../../ui/switch.tsx';
import { texts } from './texts.ts';

const NOTICES = [
  ['desktop_notifications', 'desktopNotifications', 'desktop'],
  ['audible_notifications', 'audibleNotifications', 'audible'],
  ['push_notifications', 'pushNotifications', 'pushes'],
  ['email_notifications', 'emailNotifications', 'emails'],
  ['wildcard_mentions_notify', 'wildcardMentionsNotify', 'wildcard'],
] as const satisfies readonly (readonly [string, keyof Subscription, string])[];

/** Far enough from each other to be told apart. */
const COLORS = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
] as const;

export function ChannelPersonal({ channel }: { readonly channel: Channel }) {
  const t = useTexts(texts);
  const { chat } = useStore().client;
  const { subscription } = channel;
  const change = useAct((property: string, value: boolean | string) =>
    chat.updateSubscriptionSettings({
      subscription_data: [{ stream_id: channel.id, property, value }],
    }),
  );
  if (subscription?.isActive !== true) return <ReadOnlyNotice>{t.personalNeeds}</ReadOnlyNotice>;
  return (
    <div className="flex flex-col gap-4">
      <FailureNotice what={t.notSaved} error={change.error} />
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-1.5 text-small font-medium">{t.color}</legend>
        <div className="flex flex-wrap gap-2">
          {COLORS.map((color) => (
            <label
              key={color}
              className="relative flex size-9 items-center justify-center rounded-full has-checked:outline-2 has-checked:outline-offset-2 has-checked:outline-accent has-focus-visible:outline-2 has-focus-visible:outline-focus"
              style={{ backgroundColor: color }}
            >
              <input
                type="radio"
                name="color"
                value={color}
                aria-label={color}
                checked={subscription.color === color}
                onChange={() => void change.run('color', color)}
                className="absolute inset-0 opacity-0"
              />
              {subscription.color === color && (
                <span aria-hidden className="font-bold text-[#15191f]">
                  ✓
                </span>
              )}
            </label>
          ))}
        </div>
      </fieldset>
      <Switch
        isSelected={subscription.isPinned}
        onChange={(isOn) => void change.run('pin_to_top', isOn)}
      >
        {t.pin}
      </Switch>
      <Switch
        isSelected={subscription.isMuted}
        onChange={(isOn) => void change.run('is_muted', isOn)}
      >
        {t.mute}
      </Switch>
      <h2 className="pt-2 text-title font-semibold">{t.notifications}</h2>
      <div className="flex flex-col gap-3">
        {NOTICES.map(([property, name, text]) => {
          const value = subscription[name];
          return (
            <RadioGroup
              key={property}
              look="segments"
              label={t[text]}
              value={value === null ? 'usual' : value ? 'on' : 'off'}
              // The API has no way back to the general setting, so nobody is offered it.
              onChange={(chosen) => void change.run(property, chosen === 'on')}
              choices={[
                { value: 'usual', label: t.asUsual, isDisabled: value !== null },
                { value: 'on', label: t.on },
                { value: 'off', label: t.off },
              ]}
            />
          );
        })}
      </div>
    </div>
  );
}
