// Files that are fetched before somebody asks: the view that the page begins with, while the store still loads; and what a
// click or a key needs at once, when the page has nothing else to do.
import type { Place } from './addresses.ts';
import { VIEW_FILES } from './routes.tsx';

/** The market and the parts that the trade view shows at once, so that both wait for nobody. */
async function prepareTrade(place: Place, csrfToken: string | undefined): Promise<void> {
  const { loadParts, prepareVenue } = await import('./trade-view.tsx');
  const symbol = place.view === 'trade' ? place.symbol : undefined;
  prepareVenue({ url: location.origin, csrfToken }, symbol);
  await loadParts();
}

/** Resolves when the view's own file is here. What does not come is asked for again when it is shown, and says so then. */
export async function prefetchView(place: Place, csrfToken: string | undefined): Promise<void> {
  if (place.view === 'trade') prepareTrade(place, csrfToken).catch(() => undefined);
  await VIEW_FILES[place.view]?.().catch(() => undefined);
}

const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('../ui/menu-list.tsx'),
  () => import('./palette/palette.tsx'),
  () => import('./drawer.tsx'),
  () => import('../ui/tooltip-body.tsx'),
  () => import('../chat/conversation/conversation.tsx'),
  () => import('../chat/compose/suggestion-list.tsx'),
  () => import('../chat/conversation/message-edit.tsx'),
  () => import('../chat/conversation/message-dialogs.tsx'),
  () => import('../chat/emoji/popover.tsx'),
  // When it is needed, the server may answer nothing any more.
  () => import('./session-ended.tsx'),
  () => import('../chat/compose/paste/paste.ts'),
];

/** The view that is opened first has the line and the processor for itself; Safari has no idle callback. */
const LATER_MS = 2000;

/** Begins once the page is idle; gives a function that ends it. */
export function prefetchParts(): () => void {
  let isOn = true;
  const next = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, LATER_MS));
    for (const load of PARTS) {
      await idle();
      if (!isOn) return;
      // One that does not come is asked for again by whoever needs it, and says so then.
      await load().catch(() => undefined);
    }
  };
  void next();
  return () => {
    isOn = false;
  };
}

const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, LATER_MS);
  });
