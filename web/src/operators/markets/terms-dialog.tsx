import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { ActDialog } from '../act-dialog.tsx';
import { useOperatorAct } from '../use-operator.ts';
import { nameOf } from './name.ts';
import type { MarketDialogProps } from './phase-dialog.tsx';
import { changesOf, TERMS, termsOf } from './terms.ts';
import { texts } from './texts.ts';

export function TermsDialog({ market, onDone, onClose }: MarketDialogProps) {
  const t = useTexts(texts);
  const { run, isRunning, error } = useOperatorAct();
  const [before] = useState(() => termsOf(market));
  const [after, setAfter] = useState(before);
  const changes = changesOf(before, after);
  const count = Object.keys(changes).length;
  const title = t.termsOf({ market: nameOf(market) });
  const act = async () => {
    const result = await run({
      path: '/market/update',
      params: { symbol: market.symbol, ...changes },
    });
    if (result !== undefined) onDone(`${title}.`, result);
  };
  return (
    <ActDialog
      title={title}
      act={t.terms}
      mustType={market.symbol}
      hasReason={false}
      isDisabled={count === 0}
      isRunning={isRunning}
      error={error}
      onRun={() => void act()}
      onClose={onClose}
    >
      <p className="text-muted">{t.termsWhy}</p>
      {TERMS.map((term) => (
        <NumberField
          key={term}
          label={t[term]}
          value={after[term]}
          onChange={(value) => setAfter((now) => ({ ...now, [term]: value }))}
        />
      ))}
      <p role="status">{t.changes({ count })}</p>
    </ActDialog>
  );
}
