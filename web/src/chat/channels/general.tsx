import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Channel } from '../../state/entities.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ReadOnlyNotice } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { isAtLeast, mayAdminister, OWNER } from '../rights/rights.ts';
import { changeOf, formOf, type ChannelForm } from './change.ts';
import { FolderField, PermissionFields, PolicyField, PrivacyField } from './fields.tsx';
import { RetentionField } from './retention-field.tsx';
import { isShortening } from './retention.ts';
import { ShorteningDialog } from './shortening-dialog.tsx';
import { texts } from './texts.ts';

/** What the channel is; its administrators change it here. */
export function ChannelGeneral({ channel }: { readonly channel: Channel }) {
  const t = useTexts(texts);
  const store = useStore();
  const toasts = useToasts();
  const { chat } = store.client;
  const mayChange = useSelect(store, (state) => mayAdminister(state, channel.id));
  const isOwner = useSelect(store, (state) => isAtLeast(state, OWNER));
  const inherited = useSelect(store, (state) =>
    Number(state.organization.settings['message_retention_days']),
  );
  const isFixed = !mayChange || channel.isArchived;
  // What was typed; the rest follows the channel while others change it.
  const [typed, setTyped] = useState<Partial<ChannelForm>>({});
  const form: ChannelForm = { ...formOf(channel), ...typed };
  const change = changeOf(channel, form);
  const set = (part: Partial<ChannelForm>) => setTyped((before) => ({ ...before, ...part }));
  const [isAsked, setShortening] = useState(false);
  const isShorter =
    form.retention !== undefined && isShortening(channel.retentionDays, form.retention, inherited);
  const save = useAct(async () => {
    if (change === undefined) return;
    await chat.updateChannel(change);
    setShortening(false);
    setTyped({});
    toasts.show({ tone: 'success', text: t.saved });
  });
  const [isArchiving, setArchiving] = useState(false);
  const archive = useAct(async () => {
    if (channel.isArchived) await chat.updateChannel({ stream_id: channel.id, is_archived: false });
    else await chat.archiveChannel({ stream_id: channel.id });
    setArchiving(false);
  });
  return (
    <div className="flex flex-col gap-4">
      {!mayChange && <ReadOnlyNotice>{t.onlyAdmins}</ReadOnlyNotice>}
      <FailureNotice what={t.notSaved} error={save.error ?? archive.error} />
      <TextField
        label={t.name}
        value={form.name}
        onChange={(name) => set({ name })}
        isDisabled={isFixed}
        error={form.name.trim() === '' ? t.nameMissing : undefined}
      />
      <TextArea
        label={t.description}
        value={form.description}
        onChange={(description) => set({ description })}
        isDisabled={isFixed}
        rows={2}
      />
      <PrivacyField
        value={form.privacy}
        onChange={(privacy) => set({ privacy })}
        isDisabled={isFixed}
      />
      <div className="grid gap-4 tablet:grid-cols-2">
        <FolderField
          value={form.folderId}
          onChange={(folderId) => set({ folderId })}
          isDisabled={isFixed}
        />
        <PolicyField
          value={form.policy}
          onChange={(policy) => set({ policy })}
          isDisabled={isFixed}
        />
      </div>
      <RetentionField
        value={form.retention}
        onChange={(retention) => set({ retention })}
        isDisabled={isFixed || !isOwner}
        description={isOwner ? undefined : t.retentionOwners}
      />
      <Switch
        isSelected={form.isPushed}
        onChange={(isPushed) => set({ isPushed })}
        isDisabled={isFixed}
      >
        {t.push}
      </Switch>
      <h2 className="pt-2 text-title font-semibold">{t.permissions}</h2>
      <PermissionFields
        values={form.permissions}
        onChange={(name, value) => set({ permissions: { ...form.permissions, [name]: value } })}
        isDisabled={isFixed}
      />
      {mayChange && (
        <div className="sticky bottom-0 flex flex-wrap justify-between gap-2 border-t border-line bg-background py-3">
          <Button
            variant={channel.isArchived ? 'secondary' : 'quiet'}
            isPending={archive.isRunning}
            onPress={() => (channel.isArchived ? void archive.run() : setArchiving(true))}
          >
            {channel.isArchived ? t.unarchive : t.archive}
          </Button>
          <Button
            variant="primary"
            isPending={save.isRunning}
            isDisabled={
              change === undefined || form.name.trim() === '' || form.retention === undefined
            }
            onPress={() => (isShorter ? setShortening(true) : void save.run())}
          >
            {t.save}
          </Button>
        </div>
      )}
      {isAsked && isShorter && (
        <ShorteningDialog
          where={channel.name}
          days={form.retention ?? inherited}
          isPending={save.isRunning}
          error={save.error}
          onConfirm={() => void save.run()}
          onClose={() => setShortening(false)}
        />
      )}
      {isArchiving && (
        <ConfirmDialog
          title={t.archive}
          act={t.archive}
          mustType={channel.name}
          isPending={archive.isRunning}
          isOpen
          onOpenChange={setArchiving}
          onConfirm={() => void archive.run()}
        >
          {t.archiveWhat}
        </ConfirmDialog>
      )}
    </div>
  );
}
