// The administration of the organization: a list of pages, and the one that is open. Each page is fetched when opened.
import { Fragment, lazy, Suspense, useEffect, useRef } from 'react';
import { ADMINISTRATOR, isAtLeast } from '../chat/rights/rights.ts';
import { useTexts } from '../i18n/texts.ts';
import { mayAct } from '../operators/grants.ts';
import { useSelect, useStore } from '../state/react.ts';
import { classes } from '../ui/classes.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import type { IconName } from '../ui/icon-paths.ts';
import { Icon } from '../ui/icon.tsx';
import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';
import { NoPermission } from '../ui/states.tsx';
import { texts } from './texts.ts';

type OperatorPage =
  'markets' | 'coins' | 'fees' | 'accounts' | 'approvals' | 'custody' | 'health' | 'acts';

interface Page {
  readonly id:
    | 'organization'
    | 'permissions'
    | 'newcomers'
    | 'domains'
    | 'folders'
    | 'retention'
    | 'audit'
    | 'people'
    | 'invitations'
    | 'groups'
    | 'bots'
    | 'linkifiers'
    | 'playgrounds'
    | 'emoji'
    | 'fields'
    | OperatorPage;
  readonly icon: IconName;
  /** Whether members may open it too, for what is theirs. */
  readonly isForAll: boolean;
  /** It belongs to the venue: whoever has a grant may open it, whatever their role. */
  readonly isOfVenue?: true;
  readonly view: ReturnType<typeof lazy>;
}

const PAGES: readonly Page[] = [
  {
    id: 'organization',
    icon: 'gear',
    isForAll: true,
    view: lazy(() => import('./organization/organization.tsx')),
  },
  {
    id: 'permissions',
    icon: 'lock',
    isForAll: true,
    view: lazy(() => import('./permissions/permissions.tsx')),
  },
  {
    id: 'people',
    icon: 'list',
    isForAll: false,
    view: lazy(() => import('./people/people.tsx')),
  },
  {
    id: 'invitations',
    icon: 'add',
    isForAll: true,
    view: lazy(() => import('./invitations/invitations.tsx')),
  },
  { id: 'groups', icon: 'people', isForAll: true, view: lazy(() => import('./groups/groups.tsx')) },
  {
    id: 'newcomers',
    icon: 'star',
    isForAll: true,
    view: lazy(() => import('./newcomers/newcomers.tsx')),
  },
  {
    id: 'domains',
    icon: 'globe',
    isForAll: true,
    view: lazy(() => import('./domains/domains.tsx')),
  },
  {
    id: 'folders',
    icon: 'folder',
    isForAll: true,
    view: lazy(() => import('./folders/folders.tsx')),
  },
  {
    id: 'retention',
    icon: 'clock',
    isForAll: true,
    view: lazy(() => import('./retention/retention.tsx')),
  },
  { id: 'bots', icon: 'key', isForAll: true, view: lazy(() => import('./bots/bots.tsx')) },
  {
    id: 'linkifiers',
    icon: 'link',
    isForAll: false,
    view: lazy(() => import('./linkifiers/linkifiers.tsx')),
  },
  {
    id: 'playgrounds',
    icon: 'code',
    isForAll: false,
    view: lazy(() => import('./playgrounds/playgrounds.tsx')),
  },
  {
    id: 'fields',
    icon: 'person',
    isForAll: false,
    view: lazy(() => import('./fields/fields.tsx')),
  },
  { id: 'emoji', icon: 'emoji', isForAll: true, view: lazy(() => import('./emoji/emoji.tsx')) },
  {
    id: 'audit',
    icon: 'eye',
    isForAll: false,
    view: lazy(() => import('./audit/audit.tsx')),
  },
  {
    id: 'markets',
    icon: 'chart',
    isForAll: false,
    isOfVenue: true,
    view: lazy(() => import('../operators/markets/markets.tsx')),
  },
  {
    id: 'coins',
    icon: 'coin',
    isForAll: false,
    isOfVenue: true,
    view: lazy(() => import('../operators/coins/coins.tsx')),
  },
  {
    id: 'fees',
    icon: 'percent',
    isForAll: false,
    isOfVenue: true,
    view: lazy(() => import('../operators/fees/fees.tsx')),
  },
  {
    id: 'accounts',
    icon: 'wallet',
    isForAll: false,
    isOfVenue: true,
    view: lazy(() => import('../operators/accounts/accounts.tsx')),
  },
  {
    id: 'approvals',
    icon: 'check',
    isForAll: false,
    isOfVenue: true,
    view: lazy(() => import('../operators/approvals/approvals.tsx')),
  },
  {
    id: 'custody',
    icon: 'lock',
    isForAll: false,
    isOfVenue: true,
    view: lazy(() => import('../operators/custody/custody.tsx')),
  },
  {
    id: 'health',
    icon: 'info',
    isForAll: false,
    isOfVenue: true,
    view: lazy(() => import('../operators/health/health.tsx')),
  },
  {
    id: 'acts',
    icon: 'list',
    isForAll: false,
    isOfVenue: true,
    view: lazy(() => import('../operators/acts/acts.tsx')),
  },
];

