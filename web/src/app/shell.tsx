// The frame around every view: header, navigation, the view itself, people, and on phones a bar below.
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useLocale } from '../i18n/locale.tsx';
import { writeCount } from '../i18n/number.ts';
import { useTexts } from '../i18n/texts.ts';
import { organizationText, unreadTotal } from '../state/select.ts';
import { useSelect, useStore } from '../state/react.ts';
import { printPlace, type Place } from './addresses.ts';
import { TourOffer } from '../arrive/tour-offer.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Boundary } from './boundary.tsx';
import { Header } from './header.tsx';
import { Keyboard } from './keyboard.tsx';
import { useRoute, useRouter } from './link.tsx';
import { Nav } from './nav/nav.tsx';
import { hasNav, hasPeople, useViewName, View } from './routes.tsx';
import { Products } from './products.tsx';
import { prefetchParts } from './prefetch.ts';
import { PeopleList } from './side.tsx';
import { texts } from './texts.ts';
import { titleOf, useIconDot, useTitle } from './title.ts';
import { useWorker } from './worker.ts';

const Drawer = lazy(() => import('./drawer.tsx').then((file) => ({ default: file.Drawer })));
const Palette = lazy(() => import('./palette/palette.tsx'));
const Shortcuts = lazy(() => import('./shortcuts-dialog.tsx'));
const Tour = lazy(() => import('../arrive/tour.tsx'));

export function Shell() {
  const t = useTexts(texts);
  const router = useRouter();
  const { place, over, key } = useRoute();
  const main = useRef<HTMLElement>(null);
  const address = printPlace(place);
  const hasSide = hasPeople(place);
  const hasNavColumn = hasNav(place);
  useFrameTitle();
  useWorker();
  useFocusOnArrival(main, address);
  useEffect(prefetchParts, []);
  return (
    <div className="flex h-dvh min-w-0 flex-col overflow-hidden bg-background text-text">
      <Keyboard />
      <a
        href="#main"
        className="sr-only z-50 rounded-control bg-primary px-3 py-2 text-on-primary focus:not-sr-only focus:fixed focus:start-2 focus:top-2"
      >
        {t.skip}
      </a>
      <Header hasSide={hasSide} hasNavColumn={hasNavColumn} />
      <div className="flex min-h-0 flex-1">
        {hasNavColumn && (
          <nav
            aria-label={t.views}
            className="hidden w-68 shrink-0 flex-col border-e border-line bg-panel desktop:flex"
          >
            <Boundary part="nav">
              <Nav />
            </Boundary>
          </nav>
        )}
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className="relative flex min-w-0 flex-1 flex-col overflow-hidden outline-none"
        >
          <Boundary part={place.view} resetKey={address}>
            {isHome(place) && <TourOffer onStart={() => router.open('tour')} />}
            <View place={place} entryKey={key} />
          </Boundary>
        </main>
        {hasSide && (
          <aside
            aria-label={t.side}
            className="hidden w-64 shrink-0 flex-col border-s border-line bg-panel wide:flex"
          >
            <Boundary part="people">
              <PeopleList />
            </Boundary>
          </aside>
        )}
      </div>
      <BottomBar />
      <Boundary part="over" resetKey={over ?? ''}>
        <Suspense>
          {over === 'nav' && (
            <Drawer edge="start" label={t.views} closeLabel={t.closeNav}>
              <div className="px-3 tablet:hidden">
                <Products />
              </div>
              <nav aria-label={t.views} className="flex min-h-0 flex-1 flex-col">
                <Nav />
              </nav>
            </Drawer>
          )}
          {over === 'people' && (
            <Drawer edge="end" label={t.people} closeLabel={t.closeSide}>
              <PeopleList />
            </Drawer>
          )}
          {over?.startsWith('palette') === true && (
            <Palette start={over.slice('palette:'.length)} />
          )}
          {over === 'shortcuts' && <Shortcuts />}
          {over === 'tour' && <Tour onClose={router.close} />}
        </Suspense>
      </Boundary>
    </div>
  );
}

const isHome = ({ view }: Place): boolean => view === 'home' || view === 'inbox';

function useFrameTitle(): void {
  const store = useStore();
  const locale = useLocale();
  const view = useViewName();
  const organization =
    useSelect(store, (state) => organizationText(state, 'name')) ||
    store.client.boot.organization.name;
  const unread = useSelect(store, unreadTotal);
  useTitle(titleOf({ view, organization, unread, write: (count) => writeCount(count, locale) }));
  useIconDot(unread > 0);
}

/** A new view gets the focus, unless it has taken it itself; otherwise keys and readers would stay behind. */
function useFocusOnArrival(main: { readonly current: HTMLElement | null }, address: string): void {
  const last = useRef(address);
  useEffect(() => {
    if (last.current === address) return;
    last.current = address;
    const { activeElement } = document;
    const isInside = activeElement !== null && main.current?.contains(activeElement) === true;
    if (!isInside) main.current?.focus({ preventScroll: true });
  }, [main, address]);
}
