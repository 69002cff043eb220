// Starts the client: who is signed in, the store, and then the frame. The page itself says who is signed in; the one that the
// service worker shows without a network does not, and the browser remembers. Nothing here draws: the store asks the server
// before the browser begins with the scripts that do, which take longer than the answer.
import { isKeptPage, readBoot } from './api/boot.ts';
import { createClient } from './api/client.ts';
import { keepBoot, readKeptBoot } from './api/kept-boot.ts';
import { isOpen, matchPlace } from './app/addresses.ts';
import { signInHref } from './app/sign-in.ts';
import { watchStaleFiles } from './app/stale-files.ts';
import { createStore } from './state/store.ts';
import './ui/tokens.css';

/** Until the store has asked: it reads its disk and becomes the tab that asks, each in a task of its own. */
const ASKED_WITHIN_MS = 60;

const frame = () => import('./app/draw.tsx');

/** A function, not the module: what it loads may import this very file's chunk, which would wait for itself. */
async function start(): Promise<void> {
  const isKept = isKeptPage();
  const boot = isKept ? await readKeptBoot().catch(() => undefined) : readBoot();
  if (location.pathname === '/components') {
    // They have an address of their own, for people and tests that look at them alone.
    await import('./ui/gallery/main.tsx');
  } else if (boot !== undefined) {
    const store = createStore(createClient(boot));
    // Whoever shows the store says what failed.
    store.start().catch(() => undefined);
    if (!isKept) keepBoot(boot).catch(() => undefined);
    watchStaleFiles(window, () => store.drafts.flush());
    await new Promise((resolve) => setTimeout(resolve, ASKED_WITHIN_MS));
    await (await frame()).drawClient(store, boot);
  } else if (isKept) {
    (await frame()).drawNothingKept();
  } else if (isOpen(matchPlace(location))) {
    watchStaleFiles(window, () => undefined);
    await (await frame()).drawOpen();
  } else {
    location.replace(signInHref(location));
  }
}

void start();
