// What opens over a conversation for one message: its history, who has read it, moving it, deleting it.
import { useEffect, useState } from 'react';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import type { Message } from '../../state/entities.ts';
import { messageOf, personOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Banner } from '../../ui/banner.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { unwrapDifference } from '../content/difference.ts';
import { MessageContent } from '../content/message-content.tsx';
import { MoveTopicDialog } from '../topics/move-dialog.tsx';
import type { Over } from './context.tsx';
import { dialogTexts } from './dialog-texts.ts';
import { ReadersDialog } from './readers-dialog.tsx';
import { texts } from './texts.ts';
import { whyOf } from './use-acts.ts';

export function MessageDialogs({
  over,
  onClose,
}: {
  readonly over: Over;
  readonly onClose: () => void;
}) {
  const store = useStore();
  const message = useSelect(store, (state) => messageOf(state, over?.id ?? -1));
  if (over === undefined || message === undefined) return null;
  const props = { message, onClose };
  switch (over.kind) {
    case 'delete':
      return <DeleteDialog {...props} />;
    case 'move': {
      const at = message.conversation;
      if (at.kind !== 'topic') return null;
      return <MoveTopicDialog at={at} fromId={message.id} onClose={onClose} />;
    }
    case 'readers':
      return <ReadersDialog {...props} />;
    case 'history':
      return <HistoryDialog {...props} />;
  }
}

interface Props {
  readonly message: Message;
  readonly onClose: () => void;
}

function DeleteDialog({ message, onClose }: Props) {
  const t = { ...useTexts(texts), ...useTexts(dialogTexts) };
  const store = useStore();
  const [error, setError] = useState<string>();
  const [isPending, setPending] = useState(false);
  const remove = () => {
    setPending(true);
    store.client.chat
      .deleteMessage({ message_id: message.id })
      .then(onClose)
      .catch((failure: unknown) => {
        setPending(false);
        setError(whyOf(failure));
      });
  };
  return (
    <ConfirmDialog
      title={t.removeTitle}
      act={t.removeAct}
      onConfirm={remove}
      isPending={isPending}
      isOpen
      onOpenChange={onClose}
    >
      {t.removeText}
      {error !== undefined && <Banner tone="danger">{t.actFailed({ why: error })}</Banner>}
    </ConfirmDialog>
  );
}

/** A name may be of another direction than the sentence around it. */
const isolate = (name: string): string => `\u2068${name}\u2069`;

interface Version {
  readonly at: number;
  readonly userId: number | null;
  readonly html: string | undefined;
  readonly place: { readonly from: string; readonly to: string } | undefined;
}

function HistoryDialog({ message, onClose }: Props) {
  const t = { ...useTexts(texts), ...useTexts(dialogTexts) };
  const locale = useLocale();
  const store = useStore();
  const [versions, setVersions] = useState<readonly Version[]>();
  const [error, setError] = useState<string>();
  const { id } = message;
  useEffect(() => {
    let isOn = true;
    store.client.chat
      .getMessageHistory({ message_id: id })
      .then(({ message_history: history }) => {
        if (!isOn) return;
        setVersions(
          history.map((one) => ({
            at: one.timestamp,
            userId: one.user_id,
            html:
              (one.content_html_diff === undefined
                ? undefined
                : unwrapDifference(one.content_html_diff)) ??
              (one.prev_content === undefined && one.prev_topic !== undefined
                ? undefined
                : one.rendered_content),
            place:
              one.prev_topic === undefined ? undefined : { from: one.prev_topic, to: one.topic },
          })),
        );
      })
      .catch((failure: unknown) => isOn && setError(whyOf(failure)));
    return () => {
      isOn = false;
    };
  }, [store, id]);
  const nameOf = (userId: number | null) =>
    isolate((userId === null ? undefined : personOf(store.state, userId)?.fullName) ?? t.unknown);
  return (
    <Dialog title={t.historyTitle} isOpen onOpenChange={onClose}>
      {error !== undefined && <Banner tone="danger">{t.actFailed({ why: error })}</Banner>}
      {versions === undefined && error === undefined && <Skeleton className="h-24 w-full" />}
      <ol className="flex flex-col gap-4">
        {versions?.map((version, index) => (
          <li key={version.at + index} className="border-s-2 border-line ps-3">
            <p className="text-small text-muted">
              {index === 0
                ? t.historyFirst
                : version.html === undefined
                  ? t.historyMoved({ name: nameOf(version.userId) })
                  : t.historyEdited({ name: nameOf(version.userId) })}
              {' · '}
              {writeMoment(version.at * 1000, locale)}
            </p>
            {version.place !== undefined && (
              <p>
                {t.fromTo({ from: isolate(version.place.from), to: isolate(version.place.to) })}
              </p>
            )}
            {version.html !== undefined && (
              <MessageContent html={version.html} message={{ id, senderId: message.senderId }} />
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
