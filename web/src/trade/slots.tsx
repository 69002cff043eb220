// Where the parts of one's own stand: the form, the account and the chat of the market. A reader who has not signed in
// sees in their place what they would need.
import { lazy, Suspense } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';
import type { Pick } from './pick.ts';
import type { Linked } from './account/linked.tsx';
import { AccountPanel, OrderForm } from './parts.ts';
import { texts } from './texts.ts';
import { useVenue } from './venue/react.ts';

const MarketChat = lazy(() => import('./chat/market-chat.tsx'));

export type Side = 'buy' | 'sell';

export interface FormSlotProps {
  /** `key` is another one each time. */
  readonly pick: (Pick & { readonly key: number }) | undefined;
  readonly side?: Side | undefined;
}

export function FormSlot({ pick, side }: FormSlotProps) {
  const t = useTexts(texts);
  const { isSignedIn } = useVenue();
  if (!isSignedIn) {
    return (
      <section aria-label={t.form} className="flex w-72 flex-col gap-3 bg-panel p-4">
        <p className="text-pretty text-muted">{t.signInWhy}</p>
        <SignIn />
      </section>
    );
  }
  return (
    <div className="flex min-h-0 w-80 flex-col overflow-y-auto overscroll-contain bg-panel p-3 max-tablet:w-full">
      <Suspense fallback={<Waiting />}>
        <OrderForm picked={pick} side={side} />
      </Suspense>
    </div>
  );
}

/** Leads back to the market. */
export function SignIn({ className }: { readonly className?: string }) {
  const t = useTexts(texts);
  const next = encodeURIComponent(`${location.pathname}${location.search}`);
  return (
    <LinkButton href={`/login/?next=${next}`} variant="primary" className={className}>
      {t.signInToTrade}
    </LinkButton>
  );
}

/** Open orders, history, fills and balances. */
export function AccountSlot({ linked }: { readonly linked: Linked | undefined }) {
  return (
    <Suspense fallback={<Waiting />}>
      <AccountPanel linked={linked} />
    </Suspense>
  );
}

export function ChatSlot() {
  const t = useTexts(texts);
  const { isSignedIn } = useVenue();
  if (!isSignedIn) return <p className="p-4 text-muted">{t.signInToChat}</p>;
  return (
    <Suspense fallback={<Waiting />}>
      <MarketChat />
    </Suspense>
  );
}

function Waiting() {
  return (
    <div className="p-3">
      <SkeletonGroup>
        <Skeleton className="mb-3 h-7 w-40" />
        <Skeleton className="h-24" />
      </SkeletonGroup>
    </div>
  );
}
