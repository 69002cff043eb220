// What the organization is called and how it behaves: every setting that is neither a permission nor about newcomers.
import { ADMINISTRATOR, isAtLeast } from '../../chat/rights/rights.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { useSelect, useStore } from '../../state/react.ts';
import { ReadOnlyNotice } from '../../ui/states.tsx';
import {
  ChannelSetting,
  ChoiceSetting,
  DaysSetting,
  FlagSetting,
  TextSetting,
} from '../setting/fields.tsx';
import { texts as settingTexts } from '../setting/texts.ts';
import { TimeLimitSetting } from '../setting/time-limit.tsx';
import { SignInMethods } from './sign-in-methods.tsx';
import { texts } from './texts.ts';

const NAME_MAX = 40;
const DESCRIPTION_MAX = 1000;
const WAITING_DAYS_MAX = 36_500;
const ADDRESS_MAX = 200;

export default function OrganizationPage() {
  const t = useTexts(texts);
  const common = useTexts(settingTexts);
  const isAdmin = useSelect(useStore(), (state) => isAtLeast(state, ADMINISTRATOR));
  return (
    <>
      {!isAdmin && <ReadOnlyNotice>{common.onlyAdmins}</ReadOnlyNotice>}
      <Section title={t.profile} note={t.profileNote}>
        <TextSetting name="name" label={t.name} maxLength={NAME_MAX} mayBeEmpty={false} />
        <TextSetting
          name="description"
          label={t.description}
          note={t.descriptionNote}
          rows={3}
          maxLength={DESCRIPTION_MAX}
          preview={(text) => <DescriptionPreview text={text} />}
        />
        <Languages />
      </Section>
      <Messages />
      <Section title={t.people}>
        <DaysSetting
          name="waiting_period_threshold"
          label={t.waiting_period_threshold}
          note={t.waitingNote}
          max={WAITING_DAYS_MAX}
        />
        <FlagSetting name="name_changes_disabled" label={t.name_changes_disabled} isInverted />
        <FlagSetting name="avatar_changes_disabled" label={t.avatar_changes_disabled} isInverted />
        <FlagSetting name="email_changes_disabled" label={t.email_changes_disabled} isInverted />
        <FlagSetting name="require_unique_names" label={t.require_unique_names} />
        <FlagSetting name="presence_disabled" label={t.presence_disabled} isInverted />
        <FlagSetting name="enable_guest_user_indicator" label={t.enable_guest_user_indicator} />
        <FlagSetting
          name="enable_guest_user_dm_warning"
          label={t.enable_guest_user_dm_warning}
          note={t.guestWarningNote}
        />
      </Section>
      <Section title={t.announcements} note={t.announcementsNote}>
        <ChannelSetting
          name="new_stream_announcements_stream_id"
          label={t.new_stream_announcements_stream_id}
        />
        <ChannelSetting
          name="signup_announcements_stream_id"
          label={t.signup_announcements_stream_id}
        />
        <ChannelSetting
          name="moderation_request_channel_id"
          label={t.moderation_request_channel_id}
          note={t.moderationNote}
        />
      </Section>
      <Calls />
      <Security />
    </>
  );
}

function DescriptionPreview({ text }: { readonly text: string }) {
  const t = useTexts(texts);
  return (
    <figure className="flex flex-col gap-1 rounded-control border border-line bg-background p-3">
      <figcaption className="text-small text-muted">{t.preview}</figcaption>
      <p dir="auto" className="break-words">
        {text.trim() === '' ? <span className="text-muted">{t.noDescription}</span> : text}
      </p>
    </figure>
  );
}

/** Those that the pages have; the API knows more, and one that was chosen there stays choosable. */
const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'fa', label: 'فارسی' },
];

function Languages() {
  const t = useTexts(texts);
  const chosen = useSelect(
    useStore(),
    (state) => state.organization.settings['default_language'] as string,
  );
  const isListed = LANGUAGES.some(({ value }) => value === chosen);
  return (
    <ChoiceSetting
      name="default_language"
      label={t.default_language}
      note={t.languageNote}
      choices={isListed ? LANGUAGES : [...LANGUAGES, { value: chosen, label: chosen }]}
    />
  );
}

function Messages() {
  const t = useTexts(texts);
  return (
    <Section title={t.messages}>
      <FlagSetting name="allow_message_editing" label={t.allow_message_editing} />
      <TimeLimitSetting
        name="message_content_edit_limit_seconds"
        label={t.message_content_edit_limit_seconds}
      />
      <TimeLimitSetting
        name="message_content_delete_limit_seconds"
        label={t.message_content_delete_limit_seconds}
        note={t.deleteNote}
      />
      <TimeLimitSetting
        name="move_messages_within_stream_limit_seconds"
        label={t.move_messages_within_stream_limit_seconds}
        note={t.moveNote}
      />
      <TimeLimitSetting
        name="move_messages_between_streams_limit_seconds"
        label={t.move_messages_between_streams_limit_seconds}
        note={t.moveNote}
      />
      <ChoiceSetting
        name="message_edit_history_visibility_policy"
        label={t.message_edit_history_visibility_policy}
        choices={[
          { value: 'all', label: t.historyAll },
          { value: 'moves', label: t.historyMoves },
          { value: 'none', label: t.historyNone },
        ]}
      />
      <ChoiceSetting
        name="topics_policy"
        label={t.topics_policy}
        note={t.topicsNote}
        choices={[
          { value: 'allow_empty_topic', label: t.allow_empty_topic },
          { value: 'disable_empty_topic', label: t.disable_empty_topic },
          { value: 'empty_topic_only', label: t.empty_topic_only },
        ]}
      />
      <TextSetting
        name="default_code_block_language"
        label={t.default_code_block_language}
        note={t.codeNote}
        maxLength={80}
        isLatin
      />
      <FlagSetting name="inline_image_preview" label={t.inline_image_preview} />
      <FlagSetting name="enable_read_receipts" label={t.enable_read_receipts} />
      <FlagSetting name="send_channel_events_messages" label={t.send_channel_events_messages} />
    </Section>
  );
}

const NO_CALLS = 0;
const JITSI = 1;

function Calls() {
  const t = useTexts(texts);
  const provider = useSelect(
    useStore(),
    (state) => state.organization.settings['video_chat_provider'],
  );
  return (
    <Section title={t.calls}>
      <ChoiceSetting
        name="video_chat_provider"
        label={t.video_chat_provider}
        choices={[
          { value: NO_CALLS, label: t.noCalls },
          { value: JITSI, label: 'Jitsi Meet' },
        ]}
      />
      {provider === JITSI && (
        <TextSetting
          name="jitsi_server_url"
          label={t.jitsi_server_url}
          note={t.jitsiNote}
          maxLength={ADDRESS_MAX}
          isLatin
          toWire={(text) => (text === null || text === '' ? 'default' : text)}
        />
      )}
    </Section>
  );
}

const FACTOR_RULES = ['none', 'owners', 'administrators', 'members', 'everyone'] as const;

function Security() {
  const t = useTexts(texts);
  return (
    <Section title={t.security}>
      <SignInMethods />
      <ChoiceSetting
        name="second_factor_required"
        label={t.second_factor_required}
        note={t.factorNote}
        choices={FACTOR_RULES.map((value) => ({ value, label: t[`factor_${value}`] }))}
      />
    </Section>
  );
}
