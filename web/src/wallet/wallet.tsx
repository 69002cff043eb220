// What a person has at the venue: a row of pages, and the one that is open.
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { WALLET_PAGES, type WalletPage } from '../app/addresses.ts';
import { useTexts } from '../i18n/texts.ts';
import { classes } from '../ui/classes.ts';
import type { ActivityFilter } from './activity/filter.ts';
import { WalletLoading } from './loading.tsx';
import { texts } from './texts.ts';

const Balances = lazy(() => import('./balances/balances.tsx'));
const Deposit = lazy(() => import('./deposit/deposit.tsx'));
const Withdraw = lazy(() => import('./withdraw/withdraw.tsx'));
const Book = lazy(() => import('./book/book.tsx'));
const Activity = lazy(() => import('./activity/activity.tsx'));
const Statements = lazy(() => import('./statements/statements.tsx'));
const Limits = lazy(() => import('./limits/limits.tsx'));
const Proof = lazy(() => import('./proof/proof.tsx'));
const Accounts = lazy(() => import('./accounts/accounts.tsx'));

const hrefOf = (page: WalletPage): string => (page === 'balances' ? '/wallet' : `/wallet/${page}`);

export default function Wallet({
  page,
  filter,
}: {
  readonly page: WalletPage;
  /** Of the activity, kept in the address. */
  readonly filter: ActivityFilter;
}) {
  const t = useTexts(texts);
  // On a phone the pages are one row that scrolls: the open one must be seen in it.
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up of an effect.
    current.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [page]);
  const shown: Readonly<Record<WalletPage, ReactNode>> = {
    balances: <Balances />,
    deposit: <Deposit />,
    withdraw: <Withdraw />,
    book: <Book />,
    activity: <Activity filter={filter} />,
    statements: <Statements />,
    limits: <Limits />,
    accounts: <Accounts />,
    proof: <Proof />,
  };
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-4 px-6 py-5 max-tablet:px-4">
      <h1 className="text-heading font-semibold">
        {page === 'balances' ? t.title : `${t.title}: ${t[page]}`}
      </h1>
      <nav aria-label={t.pages} className="border-b border-line">
        <ul className="-mb-px flex gap-1 overflow-x-auto">
          {WALLET_PAGES.map((one) => (
            <li key={one}>
              <a
                href={hrefOf(one)}
                ref={one === page ? current : undefined}
                {...(one === page ? { 'aria-current': 'page' as const } : {})}
                className={classes(
                  'flex h-control items-center border-b-2 px-3 whitespace-nowrap -outline-offset-2',
                  one === page
                    ? 'border-accent font-medium text-text'
                    : 'border-transparent text-muted hover:text-text',
                )}
              >
                {t[one]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Suspense fallback={<WalletLoading />}>{shown[page]}</Suspense>
    </div>
  );
}
