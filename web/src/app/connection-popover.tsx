// What the pill means, and when the server was last heard.
import { useEffect, useState } from 'react';
import { writeTime } from '../i18n/date.ts';
import { useLocale } from '../i18n/locale.tsx';
import { useTexts } from '../i18n/texts.ts';
import { useStore } from '../state/react.ts';
import type { Connection } from '../state/store.ts';
import type { BesideProps } from '../ui/opener.ts';
import { Popover, PopoverDialog } from '../ui/popover.tsx';
import { texts } from './texts.ts';

export default function ConnectionPopover({
  isOpen,
  onOpenChange,
  triggerRef,
  kind,
  word,
}: BesideProps & { readonly kind: Connection['kind']; readonly word: string }) {
  const t = useTexts(texts);
  const meanings = {
    live: t.liveMeans,
    offline: t.offlineMeans,
    reconnecting: t.reconnectingMeans,
    replaying: t.replayingMeans,
  };
  return (
    <Popover {...{ isOpen, onOpenChange, triggerRef }} placement="bottom end" className="w-72 p-4">
      <PopoverDialog aria-label={t.connection} className="flex flex-col gap-2 outline-none">
        <p className="font-medium">{word}</p>
        <p className="text-pretty text-muted">{meanings[kind]}</p>
        <LastEvent />
      </PopoverDialog>
    </Popover>
  );
}

/** Looked up anew each second while it is open: nobody is told of heartbeats alone. */
function LastEvent() {
  const t = useTexts(texts);
  const locale = useLocale();
  const store = useStore();
  const [at, setAt] = useState(store.connection.lastEventMs);
  useEffect(() => {
    const timer = setInterval(() => setAt(store.connection.lastEventMs), 1000);
    return () => clearInterval(timer);
  }, [store]);
  return (
    <p className="figures text-small text-muted">
      {at === undefined
        ? t.noEvent
        : t.lastEvent({ time: writeTime(at, locale, { hasSeconds: true }) })}
    </p>
  );
}
