// Deletes a whole topic. The server does it in parts, so it can be stopped, and it may end half done.
import { useRef, useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import { emptyTopicName } from '../../state/select.ts';
import { useStore } from '../../state/react.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { deleteTopic, type Ended, type TopicAt } from './acts.ts';
import { texts } from './texts.ts';

export interface DeleteTopicDialogProps {
  readonly at: TopicAt;
  readonly onClose: () => void;
}

export function DeleteTopicDialog({ at, onClose }: DeleteTopicDialogProps) {
  const t = useTexts(texts);
  const store = useStore();
  const toasts = useToasts();
  const [ended, setEnded] = useState<Ended>();
  const stop = useRef<AbortController>(undefined);
  const remove = useAct(async () => {
    stop.current = new AbortController();
    const how = await deleteTopic(store.client.chat, at, stop.current.signal);
    setEnded(how);
    if (how !== 'done') return;
    toasts.show({ text: t.deleted });
    onClose();
  });
  const name = at.topic === '' ? emptyTopicName(store.state) : at.topic;
  const isBegun = remove.isRunning || ended !== undefined;
  if (!isBegun) {
    return (
      <ConfirmDialog
        title={t.deleteTitle}
        act={t.deleteAct}
        mustType={name}
        isOpen
        onOpenChange={(isOpen) => isOpen || onClose()}
        onConfirm={() => void remove.run()}
      >
        <FailureNotice what={t.notDeleted} error={remove.error} />
        <p>{t.deleteWhat}</p>
      </ConfirmDialog>
    );
  }
  return (
    <Dialog
      title={t.deleteTitle}
      size="small"
      isAlert
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        remove.isRunning ? (
          <Button onPress={() => stop.current?.abort()}>{t.stop}</Button>
        ) : (
          <>
            <Button onPress={onClose}>{t.cancel}</Button>
            <Button variant="danger" onPress={() => void remove.run()}>
              {t.goOn}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <FailureNotice what={t.notDeleted} error={remove.error} />
        {remove.isRunning ? (
          <ProgressBar label={t.deleting} />
        ) : (
          <Banner tone="warning">{t.partDeleted}</Banner>
        )}
      </div>
    </Dialog>
  );
}
