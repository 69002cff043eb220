// Exactly what will be placed, once more, before it is. What is shown here is what is sent.
import { useEffect, useState } from 'react';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { writeMoment } from '../../i18n/date.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useFreshness, useMarket, useMarketFeed } from '../venue/react.ts';
import type { StpMode, TimeInForce } from './draft.ts';
import { Notices } from './notices.tsx';
import type { Placement } from './params.ts';
import { Line, Summary } from './summary.tsx';
import { texts } from './texts.ts';
import type { FormState } from './use-form.ts';
import { labelOf, sizeText, writeMoney } from './words.ts';

export default function Review({
  placement,
  state,
  onPlace,
  onClose,
}: {
  readonly placement: Placement;
  readonly state: FormState;
  readonly onPlace: () => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const market = useMarket();
  const pausedSeconds = usePausedSeconds();
  const [typed, setTyped] = useState('');
  const [isStaleTaken, setStaleTaken] = useState(false);
  const { draft, reading } = state;
  const symbol = market.symbol.toUpperCase();
  const mustType = reading.guards.some((guard) => guard.mustType);
  const isStale = pausedSeconds !== undefined && reading.sized.shape.isMarket;
  const isHeld = (mustType && typed.trim().toUpperCase() !== symbol) || (isStale && !isStaleTaken);
  return (
    <Dialog
      title={t.review}
      isAlert
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={
        <>
          <Button onPress={onClose} autoFocus={reading.guards.length > 0 && !mustType}>
            {t.back}
          </Button>
          <Button
            variant={draft.side}
            isDisabled={isHeld}
            autoFocus={reading.guards.length === 0 && !isStale}
            onPress={onPlace}
          >
            {t.act({ side: draft.side, size: sizeText(placement, market, locale) })}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Notices guards={reading.guards} />
        {isStale && (
          <Banner tone="warning" icon="clock">
            {t.stale({ seconds: pausedSeconds })}
          </Banner>
        )}
        <dl className="flex flex-col gap-1">
          <Line name={t.marketName}>
            <bdi dir="ltr">{`${market.base.toUpperCase()}/${market.quote.toUpperCase()}`}</bdi>
          </Line>
          <Line name={t.type}>{`${t[draft.side]} · ${t[draft.kind]}`}</Line>
          <Terms placement={placement} state={state} />
        </dl>
        <div className="border-t border-line pt-3">
          <Summary state={state} />
        </div>
        {isStale && (
          <Checkbox isSelected={isStaleTaken} onChange={setStaleTaken}>
            {t.staleConfirm}
          </Checkbox>
        )}
        {mustType && (
          <TextField
            label={t.typeSymbol({ symbol })}
            value={typed}
            onChange={setTyped}
            isLatin
            autoComplete="off"
            autoFocus
          />
        )}
      </div>
    </Dialog>
  );
}

/** The parameters of the call, one by one. */
function Terms({
  placement: { params },
  state: { draft, reading },
}: {
  readonly placement: Placement;
  readonly state: FormState;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const market = useMarket();
  const { shape } = reading.sized;
  const given: Readonly<Record<string, string | number | boolean | undefined>> = { ...params };
  const money = (name: string, value: string | number | boolean | undefined, isBase = false) =>
    value === undefined ? null : (
      <Line name={name}>
        <span className="figures">
          {writeMoney(String(value), isBase ? 'base' : 'quote', market, locale)}
        </span>
      </Line>
    );
  const label = (field: 'price' | 'stopPrice') => labelOf(t, field, draft, shape);
  const { expireTime, timeInForce, stpMode } = given;
  return (
    <>
      {money(label('price'), given['price'] ?? given['limitPrice'])}
      {money(t.amount, given['volume'], true)}
      {money(t.takeProfit, given['takeProfitPrice'])}
      {money(label('stopPrice'), given['stopPrice'] ?? given['stopLossPrice'])}
      {money(t.stopLimit, given['stopLimitPrice'] ?? given['stopLossLimitPrice'])}
      {money(t.visible, given['visibleVolume'], true)}
      {draft.kind === 'trailing_stop' && draft.fields.delta.kind === 'number' && (
        <Line name={t.delta}>
          <bdi dir="ltr">{`${draft.fields.delta.value} %`}</bdi>
        </Line>
      )}
      {timeInForce !== undefined && (
        <Line
          name={t.timeInForce}
        >{`${String(timeInForce)} · ${t[timeInForce as TimeInForce]}`}</Line>
      )}
      {expireTime !== undefined && (
        <Line name={t.expires}>{writeMoment(Number(expireTime), locale)}</Line>
      )}
      {given['postOnly'] === true && <Line name={t.postOnly}>✓</Line>}
      {stpMode !== undefined && <Line name={t.stpMode}>{t[stpMode as StpMode]}</Line>}
    </>
  );
}

/** Since how many seconds prices are paused; undefined while they are live. */
function usePausedSeconds(): number | undefined {
  const freshness = useFreshness();
  // A book that missed something is asked for anew, and old until it comes.
  const { isCurrent } = useMarketFeed().book;
  const [now, setNow] = useState(() => Date.now());
  const isPaused = freshness.kind === 'paused';
  useEffect(() => {
    if (!isPaused) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isPaused]);
  if (freshness.kind === 'live') return isCurrent ? undefined : 0;
  return isPaused ? Math.max(0, Math.round((now - freshness.sinceMs) / 1000)) : 0;
}
