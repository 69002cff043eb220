// The order form: buy or sell, every kind of order that the market takes.
import { lazy, Suspense, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { writeTime } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { useShortcut } from '../../ui/shortcuts/shortcuts.tsx';
import { ReadOnlyNotice } from '../../ui/states.tsx';
import { createIntentId } from '../intents/intents.ts';
import { useIntents } from '../intents/react.ts';
import { IntentStatus } from '../intents/status.tsx';
import { useFreshness, useMarket, useVenue } from '../venue/react.ts';
import { EMPTY, type Draft, type Side } from './draft.ts';
import { KindFields } from './kind-fields.tsx';
import { More } from './more.tsx';
import { Notices } from './notices.tsx';
import type { Placement } from './params.ts';
import { isClosed, usePhase, type PhaseNow } from './phase.ts';
import { PriceFields } from './price-fields.tsx';
import { SizeFields } from './size-fields.tsx';
import { Summary } from './summary.tsx';
import { texts } from './texts.ts';
import { isBelow, useUnreviewed } from './unreviewed.ts';
import { useFormState, type Picked } from './use-form.ts';
import { sizeText } from './words.ts';

const Review = lazy(() => import('./review.tsx'));

interface OrderFormProps {
  /** What was picked in the book. */
  readonly picked?: Picked | undefined;
  /** With which it begins, if it is opened for one of them. */
  readonly side?: Side | undefined;
}

export function OrderForm({ picked, side }: OrderFormProps) {
  const t = useTexts(texts);
  const venue = useVenue();
  const market = useMarket();
  const phase = usePhase(market);
  if (!venue.isSignedIn) {
    const next = encodeURIComponent(location.pathname);
    return (
      <EmptyState
        icon="lock"
        action={
          <LinkButton href={`/login/?next=${next}`} variant="primary">
            {t.signIn}
          </LinkButton>
        }
      >
        {t.signInWhy}
      </EmptyState>
    );
  }
  return (
    <section aria-label={t.title} className="flex min-w-0 flex-col gap-3">
      {isClosed(phase.phase) ? (
        <ReadOnlyNotice>
          <PhaseText now={phase} />
        </ReadOnlyNotice>
      ) : (
        <Open key={market.symbol} phase={phase} picked={picked} side={side} />
      )}
      <IntentStatus />
    </section>
  );
}

function PhaseText({ now: { phase, untilMs } }: { readonly now: PhaseNow }) {
  const t = useTexts(texts);
  const locale = useLocale();
  if (phase === 'continuous') return null;
  const until = untilMs === undefined ? '' : t.until({ time: writeTime(untilMs, locale) });
  return `${t[phase]} ${until}`.trim();
}

function Open({ phase, picked, side: begun }: OrderFormProps & { readonly phase: PhaseNow }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const market = useMarket();
  const { client } = useStore();
  const intents = useIntents();
  const isLive = useFreshness().kind === 'live';
  const state = useFormState(phase.phase, picked);
  const { draft, change, reading } = state;
  useEffect(() => {
    if (begun !== undefined) change((now) => ({ ...now, side: begun }));
  }, [begun, change]);
  const [unreviewed, setUnreviewed] = useUnreviewed(client.boot.user.id, market.quote);
  const [isAttempted, setAttempted] = useState(false);
  /** The id belongs to the review: however often its button is pressed, there is one order. */
  const [review, setReview] = useState<{ readonly id: string; readonly placement: Placement }>();
  const fields = useRef<HTMLDivElement>(null);

  const focus = (side: Side) => {
    change((now) => ({ ...now, side }));
    fields.current?.querySelector<HTMLElement>('input[inputmode=decimal]')?.focus();
  };
  useShortcut('focus-buy', () => focus('buy'));
  useShortcut('focus-sell', () => focus('sell'));

  const place = (id: string, placement: Placement) => {
    intents.place(id, placement);
    setReview(undefined);
    setAttempted(false);
    change(withoutSize);
  };
  const begin = () => {
    setAttempted(true);
    const { placement, guards, estimated } = reading;
    if (placement === undefined) {
      fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
      return;
    }
    const value =
      draft.side === 'buy' ? estimated.need : estimated.taking?.total || reading.sized.cost;
    const isUsual = guards.length === 0 && isLive;
    const id = createIntentId();
    if (isUsual && isBelow(value === '' ? undefined : value, unreviewed)) place(id, placement);
    else setReview({ id, placement });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    begin();
  };

  const call = reading.placement;
  const input = { state, isAttempted };
  return (
    <>
      <div ref={fields} onKeyDown={onKeyDown} className="flex flex-col gap-3">
        <SideChoice side={draft.side} onChange={(side) => change((now) => ({ ...now, side }))} />
        {phase.phase !== 'continuous' && (
          <Banner tone="info">
            <PhaseText now={phase} />
          </Banner>
        )}
        <KindFields state={state} phase={phase.phase} onKind={() => setAttempted(false)} />
        <PriceFields {...input} />
        <SizeFields {...input} />
        <More {...input} unreviewed={unreviewed} onUnreviewed={setUnreviewed} />
        <Summary state={state} />
        <Notices guards={reading.guards} />
        <Button variant={draft.side} onPress={begin} className="w-full">
          {call === undefined
            ? t.actNothing({ side: draft.side, coin: market.base.toUpperCase() })
            : t.act({ side: draft.side, size: sizeText(call, market, locale) })}
        </Button>
        {unreviewed !== '' && <p className="text-small text-muted">{t.noReview}</p>}
      </div>
      {review !== undefined && (
        <Suspense>
          <Review
            placement={review.placement}
            state={state}
            onPlace={() => place(review.id, review.placement)}
            onClose={() => setReview(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

/** The next order begins with the same prices and no size. */
const withoutSize = (draft: Draft): Draft => ({
  ...draft,
  driver: 'amount',
  percent: '',
  fields: { ...draft.fields, amount: EMPTY, total: EMPTY, visible: EMPTY },
});

function SideChoice({
  side,
  onChange,
}: {
  readonly side: Side;
  readonly onChange: (side: Side) => void;
}) {
  const t = useTexts(texts);
  return (
    <RadioGroup
      label={t.side}
      isLabelHidden
      look="segments"
      isWide
      value={side}
      onChange={(value) => onChange(value === 'sell' ? 'sell' : 'buy')}
      choices={[
        { value: 'buy', label: t.buy },
        { value: 'sell', label: t.sell },
      ]}
    />
  );
}
