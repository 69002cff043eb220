import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { ReviewedAct } from '../review/reviewed-act.tsx';
import { texts as review } from '../review/texts.ts';
import { useOperatorAct } from '../use-operator.ts';
import { nameOf } from './name.ts';
import type { MarketDialogProps } from './phase-dialog.tsx';
import { TermFields, useTermChanges } from './term-fields.tsx';
import { termTexts } from './term-texts.ts';
import { changesOf, problemsOf, TERMS, termsOf, type Term } from './terms.ts';
import { texts } from './texts.ts';

export function TermsDialog({ market, onDone, onClose }: MarketDialogProps) {
  const t = useTexts(texts);
  const r = useTexts(review);
  const terms = useTexts(termTexts);
  const { run, isRunning, error, forget } = useOperatorAct();
  const [before] = useState(() => termsOf(market));
  const [after, setAfter] = useState(before);
  const changes = useTermChanges(before, after);
  const [wrong] = Object.keys(problemsOf(after, before)) as Term[];
  const problem =
    wrong !== undefined
      ? r.look({ field: terms[wrong] })
      : changes.length === 0
        ? r.nothing
        : undefined;
  const title = t.termsOf({ market: nameOf(market) });
  const act = async () => {
    const result = await run({
      path: '/market/update',
      params: { symbol: market.symbol, ...changesOf(before, after) },
    });
    if (result !== undefined) onDone(`${title}.`, result);
  };
  return (
    <ReviewedAct
      title={title}
      act={t.terms}
      mustType={market.symbol}
      hasReason={false}
      note={t.termsWhy}
      changes={changes}
      problem={problem}
      isRunning={isRunning}
      error={error}
      onRun={() => void act()}
      onForget={forget}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <p className="text-muted">{t.termsAbout}</p>
        <TermFields
          base={market.base}
          quote={market.quote}
          isNew={false}
          values={after}
          known={before}
          placeholders={Object.fromEntries(TERMS.map((term) => [term, terms.asItIs]))}
          onChange={(term, value) => setAfter((now) => ({ ...now, [term]: value }))}
        />
      </div>
    </ReviewedAct>
  );
}
