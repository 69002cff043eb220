// Files that are fetched before somebody asks: the view that the page begins with, while the store still loads; and what a
// click or a key needs at once, when the page has nothing else to do.
import type { Place } from './addresses.ts';

const conversation = () => import('../chat/conversation/conversation.tsx');
const inbox = () => import('../chat/inbox/inbox.tsx');

const VIEWS: { readonly [V in Place['view']]?: () => Promise<unknown> } = {
  home: inbox,
  inbox,
  recent: () => import('../chat/recent/recent.tsx'),
  narrow: conversation,
  feed: conversation,
  mentions: conversation,
  starred: conversation,
  trade: () => import('./trade-view.tsx'),
  wallet: () => import('../wallet/wallet.tsx'),
  settings: () => import('../settings/settings.tsx'),
  admin: () => import('../admin/admin.tsx'),
};

/** One that does not come is asked for again when it is shown, and says so then. */
export function prefetchView({ view }: Place): void {
  VIEWS[view]?.().catch(() => undefined);
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

/** Safari has no idle callback. */
const LATER_MS = 2000;

/** Begins once the page is idle; gives a function that ends it. */
export function prefetchParts(): () => void {
  let isOn = true;
  const next = async (): Promise<void> => {
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
