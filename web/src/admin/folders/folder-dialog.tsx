import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Folder } from '../../state/entities.ts';
import { useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { texts } from './texts.ts';

const NAME_MAX = 60;
const DESCRIPTION_MAX = 1024;

/** Makes a folder, or renames and describes one. */
export function FolderDialog({
  folder,
  onClose,
}: {
  readonly folder: Folder | undefined;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const { chat } = useStore().client;
  const [name, setName] = useState(folder?.name ?? '');
  const [description, setDescription] = useState(folder?.description ?? '');
  const [isTried, setTried] = useState(false);
  const isMissing = name.trim() === '';
  const save = useAct(async () => {
    setTried(true);
    if (isMissing) return;
    const facts = { name: name.trim(), description: description.trim() };
    if (folder === undefined) await chat.createChannelFolder(facts);
    else await chat.updateChannelFolder({ channel_folder_id: folder.id, ...facts });
    onClose();
  });
  return (
    <Dialog
      title={folder === undefined ? t.create : t.edit({ name: folder.name })}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button variant="primary" isPending={save.isRunning} onPress={() => void save.run()}>
            {folder === undefined ? t.create : t.save}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <FailureNotice what={t.notSaved} error={save.error} />
        <TextField
          label={t.name}
          value={name}
          onChange={setName}
          maxLength={NAME_MAX}
          isRequired
          autoFocus
          error={isTried && isMissing ? t.nameMissing : undefined}
        />
        <TextField
          label={t.description}
          value={description}
          onChange={setDescription}
          maxLength={DESCRIPTION_MAX}
        />
      </form>
    </Dialog>
  );
}
