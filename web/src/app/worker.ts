// The page and its service worker: the page asks for it in its language, and goes where a notification leads.
import { useEffect } from 'react';
import { useLooks } from '../settings/looks.tsx';
import { renewPush } from '../settings/web-push.ts';
import { useStore } from '../state/react.ts';
import { workerAddress } from '../ui/trusted-types.ts';
import { isOurs, matchPlace } from './addresses.ts';
import { useRouter } from './link.tsx';
import type { Router } from './router.ts';

export function useWorker(): void {
  const router = useRouter();
  const { language } = useLooks();
  useEffect(() => {
    findWorkers()
      ?.register(workerAddress(language), { scope: '/', updateViaCache: 'none' })
      // A browser that wants none, such as a private window, has no start without a network. All else works.
      .catch(() => undefined);
  }, [language]);
  const { chat } = useStore().client;
  // Without an answer it is told at the next start.
  useEffect(() => void renewPush(chat).catch(() => undefined), [chat]);
  useEffect(() => {
    const workers = findWorkers();
    const hear = ({ data }: MessageEvent<unknown>) => follow(router, data, location.origin);
    workers?.addEventListener('message', hear);
    return () => workers?.removeEventListener('message', hear);
  }, [router]);
}

/** Undefined on pages without TLS. */
const findWorkers = (): ServiceWorkerContainer | undefined =>
  (navigator as Partial<Navigator>).serviceWorker;

/** Only our own worker can say it; still, only views of ours are opened. */
export function follow(router: Pick<Router, 'go'>, message: unknown, origin: string): void {
  if (typeof message !== 'object' || message === null) return;
  const { kind, path } = message as { readonly kind?: unknown; readonly path?: unknown };
  if (kind !== 'open' || typeof path !== 'string' || !URL.canParse(path, origin)) return;
  const url = new URL(path, origin);
  if (url.origin === origin && isOurs(url)) router.go(matchPlace(url));
}

/** For signing out: nothing is pushed to this browser any more, and the next page comes from the server. */
export async function leaveWorker(): Promise<void> {
  const registrations = (await findWorkers()?.getRegistrations()) ?? [];
  await Promise.all(registrations.map((one) => one.unregister()));
}
