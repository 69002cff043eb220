// What the account may do and what it pays: its tier, its rates, its requests.
import type { AccountFee, AccountInfo, FeeTier, RateLimit, Trading } from '@rialto/sdk';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { writeDate } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { WalletLoading } from '../loading.tsx';
import { texts as walletTexts } from '../texts.ts';
import { useTrading } from '../use-trading.ts';
import { Fees } from './fees.tsx';
import { texts } from './texts.ts';

interface Loaded {
  readonly info: AccountInfo;
  readonly fees: readonly AccountFee[];
  readonly tiers: readonly FeeTier[];
  readonly limits: readonly RateLimit[];
}

async function load(trading: Trading, signal: AbortSignal): Promise<Loaded> {
  const [info, fees, tiers, limits] = await Promise.all([
    trading.account.info({}, { signal }),
    trading.account.fees({}, { signal }),
    trading.public.fees({}, { signal }),
    trading.account.rateLimits({}, { signal }),
  ]);
  return { info, fees, tiers, limits };
}

export default function Limits() {
  const common = useTexts(walletTexts);
  const trading = useTrading();
  const { asked, again } = useAsked('wallet limits', (signal) => load(trading(), signal));
  if (asked.state === 'asking') return <WalletLoading />;
  if (asked.state === 'failed') {
    return <FailureState what={common.notLoaded} error={asked.error} onRetry={again} />;
  }
  const { info, fees, tiers, limits } = asked.value;
  return (
    <>
      <Fees info={info} fees={fees} tiers={tiers} />
      <Requests limits={limits} isRefreshing={asked.isRefreshing} onAgain={again} />
      <Account info={info} />
    </>
  );
}

function Requests({
  limits,
  isRefreshing,
  onAgain,
}: {
  readonly limits: readonly RateLimit[];
  readonly isRefreshing: boolean;
  readonly onAgain: () => void;
}) {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  return (
    <Section
      title={t.rates}
      note={t.ratesNote}
      actions={
        <Button size="small" icon="refresh" isPending={isRefreshing} onPress={onAgain}>
          {common.again}
        </Button>
      }
    >
      {limits.map(({ scope, used, limit, windowMs, remaining }) => {
        // Counts of requests, not amounts.
        const [usedCount, limitCount] = [Number(used), Number(limit)];
        const seconds = t.seconds({ count: Number(windowMs) / 1000 });
        return (
          <div key={scope} className="flex flex-col gap-1">
            <ProgressBar
              label={scope === 'address' ? t.address : t.ofAccount}
              percent={limitCount === 0 ? 100 : (usedCount / limitCount) * 100}
            />
            <p className="text-small text-muted">
              {t.used({ used: usedCount, limit: limitCount, seconds })}.{' '}
              {t.left({ count: Number(remaining) })}
            </p>
          </div>
        );
      })}
    </Section>
  );
}

function Account({ info }: { readonly info: AccountInfo }) {
  const t = useTexts(texts);
  const locale = useLocale();
  return (
    <Section title={t.account}>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5 max-tablet:grid-cols-1 max-tablet:gap-y-0.5">
        <dt className="text-muted">{t.accountId}</dt>
        <dd>
          <bdi dir="ltr" className="figures">
            {info.accountId}
          </bdi>
        </dd>
        <dt className="text-muted max-tablet:mt-2">{t.opened}</dt>
        <dd>{writeDate(Number(info.createdAt), locale)}</dd>
      </dl>
      <ul className="flex list-disc flex-col gap-1 ps-5">
        <li>{info.canTrade ? t.canTrade : t.cannotTrade}</li>
        <li>
          {t.stp} {info.stpScope === 'family' ? t.stpFamily : t.stpAccount}
        </li>
        <li>{t.noMoves}</li>
      </ul>
      <div className="flex flex-wrap gap-2">
        <LinkButton size="small" icon="key" href="/settings/keys">
          {t.keys}
        </LinkButton>
        <LinkButton size="small" icon="smartphone" href="/settings/sessions">
          {t.sessions}
        </LinkButton>
      </div>
    </Section>
  );
}
