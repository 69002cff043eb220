// The organization's own emoji.
import { useId, useRef, useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { ADMINISTRATOR, isAtLeast, mayInOrganization } from '../../chat/rights/rights.ts';
import { useTexts } from '../../i18n/texts.ts';
import { derive } from '../../state/derive.ts';
import type { CustomEmoji } from '../../state/entities.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { texts } from './texts.ts';

const activeEmoji = derive(['emoji'], (state): readonly CustomEmoji[] =>
  [...state.emoji.values()]
    .filter(({ isDeactivated }) => !isDeactivated)
    .sort((a, b) => a.name.localeCompare(b.name)),
);

export default function EmojiPage() {
  const t = useTexts(texts);
  const store = useStore();
  const { chat } = store.client;
  const all = useSelect(store, activeEmoji);
  const [ended, setEnded] = useState<CustomEmoji>();
  const isAdmin = isAtLeast(store.state, ADMINISTRATOR);
  const remove = useAct(async (one: CustomEmoji) => {
    await chat.deactivateCustomEmoji({ emoji_name: one.name });
    setEnded(undefined);
  });
  return (
    <>
      <p className="text-muted">{t.about}</p>
      {(isAdmin || mayInOrganization(store.state, 'can_add_custom_emoji_group')) && <AddEmoji />}
      {all.length === 0 && <EmptyState icon="emoji">{t.none}</EmptyState>}
      <ul className="grid gap-2 tablet:grid-cols-2">
        {all.map((one) => {
          const author =
            one.authorId === null ? undefined : store.state.people.get(one.authorId)?.fullName;
          return (
            <li
              key={one.id}
              className="flex items-center gap-3 rounded-panel border border-line bg-panel px-4 py-2"
            >
              <img src={one.sourceUrl} alt="" className="size-8 object-contain" />
              <span className="flex min-w-0 flex-1 flex-col">
                <bdi dir="ltr" className="truncate font-mono">
                  :{one.name}:
                </bdi>
                {author !== undefined && (
                  <span className="truncate text-small text-muted">{t.by({ name: author })}</span>
                )}
              </span>
              {(isAdmin || one.authorId === store.state.own.userId) && (
                <IconButton
                  icon="trash"
                  label={t.remove({ name: one.name })}
                  onPress={() => setEnded(one)}
                />
              )}
            </li>
          );
        })}
      </ul>
      {ended !== undefined && (
        <ConfirmDialog
          title={t.removeTitle}
          act={t.removeTitle}
          isPending={remove.isRunning}
          isOpen
          onOpenChange={(isOpen) => isOpen || setEnded(undefined)}
          onConfirm={() => void remove.run(ended)}
        >
          <FailureNotice what={t.notRemoved} error={remove.error} />
          <p>{t.removeWhat}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function AddEmoji() {
  const t = useTexts(texts);
  const { chat } = useStore().client;
  const [labelId, chosenId] = [useId(), useId()];
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [file, setFile] = useState<File>();
  const isWrong = name !== '' && !/^[a-z0-9_]+$/.test(name);
  const add = useAct(async () => {
    if (file === undefined) return;
    await chat.uploadCustomEmoji({ emoji_name: name, file });
    setName('');
    setFile(undefined);
    if (field.current !== null) field.current.value = '';
  });
  return (
    <section
      aria-label={t.add}
      className="flex flex-col gap-4 rounded-panel border border-line bg-panel p-4"
    >
      <FailureNotice what={t.notSaved} error={add.error} />
      <div className="grid gap-4 tablet:grid-cols-2">
        <TextField
          label={t.name}
          description={t.nameHelp}
          value={name}
          onChange={setName}
          isLatin
          error={isWrong ? t.nameWrong : undefined}
        />
        <div className="flex flex-col gap-1.5">
          <span id={labelId} className="text-small font-medium">
            {t.picture}
          </span>
          {/* The browser's own button speaks the browser's language. */}
          <span className="flex min-w-0 items-center gap-2.5">
            <Button
              icon="upload"
              aria-describedby={`${labelId} ${chosenId}`}
              onPress={() => field.current?.click()}
            >
              {t.choose}
            </Button>
            <bdi id={chosenId} className="truncate text-muted">
              {file?.name ?? t.notChosen}
            </bdi>
          </span>
          <input
            ref={field}
            type="file"
            hidden
            accept="image/png,image/gif,image/jpeg,image/webp"
            onChange={(event) => setFile(event.target.files?.[0])}
          />
          <span className="text-small text-muted">{t.pictureHelp}</span>
        </div>
      </div>
      <Button
        variant="primary"
        className="self-end"
        isPending={add.isRunning}
        isDisabled={name === '' || isWrong || file === undefined}
        onPress={() => void add.run()}
      >
        {t.add}
      </Button>
    </section>
  );
}
