// What the withdrawal costs, and what stands against it.
import type { WithdrawQuote } from '@rialto/sdk';
import { FailureNotice } from '../../asked/failure.tsx';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Banner } from '../../ui/banner.tsx';
import { texts } from './texts.ts';
import type { QuoteState } from './use-quote.ts';

export function Quote({
  quote,
  write,
}: {
  readonly quote: QuoteState;
  readonly write: (value: string) => string;
}) {
  const t = useTexts(texts);
  if (quote.state === 'failed') return <FailureNotice what={t.quoteFailed} error={quote.error} />;
  if (quote.state !== 'known') return null;
  return (
    <>
      <QuoteTerms quote={quote.value} write={write} />
      <Objections quote={quote.value} write={write} />
    </>
  );
}

export function QuoteTerms({
  quote,
  write,
}: {
  readonly quote: WithdrawQuote;
  readonly write: (value: string) => string;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  return (
    <div className="flex flex-col gap-2">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-muted">{t.fee}</dt>
        <dd>{write(quote.fee)}</dd>
        <dt className="text-muted">{t.receives}</dt>
        <dd className="font-semibold">{write(quote.netAmount)}</dd>
        <dt className="text-muted">{t.dailyLeft}</dt>
        <dd>{write(quote.dailyLeft)}</dd>
      </dl>
      <p className="text-muted">
        {t.approvals({ count: writeDecimal(quote.approvalsNeeded, locale) })}
      </p>
    </div>
  );
}

function Objections({
  quote,
  write,
}: {
  readonly quote: WithdrawQuote;
  readonly write: (value: string) => string;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const failing = quote.checks.filter(({ ok }) => !ok);
  if (failing.length === 0) return null;
  const sayOf = ({ name, availableAt }: (typeof failing)[number]): string => {
    const time = availableAt === '' ? '' : writeMoment(Number(availableAt), locale);
    switch (name) {
      case 'network_active':
        return t.pausedNow;
      case 'minimum':
        return t.minimumIs({ amount: write(quote.minimumWithdraw) });
      case 'funds':
        return t.noFunds;
      case 'not_frozen':
        return t.frozenUntil({ time });
      case 'address_age':
        return t.tooYoung({ time });
      case 'daily_limit':
        return t.overDay({ time });
    }
  };
  return (
    <Banner tone="warning">
      <ul className="flex flex-col gap-1">
        {failing.map((one) => (
          <li key={one.name}>{sayOf(one)}</li>
        ))}
      </ul>
    </Banner>
  );
}
