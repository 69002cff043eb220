// The service worker: it opens the client without a network, and shows what the server pushes while no page is open.
// The page asks for it by its language, so that the page it keeps is in the language in use.
import { forgetCaches } from '../api/kept-boot.ts';
import { forgetDatabases } from '../state/databases.ts';
import { isOurs } from '../app/addresses.ts';
import { createFileKeeper } from './files.ts';
import { pathOf, readPushed, type Language, type Notice } from './notice.ts';
import { planOf } from './requests.ts';
import type { FetchEvent, WindowClient, WorkerScope } from './scope.ts';

/** Written in by the build: its name, and the files of the views that are read without a network. */
declare const BUILD: string;
declare const VIEWS: readonly string[];

const worker = globalThis as unknown as WorkerScope;
const { origin, search } = worker.location;
const language: Language = new URLSearchParams(search).get('lang') === 'fa' ? 'fa' : 'en';
const files = createFileKeeper({
  build: BUILD,
  language,
  views: VIEWS,
  storage: caches,
  get: (address, options) => fetch(address, options),
});

worker.addEventListener('install', (event) => {
  event.waitUntil(files.fill().then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      files.tidy(),
      // The server is asked while the worker starts.
      worker.registration.navigationPreload.enable(),
      worker.clients.claim(),
    ]),
  );
});

worker.addEventListener('fetch', (event) => {
  switch (planOf(event.request, origin)) {
    case 'page':
      event.respondWith(files.page(askServer(event)));
      break;
    case 'file':
      event.respondWith(files.file(event.request, (work) => event.waitUntil(work)));
      break;
    case 'leave':
      event.waitUntil(forgetEverything());
      break;
    default:
  }
});

const askServer = async (event: FetchEvent): Promise<Response> =>
  (await event.preloadResponse) ?? fetch(event.request);

/** The pages without script sign out too. Without the registration, nothing is pushed here any more. */
const forgetEverything = (): Promise<unknown> =>
  Promise.allSettled([forgetCaches(), forgetDatabases(), worker.registration.unregister()]);

worker.addEventListener('push', (event) => {
  event.waitUntil(take(readJson(event.data)));
});

function readJson(data: { json(): unknown } | null): unknown {
  try {
    return data?.json();
  } catch {
    return undefined;
  }
}

async function take(given: unknown): Promise<void> {
  const pushed = readPushed(given, language);
  if (pushed.kind === 'notice') {
    await show(pushed.notice);
    return;
  }
  const read = new Set<unknown>(pushed.messageIds);
  for (const shown of await worker.registration.getNotifications()) {
    if (read.has(fieldOf(shown.data, 'messageId'))) shown.close();
  }
}

async function show({ title, body, tag, path, messageId, sentAtMs }: Notice): Promise<void> {
  // Who looks at the client sees the message there.
  if (messageId !== undefined && (await findWindows()).some(({ focused }) => focused)) return;
  const options: NotificationOptions & { renotify: boolean; timestamp?: number } = {
    body,
    tag,
    renotify: true,
    icon: '/web/assets/icon-192-1.png',
    dir: 'auto',
    lang: language,
    data: { path, messageId },
    ...(sentAtMs !== undefined && { timestamp: sentAtMs }),
  };
  await worker.registration.showNotification(title, options);
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(pathOf(event.notification.data, origin)));
});

async function open(path: string): Promise<void> {
  const [client] = await findWindows();
  if (client === undefined) {
    await worker.clients.openWindow(path);
    return;
  }
  client.postMessage({ kind: 'open', path }, []);
  // A browser may refuse to bring it to the front; the page is still at the right place.
  await client.focus().catch(() => undefined);
}

/** The windows of the client, the one that is looked at first. */
async function findWindows(): Promise<readonly WindowClient[]> {
  const all = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const rank = ({ focused, visibilityState }: WindowClient): number =>
    Number(focused) * 2 + Number(visibilityState === 'visible');
  return all.filter(({ url }) => isOurs(new URL(url))).toSorted((a, b) => rank(b) - rank(a));
}

const fieldOf = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
