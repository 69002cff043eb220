// The one voice of the page. Readers hear what happens without looking: messages of the open conversation, what was
// sent, what failed. Nothing else on the page is a live region.
import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { due, hear, QUIET, type Gathering } from './announcer-rule.ts';
import { texts } from './texts.ts';

export interface Announcer {
  /** Something that the person did has ended: "Message sent". Said when the reader is free. */
  say: (text: string) => void;
  /** A message came into the open conversation: "Sara: Pulled twice". More than three in five seconds are counted. */
  heard: (text: string) => void;
  /** An order was rejected. Interrupts; nothing else may. */
  rejected: (text: string) => void;
}

const SILENT: Announcer = {
  say: () => undefined,
  heard: () => undefined,
  rejected: () => undefined,
};

const AnnouncerContext = createContext<Announcer>(SILENT);

export function useAnnouncer(): Announcer {
  return use(AnnouncerContext);
}

/** Old texts are taken away, so that nobody finds them when reading through the page. */
const KEPT_MS = 7000;
const KEPT_MAX = 10;

interface Line {
  readonly id: number;
  readonly text: string;
}

export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const t = useTexts(texts);
  const [polite, setPolite] = useState<readonly Line[]>([]);
  const [assertive, setAssertive] = useState<readonly Line[]>([]);
  const gathering = useRef<Gathering>(QUIET);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  const lastId = useRef(0);
  // The texts change with the language; what is promised to components does not.
  const countText = useRef(t.newMessages);
  useEffect(() => {
    countText.current = t.newMessages;
  }, [t]);
  useEffect(() => {
    const pending = timers.current;
    return () => {
      for (const timer of pending) clearTimeout(timer);
      pending.clear();
    };
  }, []);

  const announcer = useMemo<Announcer>(() => {
    const later = (ms: number, act: () => void) => {
      const timer = setTimeout(() => {
        timers.current.delete(timer);
        act();
      }, ms);
      timers.current.add(timer);
    };
    const put = (set: typeof setPolite, text: string) => {
      const line = { id: (lastId.current += 1), text };
      set((lines) => [...lines, line].slice(-KEPT_MAX));
      later(KEPT_MS, () => set((lines) => lines.filter((kept) => kept.id !== line.id)));
    };
    return {
      say: (text) => put(setPolite, text),
      rejected: (text) => put(setAssertive, text),
      heard: (text) => {
        const now = Date.now();
        const wasHeld = gathering.current.dueAt !== undefined;
        const { after, say } = hear(gathering.current, { at: now, text });
        gathering.current = after;
        if (say !== undefined) put(setPolite, say);
        else if (!wasHeld && after.dueAt !== undefined)
          later(after.dueAt - now, () => {
            const told = due(gathering.current, Date.now() + 1);
            gathering.current = told.after;
            if (told.count > 0) put(setPolite, countText.current({ count: told.count }));
          });
      },
    };
  }, []);

  return (
    <AnnouncerContext value={announcer}>
      {children}
      <div className="sr-only">
        <div aria-live="polite" aria-relevant="additions" data-announcer="polite">
          {polite.map((line) => (
            <p key={line.id}>{line.text}</p>
          ))}
        </div>
        <div aria-live="assertive" aria-relevant="additions" data-announcer="assertive">
          {assertive.map((line) => (
            <p key={line.id}>{line.text}</p>
          ))}
        </div>
      </div>
    </AnnouncerContext>
  );
}
