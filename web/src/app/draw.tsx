// Draws the client into its page: the frame with a store, the open one, or the word that nothing is kept.
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Boot } from '../api/boot.ts';
import { createPreferences } from '../settings/preferences.ts';
import type { Store } from '../state/store.ts';
import { preparePage } from '../ui/page.ts';
import { matchPlace } from './addresses.ts';
import { App } from './app.tsx';
import { NothingKept } from './nothing-kept.tsx';
import { prefetchView } from './prefetch.ts';
import { createRouter } from './router.ts';

function draw(view: ReactNode): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no element with the id root.');
  preparePage();
  createRoot(root).render(<StrictMode>{view}</StrictMode>);
}

/** Browsers have mostly fetched the file of the view by now. A frame without it would be drawn twice, at twice the cost. */
const FILE_WITHIN_MS = 200;

const fetchView = (csrfToken: string | undefined): Promise<unknown> =>
  Promise.race([
    prefetchView(matchPlace(location), csrfToken),
    new Promise((resolve) => setTimeout(resolve, FILE_WITHIN_MS)),
  ]);

export async function drawClient(store: Store, { csrfToken }: Boot): Promise<void> {
  await fetchView(csrfToken);
  draw(<App store={store} router={createRouter(window)} preferences={createPreferences(window)} />);
}

export function drawNothingKept(): void {
  draw(<NothingKept />);
}

/** Markets are open to everybody, in a frame without a store. */
export async function drawOpen(): Promise<void> {
  const [{ OpenFrame }] = await Promise.all([import('./open-frame.tsx'), fetchView(undefined)]);
  draw(<OpenFrame router={createRouter(window)} preferences={createPreferences(window)} />);
}
