// Everything that views rely on, around the frame; and what is shown until there is something to frame.
import { lazy, Suspense, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { LooksProvider, useLooks } from '../settings/looks.tsx';
import type { PreferenceStore } from '../settings/preferences.ts';
import { StepUpProvider } from '../settings/step-up/provider.tsx';
import { StoreProvider, useConnection } from '../state/react.ts';
import type { Store } from '../state/store.ts';
import { AnnouncerProvider } from '../ui/announcer.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { ShortcutsProvider } from '../ui/shortcuts/shortcuts.tsx';
import { createToasts, ToastRegion } from '../ui/toast.tsx';
import { ToastsProvider } from '../ui/toasts-context.tsx';
import { Boundary } from './boundary.tsx';
import { BINDINGS } from './keymap.ts';
import { RouterProvider } from './link.tsx';
import { NoNetwork } from './nothing-kept.tsx';
import type { Router } from './router.ts';
import { Shell } from './shell.tsx';
import { Starting } from './starting.tsx';
import { texts } from './texts.ts';

const SessionEnded = lazy(() => import('./session-ended.tsx'));

export interface AppProps {
  readonly store: Store;
  readonly router: Router;
  readonly preferences: PreferenceStore;
}

export function App({ store, router, preferences }: AppProps) {
  return (
    <StoreProvider store={store}>
      <RouterProvider router={router}>
        <LooksProvider store={store} preferences={preferences}>
          <Boundary part="app">
            <Inside store={store} />
          </Boundary>
        </LooksProvider>
      </RouterProvider>
    </StoreProvider>
  );
}

function Inside({ store }: { readonly store: Store }) {
  const { preferences } = useLooks();
  const [toasts] = useState(createToasts);
  return (
    <AnnouncerProvider>
      <ToastsProvider value={toasts}>
        <ShortcutsProvider bindings={BINDINGS} areSingleKeysOff={!preferences.hasKeys}>
          <StepUpProvider>
            <Ready store={store} />
          </StepUpProvider>
        </ShortcutsProvider>
        <ToastRegion toasts={toasts} />
      </ToastsProvider>
    </AnnouncerProvider>
  );
}

/** Begins the store, and shows the frame as soon as there is something to show. */
function Ready({ store }: { readonly store: Store }) {
  const t = useTexts(texts);
  const isReady = useSyncExternalStore(store.subscribe, () => store.isReady);
  const isSignedOut = useSyncExternalStore(store.subscribe, () => store.isSignedOut);
  const isOffline = useConnection(store).kind === 'offline';
  const [fault, setFault] = useState<Error>();
  const start = useCallback(() => {
    setFault(undefined);
    store.start().catch((error: unknown) => {
      setFault(error instanceof Error ? error : new Error(String(error)));
    });
  }, [store]);
  useEffect(() => {
    start();
    return () => store.stop();
  }, [start, store]);
  if (isReady || isSignedOut) {
    return (
      <>
        {isReady ? <Shell /> : <Starting />}
        {isSignedOut && (
          <Suspense>
            <SessionEnded />
          </Suspense>
        )}
      </>
    );
  }
  // The first answer is still awaited: it may come as soon as the network is back.
  if (isOffline) return <NoNetwork onRetry={() => location.reload()} />;
  if (fault === undefined) return <Starting />;
  return <ErrorState what={t.loadFailed} why={fault.message} onRetry={start} />;
}
