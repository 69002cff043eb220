// What the order will cost and leave, at the prices of now.
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { useMarket } from '../venue/react.ts';
import { totalDecimals } from './derive.ts';
import { texts } from './texts.ts';
import type { FormState } from './use-form.ts';

export function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-end">{children}</dd>
    </div>
  );
}

export function Summary({ state }: { readonly state: FormState }) {
  const t = useTexts(texts);
  const market = useMarket();
  const { draft, reading } = state;
  const { shape, cost } = reading.sized;
  const { taking, fee, after, worst } = reading.estimated;
  const isBuy = draft.side === 'buy';
  const [base, quote] = [market.base.toUpperCase(), market.quote.toUpperCase()];
  const received = isBuy ? base : quote;
  const given = isBuy ? quote : base;
  const precision = (unit: string) =>
    Number(unit === base ? market.basePrecision : market.quotePrecision);
  const estimated = shape.isMarket ? taking : undefined;
  const unknown = <span className="text-muted">{t.unknown}</span>;
  return (
    <dl className="flex flex-col gap-1 text-small">
      {cost !== '' && (
        <Line name={t.cost}>
          <Amount value={cost} unit={quote} decimals={shownDecimals(cost, precision(quote))} />
        </Line>
      )}
      {estimated !== undefined && (
        <Line name={t.receive}>
          <Amount
            value={isBuy ? estimated.volume : estimated.total}
            unit={received}
            decimals={isBuy ? precision(base) : Math.max(2, precision(quote))}
          />
        </Line>
      )}
      <Line name={t.fee}>
        {fee === undefined ? (
          unknown
        ) : (
          <Amount
            value={fee}
            unit={received}
            decimals={Math.min(8, Math.max(precision(received), totalDecimals(market)))}
          />
        )}
      </Line>
      <Line name={t.worst}>
        {shape.isMarket && shape.isConditional ? (
          t.atTrigger
        ) : worst === undefined ? (
          unknown
        ) : (
          <Amount value={worst} unit={quote} decimals={precision(quote)} />
        )}
      </Line>
      <Line name={t.after}>
        {after === undefined ? (
          unknown
        ) : (
          <Amount value={after} unit={given} decimals={precision(given)} />
        )}
      </Line>
    </dl>
  );
}

/** All decimals that a cost has, and at least those of the market. */
const shownDecimals = (value: string, least: number): number =>
  Math.max(least, (value.split('.')[1] ?? '').length);
