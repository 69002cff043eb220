// The bar of phones: the places that a thumb reaches.
import { useTexts } from '../i18n/texts.ts';
import { unreadCounts } from '../state/select.ts';
import { useSelect, useStore } from '../state/react.ts';
import { CountBadge } from '../ui/badge.tsx';
import { classes } from '../ui/classes.ts';
import type { IconName } from '../ui/icon-paths.ts';
import { Icon } from '../ui/icon.tsx';
import type { Place } from './addresses.ts';
import { Link, useRoute, useRouter } from './link.tsx';
import { productOf } from './products.tsx';
import { texts } from './texts.ts';

const ITEM =
  'relative flex min-h-14 min-w-0 flex-1 cursor-default flex-col items-center justify-center gap-0.5 px-1 text-tiny';

export function BottomBar() {
  const t = useTexts(texts);
  const router = useRouter();
  const { place } = useRoute();
  const unread = useSelect(useStore(), unreadCounts).total;
  const isInbox = place.view === 'inbox' || place.view === 'home';
  const product = productOf(place);
  const item = (to: Place, icon: IconName, label: string, isCurrent: boolean, count = 0) => (
    <Link
      to={to}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      className={classes(ITEM, isCurrent ? 'font-semibold text-accent' : 'text-muted')}
    >
      <Icon name={icon} />
      <span className="max-w-full truncate">{label}</span>
      <span className="absolute start-[calc(50%+0.25rem)] top-1">
        <CountBadge count={count} />
      </span>
    </Link>
  );
  return (
    <nav
      aria-label={t.bottom}
      className="flex border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] tablet:hidden"
    >
      {item({ view: 'trade' }, 'trade', t.trade, product === 'trade')}
      {item({ view: 'recent' }, 'chat', t.chat, product === 'chat' && !isInbox)}
      {item({ view: 'inbox' }, 'inbox', t.inbox, isInbox, unread)}
      {item({ view: 'wallet', page: 'balances' }, 'wallet', t.wallet, product === 'wallet')}
      <button
        type="button"
        onClick={() => router.open('nav')}
        className={classes(ITEM, 'text-muted')}
      >
        <Icon name="menu" />
        <span className="max-w-full truncate">{t.more}</span>
      </button>
    </nav>
  );
}
