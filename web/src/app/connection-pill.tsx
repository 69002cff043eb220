// How fresh the page is: one word and an icon in the header, and the last word from the server behind it.
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { useConnection, useStore } from '../state/react.ts';
import type { Connection } from '../state/store.ts';
import { useOpener } from '../ui/opener.ts';
import { Pill, type PillTone } from '../ui/pill.tsx';
import { texts } from './texts.ts';

const ConnectionPopover = lazy(() => import('./connection-popover.tsx'));

const TONES: Readonly<Record<Connection['kind'], PillTone>> = {
  live: 'good',
  replaying: 'neutral',
  reconnecting: 'warning',
  offline: 'danger',
};

const ICONS = {
  live: 'check',
  replaying: 'busy',
  reconnecting: 'refresh',
  offline: 'offline',
} as const;

export function ConnectionPill() {
  const t = useTexts(texts);
  const { kind, sinceMs, left } = useConnection(useStore());
  const seconds = useSecondsSince(kind === 'reconnecting' ? sinceMs : undefined);
  const words = {
    live: t.live,
    offline: t.offline,
    reconnecting: t.reconnecting({ seconds }),
    replaying: t.replaying({ count: left }),
  };
  const { button, beside } = useOpener('dialog');
  return (
    <>
      <Pill tone={TONES[kind]} icon={ICONS[kind]} opener={button}>
        {words[kind]}
      </Pill>
      {beside !== undefined && (
        <Suspense>
          <ConnectionPopover {...beside} kind={kind} word={words[kind]} />
        </Suspense>
      )}
    </>
  );
}

function useSecondsSince(sinceMs: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (sinceMs === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [sinceMs]);
  return sinceMs === undefined ? 0 : Math.max(0, Math.round((now - sinceMs) / 1000));
}
