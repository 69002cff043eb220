// Who has read a message and lets others know.
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Message } from '../../state/entities.ts';
import { useStore } from '../../state/react.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PersonLine } from '../people/line.tsx';
import { dialogTexts } from './dialog-texts.ts';

/** More lines than this make the dialog slow; the count above them is of all. */
const SHOWN_MAX = 500;

export function ReadersDialog({
  message,
  onClose,
}: {
  readonly message: Message;
  readonly onClose: () => void;
}) {
  const t = useTexts(dialogTexts);
  const store = useStore();
  const { asked, again } = useAsked(`readers ${message.id}`, async () => {
    const { user_ids: ids } = await store.client.chat.getReadReceipts({ message_id: message.id });
    return ids;
  });
  return (
    <Dialog title={t.readersTitle} size="small" isOpen onOpenChange={onClose}>
      {asked.state === 'asking' && <Waiting />}
      {asked.state === 'failed' && (
        <FailureState what={t.readersFailed} error={asked.error} onRetry={again} />
      )}
      {asked.state === 'known' && <Readers ids={asked.value} />}
    </Dialog>
  );
}

function Readers({ ids }: { readonly ids: readonly number[] }) {
  const t = useTexts(dialogTexts);
  const { people } = useStore().state;
  const readers = ids
    .flatMap((id) => people.get(id) ?? [])
    .sort((a, b) => a.fullName.localeCompare(b.fullName));
  const count = ids.length;
  return (
    <>
      <p className="font-medium">{count === 0 ? t.readersNone : t.readersCount({ count })}</p>
      <ul data-readers="">
        {readers.slice(0, SHOWN_MAX).map((person) => (
          <li key={person.id}>
            <PersonLine person={person} />
          </li>
        ))}
      </ul>
      <p className="pt-2 text-small text-muted">{t.readersRule}</p>
    </>
  );
}

function Waiting() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-8 w-full" />
      <Skeleton className="h-8 w-full" />
    </div>
  );
}
