// The parts of the venue, in the header: trade, chat, markets, wallet.
import { useTexts } from '../i18n/texts.ts';
import { classes } from '../ui/classes.ts';
import { MARKETS_HREF, printPlace, type Place } from './addresses.ts';
import { Link, useRoute } from './link.tsx';
import { texts } from './texts.ts';

/** Which part a place belongs to. One's settings belong to none. */
export function productOf({ view }: Place): 'trade' | 'chat' | 'wallet' | undefined {
  if (view === 'trade' || view === 'wallet') return view;
  return view === 'settings' || view === 'admin' || view === 'unknown' ? undefined : 'chat';
}

export function Products() {
  const t = useTexts(texts);
  const current = productOf(useRoute().place);
  const item = (href: string, name: string, isCurrent: boolean) => (
    <Link
      to={href}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      className={classes(
        'flex h-control items-center rounded-control px-2.5 font-medium whitespace-nowrap',
        isCurrent ? 'bg-selected text-accent' : 'text-muted hover:bg-hover hover:text-text',
      )}
    >
      {name}
    </Link>
  );
  return (
    <nav aria-label={t.products} className="flex shrink-0 items-center gap-0.5">
      {item(printPlace({ view: 'trade' }), t.trade, current === 'trade')}
      {item(printPlace({ view: 'home' }), t.chat, current === 'chat')}
      {item(MARKETS_HREF, t.markets, false)}
      {item(printPlace({ view: 'wallet', page: 'balances' }), t.wallet, current === 'wallet')}
    </nav>
  );
}
