// A banner for every phase of the market but the usual one, with the reason that an operator gave.
import { writeMoment } from '../i18n/date.ts';
import { useLocale } from '../i18n/locale.tsx';
import { useTexts } from '../i18n/texts.ts';
import { Banner } from '../ui/banner.tsx';
import { usePhase } from './form/phase.ts';
import { texts } from './texts.ts';
import { useMarket } from './venue/react.ts';

export function PhaseBanner() {
  const t = useTexts(texts);
  const locale = useLocale();
  const { phase, untilMs, reason } = usePhase(useMarket());
  if (phase === 'continuous') return null;
  const isClosed = phase === 'halted' || phase === 'delisted';
  // Only the engine gives a halt an end, and only for this.
  const isAutomatic = phase === 'halted' && untilMs !== undefined;
  return (
    <div className="px-3 pt-2">
      <Banner tone={isClosed ? 'danger' : 'warning'} icon="halted">
        {isAutomatic ? t.haltedByItself : t[phase]}
        {untilMs !== undefined && ` ${t.until({ time: writeMoment(untilMs, locale) })}`}
        {reason !== '' && (
          <span data-halt-reason className="block">
            <span className="font-medium">{t.reason}</span>{' '}
            <bdi className="break-words">{reason}</bdi>
          </span>
        )}
      </Banner>
    </div>
  );
}
