// One value that saves alone: shown as chosen at once, and as it was again if the server refuses.
import { useState } from 'react';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import { NotConfirmed, useGuard } from '../../settings/step-up/provider.tsx';
import { useAnnouncer } from '../../ui/announcer.tsx';
import { texts } from './texts.ts';

export interface Saved<T> {
  /** As chosen, until the server has told it or refused. */
  readonly value: T;
  readonly save: (value: T) => Promise<boolean>;
  readonly isSaving: boolean;
  readonly isSaved: boolean;
  readonly error: unknown;
}

export function useSaved<T>(known: T, send: (value: T) => Promise<unknown>): Saved<T> {
  const t = useTexts(texts);
  const guard = useGuard();
  const announcer = useAnnouncer();
  const [chosen, setChosen] = useState<{ readonly value: T; readonly before: T }>();
  const [isSaved, setSaved] = useState(false);
  const act = useAct(async (value: T): Promise<boolean> => {
    setChosen({ value, before: known });
    setSaved(false);
    try {
      await guard(() => send(value));
    } catch (error) {
      setChosen(undefined);
      if (error instanceof NotConfirmed) return false;
      throw error;
    }
    setSaved(true);
    announcer.say(t.saved);
    return true;
  });
  // Once the server has told something else than before, it speaks for itself.
  const isAhead = chosen !== undefined && Object.is(chosen.before, known);
  return {
    value: isAhead ? chosen.value : known,
    save: async (value) => (await act.run(value)) === true,
    isSaving: act.isRunning,
    isSaved,
    error: act.error,
  };
}
