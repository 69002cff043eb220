// Starts the client: who is signed in, the store, and the frame. The page itself says who is signed in; the one that the
// service worker shows without a network does not, and the browser remembers. Markets are open to everybody, in a frame
// without a store. The components have an address of their
// own, for people and tests that look at them alone.
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { isKeptPage, readBoot } from './api/boot.ts';
import { createClient } from './api/client.ts';
import { keepBoot, readKeptBoot } from './api/kept-boot.ts';
import { isOpen, matchPlace } from './app/addresses.ts';
import { App } from './app/app.tsx';
import { NothingKept } from './app/nothing-kept.tsx';
import { prefetchView } from './app/prefetch.ts';
import { createRouter } from './app/router.ts';
import { signInHref } from './app/sign-in.ts';
import { watchStaleFiles } from './app/stale-files.ts';
import { createPreferences } from './settings/preferences.ts';
import { createStore } from './state/store.ts';
import { preparePage } from './ui/page.ts';
import './ui/tokens.css';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');
const draw = (view: ReactNode): void => createRoot(root).render(<StrictMode>{view}</StrictMode>);

/** A function, not the module: what it loads may import this very file's chunk, which would wait for itself. */
async function start(): Promise<void> {
  const isKept = isKeptPage();
  const boot = isKept ? await readKeptBoot().catch(() => undefined) : readBoot();
  if (location.pathname === '/components') {
    await import('./ui/gallery/main.tsx');
  } else if (boot !== undefined) {
    preparePage();
    const store = createStore(createClient(boot));
    // Asked for before anything is drawn: the answer is on its way meanwhile. Whoever shows the store says what failed.
    store.start().catch(() => undefined);
    prefetchView(matchPlace(location), boot.csrfToken);
    if (!isKept) keepBoot(boot).catch(() => undefined);
    watchStaleFiles(window, () => store.drafts.flush());
    // The lock that says which tab asks is granted in a task of its own, and drawing would hold that up.
    await new Promise((resolve) => setTimeout(resolve, 10));
    draw(
      <App store={store} router={createRouter(window)} preferences={createPreferences(window)} />,
    );
  } else if (isKept) {
    preparePage();
    draw(<NothingKept />);
  } else if (isOpen(matchPlace(location))) {
    preparePage();
    watchStaleFiles(window, () => undefined);
    prefetchView(matchPlace(location), undefined);
    const { OpenFrame } = await import('./app/open-frame.tsx');
    draw(<OpenFrame router={createRouter(window)} preferences={createPreferences(window)} />);
  } else {
    location.replace(signInHref(location));
  }
}

void start();
