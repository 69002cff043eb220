// Messages that leave later; those that could not leave stand first.
import { useState } from 'react';
import { useAct } from '../../asked/use-act.ts';
import { writeMoment, writeUtc } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import type { Scheduled as ScheduledMessage } from '../../state/entities.ts';
import { scheduledMessages } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { FailureNotice } from '../../asked/failure.tsx';
import { conversationHref, RECENT_HREF } from '../place/address.ts';
import { WaitingItem } from './item.tsx';
import { ListPage, moveByKey } from './page.tsx';
import { texts } from './texts.ts';
import { TimeDialog } from './time-dialog.tsx';

export function Scheduled() {
  const t = useTexts(texts);
  const store = useStore();
  const toasts = useToasts();
  const messages = useSelect(store, scheduledMessages);
  const [editedId, setEditedId] = useState<number>();
  const edited = messages.find(({ id }) => id === editedId);
  const { chat } = store.client;

  const reschedule = useAct(async (message: ScheduledMessage, atMs: number) => {
    await chat.updateScheduledMessage({
      scheduled_message_id: message.id,
      scheduled_delivery_timestamp: Math.floor(atMs / 1000),
    });
    setEditedId(undefined);
  });
  const remove = useAct(async (message: ScheduledMessage) => {
    await chat.deleteScheduledMessage({ scheduled_message_id: message.id });
    const isToCome = message.deliverAt * 1000 > Date.now();
    toasts.show({
      text: t.scheduledDeleted,
      ...(isToCome && {
        action: { label: t.undo, onPress: () => void chat.createScheduledMessage(again(message)) },
      }),
    });
  });

  return (
    <ListPage title={t.scheduled}>
      <FailureNotice what={t.notDeleted} error={remove.error} />
      {messages.length === 0 && (
        <EmptyState
          icon="schedule"
          action={<LinkButton href={RECENT_HREF}>{t.openRecent}</LinkButton>}
        >
          {t.noScheduled}
        </EmptyState>
      )}
      <ul className="flex flex-col gap-2" onKeyDown={moveByKey}>
        {messages.map((message) => (
          <Item
            key={message.id}
            message={message}
            onEdit={() => setEditedId(message.id)}
            onDelete={() => void remove.run(message)}
          />
        ))}
      </ul>
      {edited !== undefined && (
        <TimeDialog
          title={edited.hasFailed ? t.reschedule : t.editTime}
          atMs={edited.deliverAt * 1000}
          isPending={reschedule.isRunning}
          notice={<FailureNotice what={t.notRescheduled} error={reschedule.error} />}
          onChoose={(atMs) => void reschedule.run(edited, atMs)}
          onClose={() => {
            setEditedId(undefined);
            reschedule.forget();
          }}
        />
      )}
    </ListPage>
  );
}

function Item({
  message,
  onEdit,
  onDelete,
}: {
  readonly message: ScheduledMessage;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const store = useStore();
  const { conversation, content, deliverAt, hasFailed } = message;
  const when = writeMoment(deliverAt * 1000, locale);
  return (
    <WaitingItem
      destination={conversation}
      content={content}
      hasFailed={hasFailed}
      href={conversationHref(store.state, conversation)}
      when={
        hasFailed ? (
          <Badge tone="danger">{t.failed}</Badge>
        ) : (
          <time
            dateTime={new Date(deliverAt * 1000).toISOString()}
            title={writeUtc(deliverAt * 1000)}
          >
            {t.sendsAt({ when })}
          </time>
        )
      }
      notice={hasFailed && <p className="text-small text-danger">{t.failedWhy({ when })}</p>}
      actions={
        <>
          <Button
            size="small"
            icon="clock"
            variant={hasFailed ? 'primary' : 'quiet'}
            onPress={onEdit}
          >
            {hasFailed ? t.reschedule : t.editTime}
          </Button>
          <IconButton icon="trash" size="small" label={t.deleteScheduled} onPress={onDelete} />
        </>
      }
    />
  );
}

const again = ({ conversation, content, deliverAt }: ScheduledMessage) => ({
  content,
  scheduled_delivery_timestamp: deliverAt,
  ...(conversation.kind === 'topic'
    ? { type: 'channel' as const, to: conversation.channelId, topic: conversation.topic }
    : { type: 'direct' as const, to: conversation.userIds }),
});
