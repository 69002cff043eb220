// What notifies a person, and where: as far as the account has settings for it, and this browser.
import { useTexts } from '../../i18n/texts.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { chime } from '../../ui/chime.ts';
import { Switch } from '../../ui/switch.tsx';
import { useLooks } from '../looks.tsx';
import { Section } from '../section.tsx';
import { commonTexts } from '../texts.ts';
import { useSetting } from '../use-setting.ts';
import { BrowserNotices } from './browser-notices.tsx';
import { texts } from './texts.ts';

const ROWS = [
  {
    event: 'direct',
    visual: 'enable_desktop_notifications',
    sound: 'enable_sounds',
    push: 'enable_offline_push_notifications',
  },
  {
    event: 'followed',
    visual: 'enable_followed_topic_desktop_notifications',
    sound: 'enable_followed_topic_audible_notifications',
    push: 'enable_followed_topic_push_notifications',
  },
  {
    event: 'channels',
    visual: 'enable_stream_desktop_notifications',
    sound: 'enable_stream_audible_notifications',
    push: 'enable_stream_push_notifications',
  },
] as const;
const WAYS = ['visual', 'sound', 'push'] as const;

export default function Notifications() {
  const t = useTexts(texts);
  const common = useTexts(commonTexts);
  return (
    <>
      <BrowserNotices />
      <Section title={t.what} note={common.inAccount}>
        <Matrix />
        <div className="flex flex-col gap-1 border-t border-line pt-3">
          <Flag name="wildcard_mentions_notify" label={t.wildcard} />
          <Flag name="pm_content_in_desktop_notifications" label={t.content} />
          <Flag name="enable_online_push_notifications" label={t.online} />
        </div>
      </Section>
      <Section title={t.orders} note={common.inBrowser}>
        <FillChoices />
      </Section>
      <Section title={t.emails} note={common.inAccount}>
        <div className="flex flex-col gap-1">
          <Flag name="enable_login_emails" label={t.loginEmails} />
          <Flag name="enable_digest_emails" label={t.digest} />
        </div>
      </Section>
    </>
  );
}

type FlagName =
  | (typeof ROWS)[number]['visual' | 'sound' | 'push']
  | 'wildcard_mentions_notify'
  | 'pm_content_in_desktop_notifications'
  | 'enable_online_push_notifications'
  | 'enable_login_emails'
  | 'enable_digest_emails';

function Flag({ name, label }: { readonly name: FlagName; readonly label: string }) {
  const [isOn = false, setOn] = useSetting(name);
  return (
    <Switch isSelected={isOn} onChange={setOn}>
      {label}
    </Switch>
  );
}

function FillChoices() {
  const t = useTexts(texts);
  const { preferences, change } = useLooks();
  return (
    <div className="flex flex-col gap-1">
      <Switch isSelected={preferences.tellsFills} onChange={(tellsFills) => change({ tellsFills })}>
        {t.tellsFills}
      </Switch>
      <Switch
        isSelected={preferences.soundsFills}
        onChange={(soundsFills) => {
          // So that people know what they chose.
          if (soundsFills) chime();
          change({ soundsFills });
        }}
      >
        {t.soundsFills}
      </Switch>
    </div>
  );
}

function Matrix() {
  const t = useTexts(texts);
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-b border-line text-small text-muted">
            <th scope="col" className="py-2 pe-3 text-start font-medium">
              {t.event}
            </th>
            {WAYS.map((way) => (
              <th
                key={way}
                scope="col"
                className="w-22 px-2 py-2 text-center font-medium max-tablet:w-14 max-tablet:px-0"
              >
                {t[way]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map((row) => (
            <tr key={row.event} className="border-b border-line last:border-0">
              <th scope="row" className="py-1 pe-3 text-start font-normal">
                {t[row.event]}
              </th>
              {WAYS.map((way) => (
                <td key={way} className="px-2 text-center max-tablet:px-0">
                  <Cell name={row[way]} label={`${t[row.event]}: ${t[way]}`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ name, label }: { readonly name: FlagName; readonly label: string }) {
  const [isOn = false, setOn] = useSetting(name);
  return (
    <Checkbox isSelected={isOn} onChange={setOn} className="justify-center max-tablet:min-w-11">
      <span className="sr-only">{label}</span>
    </Checkbox>
  );
}
