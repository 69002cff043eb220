// Whether the person has seen the tour. The account remembers, so that other devices do not offer it again.
import { useCallback, useState } from 'react';
import { useSelect, useStore } from '../state/react.ts';

/** The step of the API that stands for it. */
const STEP = 'intro_inbox_view_modal';

export function useTourSeen(): { readonly isSeen: boolean; markSeen(this: void): void } {
  const store = useStore();
  const isOffered = useSelect(store, ({ onboarding }) => onboarding.includes(STEP));
  const [isDone, setDone] = useState(false);
  const markSeen = useCallback(() => {
    setDone(true);
    // If it fails, the tour is offered once more: no harm.
    store.client.chat.markOnboardingStepAsRead({ onboarding_step: STEP }).catch(() => undefined);
  }, [store]);
  return { isSeen: isDone || !isOffered, markSeen };
}
