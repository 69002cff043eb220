// Short notices at the edge of the page about what the person just did. What must not be missed is a Banner.
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { useAnnouncer } from './announcer.tsx';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { IconButton } from './icon-button.tsx';
import { Icon } from './icon.tsx';
import { texts } from './texts.ts';

export interface Toast {
  readonly text: string;
  readonly tone?: 'info' | 'success' | 'danger';
  /** One act, as "Undo". A notice with an act stays until it is closed. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

interface Shown extends Toast {
  readonly id: number;
}

const SHOWN_MAX = 3;
const SHOWN_MS = 6000;

/** The notices of one page. */
export interface Toasts {
  show: (toast: Toast) => void;
  close: (id: number) => void;
  subscribe: (listener: () => void) => () => void;
  shown: () => readonly Shown[];
}

export function createToasts(): Toasts {
  let shown: readonly Shown[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();
  const set = (next: readonly Shown[]) => {
    shown = next;
    for (const listener of listeners) listener();
  };
  return {
    // The oldest makes room.
    show: (toast) => set([...shown, { ...toast, id: (lastId += 1) }].slice(-SHOWN_MAX)),
    close: (id) => set(shown.filter((toast) => toast.id !== id)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    shown: () => shown,
  };
}

/** Stands once on the page. */
export function ToastRegion({ toasts }: { toasts: Toasts }) {
  const t = useTexts(texts);
  const shown = useSyncExternalStore(toasts.subscribe, toasts.shown);
  return (
    <div
      role="region"
      aria-label={t.notices}
      className="pointer-events-none fixed inset-x-0 bottom-0 z-60 flex flex-col items-center gap-2 p-4 max-tablet:pb-20 tablet:items-end"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} toasts={toasts} />
      ))}
    </div>
  );
}

const icons = { info: 'info', success: 'check', danger: 'alert' } as const;
const tones = { info: 'text-accent', success: 'text-success', danger: 'text-danger' } as const;

function ToastCard({ toast, toasts }: { toast: Shown; toasts: Toasts }) {
  const t = useTexts(texts);
  const announcer = useAnnouncer();
  const [isHeld, setHeld] = useState(false);
  const { id, text, tone = 'info', action } = toast;
  useEffect(() => announcer.say(text), [announcer, text]);
  const stays = isHeld || action !== undefined;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => toasts.close(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [stays, toasts, id]);
  return (
    <div
      className="appear pointer-events-auto flex w-full max-w-sm items-center gap-2.5 rounded-panel bg-raised py-1.5 ps-3.5 pe-1.5 shadow-overlay"
      // Who points at it or tabs into it is reading it.
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={icons[tone]} className={classes('size-5', tones[tone])} />
      <span className="min-w-0 flex-1 py-1.5">{text}</span>
      {action !== undefined && (
        <Button
          size="small"
          onPress={() => {
            action.onPress();
            toasts.close(id);
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon="close" label={t.close} size="small" onPress={() => toasts.close(id)} />
    </div>
  );
}
