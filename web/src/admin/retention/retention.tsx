// For how long messages are kept, in the whole organization and in channels with a rule of their own.
import { useState } from 'react';
import { useAct } from '../../asked/use-act.ts';
import { FailureNotice } from '../../asked/failure.tsx';
import { RetentionField } from '../../chat/channels/retention-field.tsx';
import {
  FOR_EVER,
  isShortening,
  retentionText,
  type Retention,
} from '../../chat/channels/retention.ts';
import { ShorteningDialog } from '../../chat/channels/shortening-dialog.tsx';
import { ChannelMark } from '../../chat/place/name.tsx';
import { isAtLeast, OWNER } from '../../chat/rights/rights.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { derive } from '../../state/derive.ts';
import type { Channel } from '../../state/entities.ts';
import { channels } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { ReadOnlyNotice } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { Row } from '../setting/fields.tsx';
import { useRealmSetting } from '../setting/realm.ts';
import { texts as settingTexts } from '../setting/texts.ts';
import { texts } from './texts.ts';

const living = derive(['channels'], (state): readonly Channel[] =>
  channels(state).filter(({ isArchived }) => !isArchived),
);
/** Archived ones too: their messages are deleted like others. */
const ruled = derive(['channels'], (state): readonly Channel[] =>
  channels(state).filter(({ retentionDays }) => retentionDays !== null),
);

export default function RetentionPage() {
  const t = useTexts(texts);
  const common = useTexts(settingTexts);
  const isOwner = useSelect(useStore(), (state) => isAtLeast(state, OWNER));
  return (
    <>
      {!isOwner && <ReadOnlyNotice>{common.onlyOwnersPage}</ReadOnlyNotice>}
      <Section title={t.organization} note={t.organizationNote}>
        <OrganizationRule />
      </Section>
      <Section title={t.channels} note={t.channelsNote}>
        <ChannelRules mayChange={isOwner} />
      </Section>
    </>
  );
}

function OrganizationRule() {
  const t = useTexts(texts);
  const setting = useRealmSetting<number>('message_retention_days', (days) => retentionText(days));
  const [typed, setTyped] = useState<Retention>(null);
  const [isAsked, setAsked] = useState(false);
  // Null stands for what is saved: the organization has nobody to inherit from.
  const chosen = typed === null ? setting.value : typed;
  const isChanged = chosen !== undefined && chosen !== setting.value;
  const save = async () => {
    if (chosen === undefined) return;
    if (await setting.save(chosen)) {
      setTyped(null);
      setAsked(false);
    }
  };
  return (
    <Row setting={isAsked ? { ...setting, error: undefined } : setting}>
      <form
        className="flex max-w-xl flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isChanged) return;
          if (isShortening(setting.value, chosen, FOR_EVER)) setAsked(true);
          else void save();
        }}
      >
        <RetentionField
          value={chosen}
          onChange={setTyped}
          isDisabled={!setting.mayChange || setting.isSaving}
          isOfOrganization
        />
        {setting.mayChange && (
          <Button
            type="submit"
            variant="primary"
            className="self-start"
            isPending={setting.isSaving}
            isDisabled={!isChanged}
          >
            {t.save}
          </Button>
        )}
      </form>
      {isAsked && isChanged && (
        <ShorteningDialog
          days={chosen}
          isPending={setting.isSaving}
          error={setting.error}
          onConfirm={() => void save()}
          onClose={() => setAsked(false)}
        />
      )}
    </Row>
  );
}

function ChannelRules({ mayChange }: { readonly mayChange: boolean }) {
  const t = useTexts(texts);
  const store = useStore();
  const all = useSelect(store, ruled);
  const others = useSelect(store, living);
  const [edited, setEdited] = useState<string | null>(null);
  const channel = edited === null ? undefined : store.state.channels.get(Number(edited));
  return (
    <div className="flex flex-col gap-4">
      {all.length === 0 && <p className="text-muted">{t.noRules}</p>}
      <ul aria-label={t.channels} className="flex flex-col gap-2">
        {all.map((one) => (
          <li
            key={one.id}
            className="flex flex-wrap items-center gap-2 rounded-control border border-line px-3 py-1.5"
          >
            <ChannelMark channel={one} />
            <span className="min-w-24 flex-1 break-words">
              <bdi>{one.name}</bdi>
            </span>
            <span className="text-muted">
              {one.retentionDays === FOR_EVER
                ? t.forever
                : t.days({ count: one.retentionDays ?? 0 })}
            </span>
            {mayChange && (
              <Button
                size="small"
                aria-label={t.changeOf({ name: one.name })}
                onPress={() => setEdited(String(one.id))}
              >
                {t.change}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <div className="flex max-w-xl flex-col gap-3 border-t border-line pt-3">
          <Select
            label={t.channel}
            placeholder={t.chooseChannel}
            value={edited}
            onChange={setEdited}
            choices={others.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
          {channel !== undefined && (
            <ChannelRule key={channel.id} channel={channel} onDone={() => setEdited(null)} />
          )}
        </div>
      )}
    </div>
  );
}

function ChannelRule({
  channel,
  onDone,
}: {
  readonly channel: Channel;
  readonly onDone: () => void;
}) {
  const t = useTexts(texts);
  const store = useStore();
  const toasts = useToasts();
  const inherited = useSelect(store, (state) =>
    Number(state.organization.settings['message_retention_days']),
  );
  const [days, setDays] = useState<Retention>(channel.retentionDays);
  const [isAsked, setAsked] = useState(false);
  const isChanged = days !== undefined && days !== channel.retentionDays;
  const save = useAct(async () => {
    if (days === undefined) return;
    await store.client.chat.updateChannel({
      stream_id: channel.id,
      message_retention_days: retentionText(days),
    });
    toasts.show({ tone: 'success', text: t.saved({ name: channel.name }) });
    onDone();
  });
  return (
    <>
      {!isAsked && <FailureNotice what={t.notSaved} error={save.error} />}
      <RetentionField value={days} onChange={setDays} />
      <Button
        variant="primary"
        className="self-start"
        isPending={save.isRunning}
        isDisabled={!isChanged}
        onPress={() => {
          if (!isChanged) return;
          if (isShortening(channel.retentionDays, days, inherited)) setAsked(true);
          else void save.run();
        }}
      >
        {t.saveOf({ name: channel.name })}
      </Button>
      {isAsked && isChanged && (
        <ShorteningDialog
          where={channel.name}
          days={days ?? inherited}
          isPending={save.isRunning}
          error={save.error}
          onConfirm={() => void save.run()}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
