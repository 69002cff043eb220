// Who the person is to others: name, picture, status, time zone, and the fields of the organization.
import { useRef, useState, type FormEvent } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { ownPerson, statusOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Section } from '../section.tsx';
import { commonTexts } from '../texts.ts';
import { useAct } from '../use-act.ts';
import { CustomFields } from './custom-fields.tsx';
import { texts } from './texts.ts';

export default function Profile() {
  const t = useTexts(texts);
  return (
    <>
      <Section title={t.person}>
        <Picture />
        <NameForm />
      </Section>
      <Section title={t.status} note={t.statusNote}>
        <StatusForm />
      </Section>
      <Section title={t.timezone} note={t.timezoneNote}>
        <TimezoneForm />
      </Section>
      <CustomFields />
    </>
  );
}

function Picture() {
  const t = useTexts(texts);
  const store = useStore();
  const { chat, boot } = store.client;
  const own = useSelect(store, ownPerson);
  const { run, isPending } = useAct();
  const input = useRef<HTMLInputElement>(null);
  const upload = (file: File | undefined) => {
    if (file !== undefined) void run(() => chat.setAvatar({ file }), t.pictureChanged);
  };
  return (
    <div className="flex flex-wrap items-center gap-4">
      <Avatar
        id={boot.user.id}
        name={own?.fullName ?? boot.user.fullName}
        src={own?.avatarUrl ?? undefined}
        size="large"
      />
      <div className="flex flex-col gap-2">
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            icon="upload"
            isPending={isPending}
            onPress={() => input.current?.click()}
          >
            {t.upload}
          </Button>
          <Button
            size="small"
            variant="quiet"
            isDisabled={isPending}
            onPress={() => void run(() => chat.removeAvatar(), t.pictureChanged)}
          >
            {t.removePicture}
          </Button>
        </div>
        <p className="text-small text-muted">{t.uploadNote}</p>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        tabIndex={-1}
        aria-hidden
        onChange={({ target }) => {
          upload(target.files?.[0]);
          target.value = '';
        }}
      />
    </div>
  );
}

function NameForm() {
  const t = useTexts(texts);
  const common = useTexts(commonTexts);
  const store = useStore();
  const known = useSelect(store, (state) => ownPerson(state)?.fullName) ?? '';
  const isFixed = useSelect(
    store,
    ({ organization }) => organization.settings['name_changes_disabled'] === true,
  );
  const { run, isPending } = useAct();
  const [name, setName] = useState(known);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(() => store.client.chat.updateSettings({ full_name: name.trim() }), common.saved);
  };
  return (
    <form onSubmit={submit} className="flex max-w-md flex-wrap items-end gap-2">
      <TextField
        label={t.name}
        value={name}
        onChange={setName}
        maxLength={100}
        autoComplete="name"
        isDisabled={isFixed}
        description={isFixed ? t.nameFixed : undefined}
        className="min-w-48 flex-1"
      />
      <Button
        type="submit"
        isPending={isPending}
        isDisabled={isFixed || name.trim() === '' || name.trim() === known}
      >
        {common.save}
      </Button>
    </form>
  );
}

const STATUS_MAX = 60;
const IDEAS = ['meeting', 'away', 'focus', 'vacation'] as const;

function StatusForm() {
  const t = useTexts(texts);
  const store = useStore();
  const known = useSelect(store, (state) => statusOf(state, state.own.userId)?.text) ?? '';
  const { run, isPending } = useAct();
  const [text, setText] = useState(known);
  const set = (status: string) => {
    setText(status);
    void run(() => store.client.chat.updateStatus({ status_text: status }), t.statusSet);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        set(text.trim());
      }}
      className="flex flex-col gap-3"
    >
      <div className="flex max-w-md flex-wrap items-end gap-2">
        <TextField
          label={t.statusText}
          value={text}
          onChange={setText}
          maxLength={STATUS_MAX}
          className="min-w-48 flex-1"
        />
        <Button type="submit" isPending={isPending} isDisabled={text.trim() === known}>
          {t.setStatus}
        </Button>
      </div>
      <div className="flex flex-wrap gap-2">
        {IDEAS.map((idea) => (
          <Button key={idea} size="small" variant="secondary" onPress={() => set(t[idea])}>
            {t[idea]}
          </Button>
        ))}
        {known !== '' && (
          <Button size="small" variant="quiet" onPress={() => set('')}>
            {t.clearStatus}
          </Button>
        )}
      </div>
    </form>
  );
}

const ZONES = Intl.supportedValuesOf('timeZone');
const DEVICE_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

function TimezoneForm() {
  const t = useTexts(texts);
  const common = useTexts(commonTexts);
  const store = useStore();
  const known = useSelect(store, (state) => ownPerson(state)?.timezone) ?? '';
  const { run, isPending } = useAct();
  const set = (timezone: string) =>
    void run(() => store.client.chat.updateSettings({ timezone }), common.saved);
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Select
        label={t.timezone}
        isLabelHidden
        className="w-full max-w-xs"
        value={known === '' ? null : known}
        onChange={set}
        choices={ZONES.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      />
      {known !== DEVICE_ZONE && (
        <Button isPending={isPending} onPress={() => set(DEVICE_ZONE)}>
          {t.useDevice({ zone: DEVICE_ZONE })}
        </Button>
      )}
    </div>
  );
}
