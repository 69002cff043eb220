// The chart of the market: candles with their volume, the depth of the book, or the same candles as a table.
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { CHARTS, INTERVALS, type ChartKind, type Interval } from '../address.ts';
import { CandleView } from './candle-view.tsx';
import { DepthView } from './depth-view.tsx';
import { texts } from './texts.ts';

export interface ChartProps {
  readonly kind: ChartKind;
  readonly interval: Interval;
  readonly onKind: (kind: ChartKind) => void;
  readonly onInterval: (interval: Interval) => void;
}

export default function Chart({ kind, interval, onKind, onInterval }: ChartProps) {
  const t = useTexts(texts);
  // Where the buttons of the candles stand: beside those of the chart.
  const [tools, setTools] = useState<HTMLDivElement | null>(null);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 px-2 py-1.5">
        {kind === 'candles' && (
          <RadioGroup
            label={t.interval}
            isLabelHidden
            look="segments"
            choices={INTERVALS.map((one) => ({ value: one, label: t[one] }))}
            value={interval}
            onChange={(chosen) => {
              const found = INTERVALS.find((one) => one === chosen);
              if (found !== undefined) onInterval(found);
            }}
          />
        )}
        <RadioGroup
          label={t.kind}
          isLabelHidden
          look="segments"
          choices={CHARTS.map((one) => ({ value: one, label: t[one] }))}
          value={kind}
          onChange={(chosen) => {
            const found = CHARTS.find((one) => one === chosen);
            if (found !== undefined) onKind(found);
          }}
        />
        <div ref={setTools} className="ms-auto flex items-center gap-0.5" />
      </div>
      {kind === 'candles' ? <CandleView interval={interval} tools={tools} /> : <DepthView />}
    </div>
  );
}
