// Whether the venue works: what its public status says, and whether what it owes is there.
import type { MarketDetail, PublicAuditHeadResult, Status, Trading } from '@rialto/sdk';
import { tradingWith } from '../../api/trading.ts';
import { useAsked } from '../../asked/use-asked.ts';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeCount } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { useStore } from '../../state/react.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Looked } from '../looked.tsx';
import { texts as common } from '../texts.ts';
import { Solvency } from './solvency.tsx';
import { texts } from './texts.ts';

interface Loaded {
  readonly status: Status;
  readonly markets: readonly MarketDetail[];
  readonly head: PublicAuditHeadResult;
}

async function load(trading: Trading, signal: AbortSignal): Promise<Loaded> {
  const [status, markets, head] = await Promise.all([
    trading.public.status({}, { signal }),
    trading.public.markets({}, { signal }),
    trading.public.auditHead({}, { signal }),
  ]);
  return { status, markets, head };
}

export default function HealthPage() {
  const t = useTexts(texts);
  const { origin } = useStore().client.chat;
  const asking = useAsked('operator health', (signal) =>
    load(tradingWith(origin, undefined), signal),
  );
  return (
    <>
      <Looked asking={asking}>
        {(loaded, isRefreshing) => (
          <Section
            title={t.service}
            actions={
              <Button size="small" icon="refresh" isPending={isRefreshing} onPress={asking.again}>
                {t.again}
              </Button>
            }
          >
            <Facts loaded={loaded} />
          </Section>
        )}
      </Looked>
      <Solvency />
    </>
  );
}

const TONES: Readonly<Record<Status['status'], Tone>> = {
  ok: 'success',
  degraded: 'warning',
  unavailable: 'danger',
};

function Facts({ loaded: { status, markets, head } }: { readonly loaded: Loaded }) {
  const t = useTexts(texts);
  const phases = useTexts(common);
  const locale = useLocale();
  const counts = Map.groupBy(markets, ({ phase }) => phase);
  const facts = [
    [
      t.status,
      <Badge key="status" tone={TONES[status.status]}>
        {t[status.status]}
      </Badge>,
    ],
    [
      t.engine,
      <Badge key="engine" tone={status.engine === 'ok' ? 'success' : 'danger'}>
        {status.engine === 'ok' ? t.answers : t.silent}
      </Badge>,
    ],
    [t.lag, t.batches({ count: Number(status.historyLag) })],
    [
      t.markets,
      [...counts]
        .map(([phase, all]) => `${phases[phase]}: ${writeCount(all.length, locale)}`)
        .join(' · '),
    ],
    [t.money, t[status.money]],
    ...(status.eta === '' ? [] : [[t.eta, writeMoment(Number(status.eta), locale)] as const]),
    [
      t.log,
      head === null
        ? t.unsigned
        : t.logEntry({
            seq: writeCount(Number(head.seq), locale),
            time: writeMoment(Date.parse(head.time), locale),
          }),
    ],
    [t.looked, writeMoment(Number(status.updatedAt), locale)],
  ] as const;
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-2 max-tablet:grid-cols-1 max-tablet:gap-y-0.5">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted max-tablet:mt-2">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
