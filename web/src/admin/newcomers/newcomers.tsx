// What new people find: the channels they are subscribed to, the words that greet them, and the settings they start with.
import { ADMINISTRATOR, isAtLeast } from '../../chat/rights/rights.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { useSelect, useStore } from '../../state/react.ts';
import { ReadOnlyNotice } from '../../ui/states.tsx';
import { TextSetting } from '../setting/fields.tsx';
import { texts as settingTexts } from '../setting/texts.ts';
import { DefaultChannels } from './default-channels.tsx';
import { DefaultChoice, DefaultFlag, NotificationMatrix } from './defaults.tsx';
import { texts } from './texts.ts';

const WELCOME_MAX = 8000;

export default function NewcomersPage() {
  const t = useTexts(texts);
  const common = useTexts(settingTexts);
  const isAdmin = useSelect(useStore(), (state) => isAtLeast(state, ADMINISTRATOR));
  return (
    <>
      {!isAdmin && <ReadOnlyNotice>{common.onlyAdmins}</ReadOnlyNotice>}
      <Section title={t.channels} note={t.channelsNote}>
        <DefaultChannels mayChange={isAdmin} />
      </Section>
      <Section title={t.welcome} note={t.welcomeNote}>
        <TextSetting
          name="welcome_message_custom_text"
          label={t.welcomeText}
          note={t.welcomeTextNote}
          rows={3}
          maxLength={WELCOME_MAX}
        />
      </Section>
      <Section title={t.appearance} note={t.defaultsNote}>
        <DefaultChoice
          name="default_language"
          label={t.default_language}
          choices={[
            { value: 'en', label: 'English' },
            { value: 'fa', label: 'فارسی' },
          ]}
        />
        <DefaultChoice
          name="color_scheme"
          label={t.color_scheme}
          choices={[
            { value: 1, label: t.system },
            { value: 3, label: t.light },
            { value: 2, label: t.dark },
          ]}
        />
        <DefaultChoice
          name="web_home_view"
          label={t.web_home_view}
          choices={[
            { value: 'inbox', label: t.inbox },
            { value: 'recent_topics', label: t.recent_topics },
            { value: 'all_messages', label: t.all_messages },
          ]}
        />
        <DefaultFlag name="twenty_four_hour_time" label={t.twenty_four_hour_time} />
        <DefaultFlag name="enter_sends" label={t.enter_sends} />
      </Section>
      <Section title={t.notifications} note={t.defaultsNote}>
        <NotificationMatrix />
        <DefaultFlag name="wildcard_mentions_notify" label={t.wildcard_mentions_notify} />
        <DefaultFlag
          name="pm_content_in_desktop_notifications"
          label={t.pm_content_in_desktop_notifications}
        />
        <DefaultFlag name="enable_login_emails" label={t.enable_login_emails} />
      </Section>
      <Section title={t.privacy} note={t.defaultsNote}>
        <DefaultChoice
          name="email_address_visibility"
          label={t.email_address_visibility}
          choices={[
            { value: 1, label: t.seenByEveryone },
            { value: 2, label: t.seenByMembers },
            { value: 5, label: t.seenByModerators },
            { value: 3, label: t.seenByAdministrators },
            { value: 4, label: t.seenByNobody },
          ]}
        />
        <DefaultFlag name="presence_enabled" label={t.presence_enabled} />
        <DefaultFlag name="send_read_receipts" label={t.send_read_receipts} />
        <DefaultFlag name="send_private_typing_notifications" label={t.typingDirect} />
        <DefaultFlag name="send_stream_typing_notifications" label={t.typingChannels} />
      </Section>
    </>
  );
}