export default function Admin({ page }: { readonly page: string }) {
  const t = useTexts(texts);
  const isAdmin = useSelect(useStore(), (state) => isAtLeast(state, ADMINISTRATOR));
  const isOperator = mayAct(useStore().client.boot.user.grants ?? [], 'look');
  const pages = PAGES.filter(({ isForAll, isOfVenue = false }) =>
    isOfVenue ? isOperator : isForAll || isAdmin,
  );
  const asked = page === '' ? pages[0] : PAGES.find(({ id }) => id === page);
  // On a phone the pages are one row that scrolls: the open one must be seen in it.
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const link = current.current;
    const row = link?.closest('ul');
    // Beside the page they are a column: scrolling to one of its last would take the heading out of sight.
    if (!row || row.scrollWidth <= row.clientWidth) return;
    link?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [asked]);
  return (
    <div className="mx-auto flex w-full max-w-6xl gap-6 px-4 py-4 max-tablet:flex-col">
      <nav aria-label={t.title} className="shrink-0 tablet:w-48">
        <ul className="flex gap-0.5 max-tablet:overflow-x-auto tablet:flex-col">
          {pages.map(({ id, icon, isOfVenue }, index) => (
            <Fragment key={id}>
              {isOfVenue === true && pages[index - 1]?.isOfVenue !== true && (
                <li
                  aria-hidden
                  className="px-2.5 pt-4 pb-1 text-small text-muted max-tablet:hidden"
                >
                  {t.venue}
                </li>
              )}
              <li>
                <a
                  href={`/admin/${id}`}
                  ref={id === asked?.id ? current : undefined}
                  {...(id === asked?.id ? { 'aria-current': 'page' as const } : {})}
                  className={classes(
                    'flex min-h-control items-center gap-2.5 rounded-control px-2.5 whitespace-nowrap',
                    id === asked?.id ? 'bg-selected font-medium' : 'text-muted hover:bg-hover',
                  )}
                >
                  <Icon name={icon} className="size-4.5" />
                  {t[id]}
                </a>
              </li>
            </Fragment>
          ))}
        </ul>
      </nav>
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        {asked === undefined ? (
          <EmptyState icon="gear">{t.unknown}</EmptyState>
        ) : pages.includes(asked) ? (
          <>
            <h1 className="text-heading font-semibold">{t[asked.id]}</h1>
            <Suspense fallback={<Loading />}>
              <asked.view />
            </Suspense>
          </>
        ) : (
          <NoPermission
            rule={asked.isOfVenue === true ? t.onlyOperators : t.onlyAdmins}
            who={asked.isOfVenue === true ? t.operator : t.administrator}
          />
        )}
      </div>
    </div>
  );
}

function Loading() {
  return (
    <SkeletonGroup>
      {Array.from({ length: 6 }, (_value, index) => (
        <Skeleton key={index} className="my-2 h-9 w-full" />
      ))}
    </SkeletonGroup>
  );
}
