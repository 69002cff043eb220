// Files that are fetched before somebody asks: the view that the page begins with, while the store still loads; and what a
// click or a key needs at once, when the page has nothing else to do.
import type { Place } from './addresses.ts';

const conversation = () => import('../chat/conversation/conversation.tsx');
const inbox = () => import('../chat/inbox/inbox.tsx');

/** The files of the trade view and of the parts that it shows at once, and then its market, so that both wait for nobody. */
const trade = async (place: Place, csrfToken: string | undefined): Promise<void> => {
  const parts = [
    import('../trade/form/form.tsx'),
    import('../trade/account/panel.tsx'),
    import('../trade/chart/chart.tsx'),
  ];
  const { prepareVenue } = await import('./trade-view.tsx');
  const symbol = place.view === 'trade' ? place.symbol : undefined;
  prepareVenue({ url: location.origin, csrfToken }, symbol);
  await Promise.all(parts);
};

type Prefetch = (place: Place, csrfToken: string | undefined) => Promise<unknown>;
const VIEWS: { readonly [V in Place['view']]?: Prefetch } = {
  home: inbox,
  inbox,
  recent: () => import('../chat/recent/recent.tsx'),
  narrow: conversation,
  feed: conversation,
  mentions: conversation,
  starred: conversation,
  trade,
  wallet: () => import('../wallet/wallet.tsx'),
  settings: () => import('../settings/settings.tsx'),
  admin: () => import('../admin/admin.tsx'),
};

/** One that does not come is asked for again when it is shown, and says so then. */
export function prefetchView(place: Place, csrfToken: string | undefined): void {
  VIEWS[place.view]?.(place, csrfToken).catch(() => undefined);
}

const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('../ui/menu-list.tsx'),
  () => import('./palette/palette.tsx'),
  () => import('./drawer.tsx'),
  () => import('../ui/tooltip-body.tsx'),
  conversation,
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
