// Folders that group channels in everybody's navigation: their names, their order, and those that are put away.
import { useState, type ReactNode } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { ADMINISTRATOR, isAtLeast } from '../../chat/rights/rights.ts';
import { useTexts } from '../../i18n/texts.ts';
import { derive } from '../../state/derive.ts';
import type { Folder } from '../../state/entities.ts';
import { folders } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ReadOnlyNotice } from '../../ui/states.tsx';
import { texts as settingTexts } from '../setting/texts.ts';
import { FolderDialog } from './folder-dialog.tsx';
import { movedOrder } from './order.ts';
import { texts } from './texts.ts';

/** How many channels the person sees in each folder. */
const channelCounts = derive(['channels'], (state): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const { folderId, isArchived } of state.channels.values()) {
    if (folderId === null || isArchived) continue;
    counts.set(folderId, (counts.get(folderId) ?? 0) + 1);
  }
  return counts;
});

export default function FoldersPage() {
  const t = useTexts(texts);
  const common = useTexts(settingTexts);
  const store = useStore();
  const { chat } = store.client;
  const all = useSelect(store, folders);
  const counts = useSelect(store, channelCounts);
  const isAdmin = useSelect(store, (state) => isAtLeast(state, ADMINISTRATOR));
  const shown = all.filter(({ isArchived }) => !isArchived);
  const archived = all.filter(({ isArchived }) => isArchived);
  const [edited, setEdited] = useState<Folder | 'new'>();
  const [ended, setEnded] = useState<Folder>();
  const move = useAct((index: number, step: 1 | -1) =>
    chat.reorderChannelFolders({
      order: movedOrder(
        shown.map(({ id }) => id),
        archived.map(({ id }) => id),
        index,
        step,
      ),
    }),
  );
  const archive = useAct(async (folder: Folder, is_archived: boolean) => {
    await chat.updateChannelFolder({ channel_folder_id: folder.id, is_archived });
    setEnded(undefined);
  });
  return (
    <>
      {!isAdmin && <ReadOnlyNotice>{common.onlyAdmins}</ReadOnlyNotice>}
      <p className="text-muted">{t.about}</p>
      {isAdmin && (
        <Button
          variant="primary"
          icon="add"
          className="self-start"
          onPress={() => setEdited('new')}
        >
          {t.create}
        </Button>
      )}
      <FailureNotice what={t.notMoved} error={move.error} />
      {shown.length === 0 && <EmptyState icon="folder">{t.none}</EmptyState>}
      <ol aria-label={t.title} className="flex flex-col gap-2">
        {shown.map((folder, index) => (
          <FolderRow key={folder.id} folder={folder} count={counts.get(folder.id) ?? 0}>
            {isAdmin && (
              <span className="flex">
                <IconButton
                  icon="arrowUp"
                  label={t.up({ name: folder.name })}
                  isDisabled={index === 0 || move.isRunning}
                  onPress={() => void move.run(index, -1)}
                />
                <IconButton
                  icon="arrowDown"
                  label={t.down({ name: folder.name })}
                  isDisabled={index === shown.length - 1 || move.isRunning}
                  onPress={() => void move.run(index, 1)}
                />
                <IconButton
                  icon="edit"
                  label={t.edit({ name: folder.name })}
                  onPress={() => setEdited(folder)}
                />
                <IconButton
                  icon="trash"
                  label={t.archive({ name: folder.name })}
                  onPress={() => setEnded(folder)}
                />
              </span>
            )}
          </FolderRow>
        ))}
      </ol>
      {archived.length > 0 && (
        <details>
          <summary className="min-h-control content-center font-medium">
            {t.archived({ count: archived.length })}
          </summary>
          <ul className="flex flex-col gap-2 pt-2">
            {archived.map((folder) => (
              <FolderRow key={folder.id} folder={folder} count={counts.get(folder.id) ?? 0}>
                {isAdmin && (
                  <Button
                    size="small"
                    isPending={archive.isRunning}
                    onPress={() => void archive.run(folder, false)}
                  >
                    {t.bringBack}
                  </Button>
                )}
              </FolderRow>
            ))}
          </ul>
        </details>
      )}
      {ended === undefined && <FailureNotice what={t.notArchived} error={archive.error} />}
      {edited !== undefined && (
        <FolderDialog
          folder={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {ended !== undefined && (
        <ConfirmDialog
          title={t.archive({ name: ended.name })}
          act={t.archiveAct}
          isPending={archive.isRunning}
          isOpen
          onOpenChange={(isOpen) => isOpen || setEnded(undefined)}
          onConfirm={() => void archive.run(ended, true)}
        >
          <FailureNotice what={t.notArchived} error={archive.error} />
          <p>{t.archiveWhat}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function FolderRow({
  folder: { name, description },
  count,
  children,
}: {
  readonly folder: Folder;
  readonly count: number;
  readonly children: ReactNode;
}) {
  const t = useTexts(texts);
  return (
    <li className="flex flex-wrap items-center gap-x-3 rounded-panel border border-line bg-panel px-4 py-2">
      <Icon name="folder" className="size-5 text-muted" />
      <span className="flex min-w-32 flex-1 flex-col">
        <span className="font-medium break-words">
          <bdi>{name}</bdi>
        </span>
        {description !== '' && (
          <span className="text-small break-words text-muted">
            <bdi>{description}</bdi>
          </span>
        )}
        <span className="text-small text-muted">{t.channels({ count })}</span>
      </span>
      {children}
    </li>
  );
}
