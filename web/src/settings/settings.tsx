// The settings of a person: a list of pages, and the page.
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { classes } from '../ui/classes.ts';
import type { IconName } from '../ui/icon-paths.ts';
import { Icon } from '../ui/icon.tsx';
import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';
import { commonTexts } from './texts.ts';

const PAGES = {
  profile: lazy(() => import('./profile/profile.tsx')),
  appearance: lazy(() => import('./appearance/appearance.tsx')),
  notifications: lazy(() => import('./notifications/notifications.tsx')),
  security: lazy(() => import('./security/security.tsx')),
  sessions: lazy(() => import('./sessions/sessions.tsx')),
  keys: lazy(() => import('./keys/keys.tsx')),
} as const;

type Page = keyof typeof PAGES;

const ICONS: Readonly<Record<Page, IconName>> = {
  profile: 'person',
  appearance: 'sun',
  notifications: 'bell',
  security: 'lock',
  sessions: 'smartphone',
  keys: 'key',
};

export default function Settings({ page }: { readonly page: Page }) {
  const t = useTexts(commonTexts);
  const Shown = PAGES[page];
  // On a phone the pages are one row that scrolls: the open one must be seen in it.
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up of an effect.
    current.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [page]);
  return (
    <div className="mx-auto flex w-full max-w-5xl gap-8 px-6 py-5 max-desktop:flex-col max-desktop:gap-4 max-tablet:px-4">
      <nav
        aria-label={t.pages}
        className="flex w-48 shrink-0 flex-col gap-0.5 max-desktop:-mx-4 max-desktop:w-auto max-desktop:flex-row max-desktop:overflow-x-auto max-desktop:px-4 max-desktop:pb-1"
      >
        <p className="px-2.5 pb-2 text-heading font-semibold max-desktop:sr-only">{t.title}</p>
        {(Object.keys(PAGES) as Page[]).map((one) => (
          <a
            key={one}
            href={`/settings/${one}`}
            ref={one === page ? current : undefined}
            {...(one === page ? { 'aria-current': 'page' as const } : {})}
            className={classes(
              'flex min-h-9 shrink-0 items-center gap-2.5 rounded-control px-2.5 whitespace-nowrap max-tablet:min-h-row',
              one === page
                ? 'bg-selected font-medium'
                : 'text-muted hover:bg-hover hover:text-text',
            )}
          >
            <Icon name={ICONS[one]} className="size-4.5" />
            {t[one]}
          </a>
        ))}
      </nav>
      <div className="flex min-w-0 flex-1 flex-col gap-4 pb-10">
        <h1 className="text-heading font-semibold">{t[page]}</h1>
        <Suspense fallback={<Loading />}>
          <Shown />
        </Suspense>
      </div>
    </div>
  );
}

function Loading() {
  return (
    <SkeletonGroup>
      <Skeleton className="h-40 rounded-panel" />
    </SkeletonGroup>
  );
}
