import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Person } from '../../state/entities.ts';
import { useStore } from '../../state/react.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { texts } from './texts.ts';

const DELETIONS = [
  'delete_profile',
  'delete_public_channel_messages',
  'delete_private_channel_messages',
  'delete_direct_messages',
] as const;
type Deletion = (typeof DELETIONS)[number];

export function DeactivateDialog({
  person,
  onClose,
  onDone,
}: {
  readonly person: Person;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const t = useTexts(texts);
  const store = useStore();
  const [isTold, setTold] = useState(false);
  const [comment, setComment] = useState('');
  const [deletions, setDeletions] = useState<ReadonlySet<Deletion>>(new Set());
  const bots = [...store.state.people.values()].filter(
    ({ botOwnerId, isActive }) => botOwnerId === person.id && isActive,
  );
  const deactivate = useAct(async () => {
    await store.client.chat.deactivateUser({
      user_id: person.id,
      ...(isTold && { deactivation_notification_comment: comment.trim() }),
      ...(deletions.size > 0 && {
        actions: Object.fromEntries([...deletions].map((name) => [name, true])),
      }),
    });
    onDone();
  });
  return (
    <ConfirmDialog
      title={t.dialog({ name: person.fullName })}
      act={t.deactivate}
      mustType={person.fullName}
      isPending={deactivate.isRunning}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      onConfirm={() => void deactivate.run()}
    >
      <div className="flex flex-col gap-3">
        <FailureNotice what={t.notDeactivated} error={deactivate.error} />
        <p>
          {t.consequences} {bots.length > 0 && t.bots({ count: bots.length })}
        </p>
        <fieldset className="flex flex-col">
          <legend className="font-medium text-text">{t.alsoDelete}</legend>
          {DELETIONS.map((name) => (
            <Checkbox
              key={name}
              isSelected={deletions.has(name)}
              onChange={(isOn) =>
                setDeletions((before) => {
                  const after = new Set(before);
                  if (isOn) after.add(name);
                  else after.delete(name);
                  return after;
                })
              }
            >
              {t[name]}
            </Checkbox>
          ))}
        </fieldset>
        <Checkbox isSelected={isTold} onChange={setTold}>
          {t.tell}
        </Checkbox>
        {isTold && <TextArea label={t.comment} value={comment} onChange={setComment} rows={2} />}
      </div>
    </ConfirmDialog>
  );
}
