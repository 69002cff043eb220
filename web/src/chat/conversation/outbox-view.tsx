// A message on its way: its text as it was written, and what is known of its fate.
import { useTexts } from '../../i18n/texts.ts';
import type { OutboxRow } from '../../state/outbox.ts';
import { ownPerson } from '../../state/select.ts';
import { useConnection, useSelect, useStore } from '../../state/react.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { composeBoxOf } from '../compose/box.ts';
import { DayLine } from './day-line.tsx';
import type { Row } from './rows.ts';
import { texts } from './texts.ts';

export function OutboxView({ row, sent }: { readonly row: Row; readonly sent: OutboxRow }) {
  const t = useTexts(texts);
  const store = useStore();
  const me = useSelect(store, ownPerson);
  const isFailed = sent.state === 'failed';
  const isOffline = useConnection(store).kind === 'offline';
  return (
    <>
      {row.day !== undefined && <DayLine at={row.day} />}
      <article
        aria-label={`${t.you}: ${sent.content}`}
        data-outbox={sent.localId}
        className={`grid grid-cols-[2.25rem_minmax(0,1fr)] gap-x-3 border-s-2 border-transparent px-3.5 max-tablet:px-2.5 ${
          row.startsSender ? 'mbs-1 pt-2 pb-0.5' : 'py-0.5'
        }`}
      >
        {row.startsSender ? (
          <span className="pt-0.5">
            <Avatar id={me?.id ?? 0} name={me?.fullName ?? ''} src={me?.avatarUrl ?? undefined} />
          </span>
        ) : (
          <span />
        )}
        <div className="min-w-0">
          {row.startsSender && (
            <div className="flex text-message font-semibold">
              <bdi className="truncate">{me?.fullName}</bdi>
            </div>
          )}
          <p className="max-w-[50rem] text-start text-message break-words whitespace-pre-wrap text-muted [unicode-bidi:plaintext]">
            {sent.content}
          </p>
          {isFailed ? (
            <Failed sent={sent} />
          ) : (
            (sent.state === 'sending' || sent.state === 'checking') && (
              <p className="flex items-center gap-1 text-tiny text-muted" role="status">
                <Icon name="clock" className="size-3.5" />
                {isOffline ? t.waiting : sent.state === 'sending' ? t.sending : t.checking}
              </p>
            )
          )}
        </div>
      </article>
    </>
  );
}

function Failed({ sent }: { readonly sent: OutboxRow }) {
  const t = useTexts(texts);
  const store = useStore();
  const discard = () => {
    const content = store.outbox.discard(sent.localId);
    const box = composeBoxOf(store);
    // The text comes back where it was written, unless something else is being written there.
    if (content !== undefined && box.isEmpty) {
      box.replyTo(sent.conversation);
      box.insert(content);
    }
  };
  return (
    <div
      className="mbs-1 flex flex-wrap items-center gap-2 rounded-control bg-danger-tint px-2.5 py-1.5 text-small"
      role="alert"
    >
      <Icon name="alert" className="size-4 text-danger" />
      <span className="min-w-0 flex-1">
        <span className="font-semibold text-danger">{t.notSent}</span> {sent.error?.message}
      </span>
      <Button size="small" onPress={() => store.outbox.retry(sent.localId)}>
        {t.retry}
      </Button>
      <Button size="small" variant="quiet" onPress={discard}>
        {t.discard}
      </Button>
    </div>
  );
}
