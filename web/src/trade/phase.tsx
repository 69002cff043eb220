// Which phase the market is in, live, and a banner for every phase but the usual one.
import type { MarketDetail, MarketPhase } from '@rialto/sdk';
import { useEffect, useState } from 'react';
import { writeMoment } from '../i18n/date.ts';
import { useLocale } from '../i18n/locale.tsx';
import { useTexts } from '../i18n/texts.ts';
import { Banner } from '../ui/banner.tsx';
import { texts } from './texts.ts';
import { useMarket, useVenue } from './venue/react.ts';

type Phase = Pick<MarketPhase, 'phase' | 'until'>;

/** As the streams have it; until they have spoken, as the list of markets had it. */
function usePhase({ symbol, phase }: MarketDetail): Phase {
  const { streams } = useVenue();
  const [known, setKnown] = useState<MarketPhase>();
  useEffect(() => {
    const following = streams.subscribe('status', (event) => {
      if (event.type !== 'snapshot' && event.type !== 'update') return;
      const mine = event.data.markets.find((one) => one.symbol === symbol);
      if (mine !== undefined) setKnown(mine);
    });
    return () => following.close();
  }, [streams, symbol]);
  return known?.symbol === symbol ? known : { phase, until: '' };
}

export function PhaseBanner() {
  const t = useTexts(texts);
  const locale = useLocale();
  const { phase, until } = usePhase(useMarket());
  if (phase === 'continuous') return null;
  const isClosed = phase === 'halted' || phase === 'delisted';
  return (
    <div className="px-3 pt-2">
      <Banner tone={isClosed ? 'danger' : 'warning'} icon="halted">
        {t[phase]}
        {until !== '' && ` ${t.until({ time: writeMoment(Number(until), locale) })}`}
      </Banner>
    </div>
  );
}
