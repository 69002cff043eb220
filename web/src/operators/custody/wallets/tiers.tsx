// How full the hot wallets are. A bar is a picture of what stands beside it in words.
import type { CustodyTier } from '../../../api/custody.ts';
import { writeMoment } from '../../../i18n/date.ts';
import { useLocale } from '../../../i18n/locale.tsx';
import { writeDecimal } from '../../../i18n/number.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Section } from '../../../settings/section.tsx';
import { Amount } from '../../../ui/amount.tsx';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { gaugeOf, type Gauge } from './gauge.ts';
import { texts } from './texts.ts';

const TONES: Readonly<Record<CustodyTier['state'], Tone>> = {
  within: 'success',
  below_floor: 'danger',
  above_ceiling: 'warning',
  unbounded: 'neutral',
  unknown: 'neutral',
};

/** Each bound has a mark of its own shape, which the words below repeat. */
const MARKS = { floor: '▲', target: '◆', ceiling: '▼' } as const;
const BOUNDS = ['floor', 'target', 'ceiling'] as const;

export function Tiers({ tiers }: { readonly tiers: readonly CustodyTier[] }) {
  const t = useTexts(texts);
  return (
    <Section title={t.tiers} note={t.tiersNote}>
      {tiers.length === 0 && <EmptyState icon="wallet">{t.noTiers}</EmptyState>}
      <ul className="flex flex-col divide-y divide-line">
        {tiers.map((tier) => (
          <Item key={`${tier.network} ${tier.coin}`} tier={tier} />
        ))}
      </ul>
    </Section>
  );
}

function Item({ tier }: { readonly tier: CustodyTier }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { coin, network, hot, measuredAt, cold, state } = tier;
  const unit = coin.toUpperCase();
  const gauge = gaugeOf(tier);
  return (
    <li className="flex flex-col gap-2 py-4 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{t.place({ coin: unit, network })}</span>
        {hot !== '' && <Amount value={hot} unit={unit} />}
        <Badge tone={TONES[state]}>{t[state]}</Badge>
        {measuredAt !== '' && (
          <span className="text-small text-muted">
            {t.measured({ time: writeMoment(Number(measuredAt), locale) })}
          </span>
        )}
      </p>
      {gauge !== undefined && <Bar tier={tier} gauge={gauge} />}
      {tier.ceiling !== '' && (
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-small">
          {BOUNDS.map((bound) => (
            <li key={bound} className="text-muted">
              <span aria-hidden>{MARKS[bound]}</span> {t[bound]}{' '}
              <Amount value={tier[bound]} unit={unit} className="text-text" />
            </li>
          ))}
        </ul>
      )}
      {cold !== '' && (
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-small">
          <span className="text-muted">{t.cold}</span>
          <span className="flex min-w-0 items-center gap-1">
            <code dir="ltr" className="min-w-0 break-all">
              {cold}
            </code>
            <CopyButton text={cold} label={t.copyCold} />
          </span>
        </p>
      )}
    </li>
  );
}

function Bar({ tier, gauge }: { readonly tier: CustodyTier; readonly gauge: Gauge }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { coin, network } = tier;
  const unit = coin.toUpperCase();
  const written = (value: string) => writeDecimal(value, locale);
  return (
    <div
      role="img"
      aria-label={t.picture({
        place: t.place({ coin: unit, network }),
        hot: written(tier.hot),
        floor: written(tier.floor),
        target: written(tier.target),
        ceiling: written(tier.ceiling),
      })}
      className="relative h-7"
    >
      <span className="absolute inset-x-0 top-0 h-3 overflow-hidden rounded-full border border-control bg-background">
        <span className="block h-full bg-accent" style={{ width: `${gauge.hot}%` }} />
      </span>
      {BOUNDS.map((bound) => (
        <span
          key={bound}
          aria-hidden
          className="absolute top-0 flex w-0 flex-col items-center"
          style={{ insetInlineStart: `${gauge[bound]}%` }}
        >
          <span className="h-3 w-0.5 bg-text" />
          <span className="text-tiny leading-4 text-muted">{MARKS[bound]}</span>
        </span>
      ))}
    </div>
  );
}
