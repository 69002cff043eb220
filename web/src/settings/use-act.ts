// An act of a settings page: guarded by a proof where the server asks for one, and told when it failed.
import { useCallback, useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { useToasts } from '../ui/toasts-context.tsx';
import { reasonOf } from './reason.ts';
import { NotConfirmed, useGuard, type Guarded } from './step-up/provider.tsx';
import { commonTexts } from './texts.ts';

export interface Act {
  readonly isPending: boolean;
  /** Whether it was done. */
  run(this: void, act: Guarded<unknown>, done?: string): Promise<boolean>;
}

export function useAct(): Act {
  const t = useTexts(commonTexts);
  const guard = useGuard();
  const toasts = useToasts();
  const [isPending, setPending] = useState(false);
  const run = useCallback(
    async (act: Guarded<unknown>, done?: string): Promise<boolean> => {
      setPending(true);
      try {
        await guard(act);
        if (done !== undefined) toasts.show({ tone: 'success', text: done });
        return true;
      } catch (error) {
        if (!(error instanceof NotConfirmed)) {
          toasts.show({ tone: 'danger', text: t.failed({ reason: reasonOf(error) }) });
        }
        return false;
      } finally {
        setPending(false);
      }
    },
    [guard, toasts, t],
  );
  return { isPending, run };
}
