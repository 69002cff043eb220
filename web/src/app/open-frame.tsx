// The frame for readers who have not signed in: whose venue it is, the markets, and the way to sign in. It has no store,
// because there is nothing of one's own.
import { Suspense, useEffect, useMemo, useSyncExternalStore } from 'react';
import { readOrganizationName } from '../api/boot.ts';
import { LocaleProvider, localeOf } from '../i18n/locale.tsx';
import { useTexts } from '../i18n/texts.ts';
import type { PreferenceStore } from '../settings/preferences.ts';
import { AnnouncerProvider } from '../ui/announcer.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { MARKETS_HREF, isOpen } from './addresses.ts';
import { Boundary } from './boundary.tsx';
import { RouterProvider, useRoute } from './link.tsx';
import { Mark } from './mark.tsx';
import type { Router } from './router.ts';
import { TradeView } from './routes.tsx';
import { signInHref } from './sign-in.ts';
import { texts } from './texts.ts';
import { titleOf, useTitle } from './title.ts';

export function OpenFrame({
  router,
  preferences: kept,
}: {
  readonly router: Router;
  readonly preferences: PreferenceStore;
}) {
  const { digits, calendar, palette, density } = useSyncExternalStore(kept.subscribe, kept.current);
  // The server has chosen language, direction and theme; the rest this browser remembers.
  const language = document.documentElement.lang === 'fa' ? 'fa' : 'en';
  const locale = useMemo(
    () => localeOf(language, { digits, calendar }),
    [language, digits, calendar],
  );
  useEffect(() => {
    const page = document.documentElement;
    page.dataset['palette'] = palette;
    page.dataset['density'] = density;
  }, [palette, density]);
  return (
    <RouterProvider router={router}>
      <LocaleProvider locale={locale}>
        <AnnouncerProvider>
          <Frame />
        </AnnouncerProvider>
      </LocaleProvider>
    </RouterProvider>
  );
}

function Frame() {
  const t = useTexts(texts);
  const { place } = useRoute();
  const symbol = place.view === 'trade' ? place.symbol : undefined;
  const name = useMemo(() => readOrganizationName(), []);
  useTitle(
    titleOf({
      view: symbol?.toUpperCase() ?? t.trade,
      organization: name,
      unread: 0,
      write: String,
    }),
  );
  useEffect(() => {
    // Everything else is one's own: it begins with signing in.
    if (!isOpen(place)) location.replace(signInHref(location));
  }, [place]);
  return (
    <div className="flex h-dvh min-w-0 flex-col overflow-hidden bg-background text-text">
      <a
        href="#main"
        className="sr-only z-50 rounded-control bg-primary px-3 py-2 text-on-primary focus:not-sr-only focus:fixed focus:start-2 focus:top-2"
      >
        {t.skip}
      </a>
      <header className="flex h-13 shrink-0 items-center gap-2 border-b border-line bg-panel px-3">
        <a href="/" className="flex min-w-0 items-center gap-2.5 rounded-control py-1 ps-1 pe-2">
          <Mark className="size-7 shrink-0" />
          <bdi className="truncate font-semibold">{name}</bdi>
        </a>
        <nav aria-label={t.products} className="flex flex-1 items-center">
          <a
            href={MARKETS_HREF}
            className="flex h-control items-center rounded-control px-2.5 font-medium text-muted hover:bg-hover hover:text-text"
          >
            {t.markets}
          </a>
        </nav>
        <LinkButton href={signInHref(location)} variant="primary">
          {t.signIn}
        </LinkButton>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="relative flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden outline-none"
      >
        <Boundary part="trade" resetKey={symbol ?? ''}>
          <Suspense>
            <TradeView symbol={symbol} reader={undefined} />
          </Suspense>
        </Boundary>
      </main>
    </div>
  );
}
