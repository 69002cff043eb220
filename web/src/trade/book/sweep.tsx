// What it takes to sweep the book up to a row: the average price, and both sums.
import { decimal } from '@rialto/sdk';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { useMarket } from '../venue/react.ts';
import type { PaintRow } from './painter.ts';
import { texts } from './texts.ts';

export function Sweep({ id, row }: { readonly id: string; readonly row: PaintRow | undefined }) {
  const t = useTexts(texts);
  const { base, quote, basePrecision, quotePrecision } = useMarket();
  const price = Number(quotePrecision);
  return (
    <div
      id={id}
      className="flex h-11 shrink-0 flex-col justify-center overflow-hidden border-t border-line ps-4 pe-3 text-tiny text-muted max-tablet:hidden"
    >
      {row === undefined ? (
        <p className="line-clamp-2">{t.pointAt}</p>
      ) : (
        <>
          <p className="flex gap-1.5 truncate">
            {row.own === undefined ? t.sweep : t.own({ volume: row.own })}
            <span className="ms-auto">{t.average}</span>
            <Amount
              value={decimal.divide(row.value, row.total, price)}
              decimals={price}
              unit={quote.toUpperCase()}
              className="text-text"
            />
          </p>
          <p className="flex justify-between gap-2 truncate">
            <Amount value={row.total} decimals={Number(basePrecision)} unit={base.toUpperCase()} />
            <Amount value={row.value} decimals={price} unit={quote.toUpperCase()} />
          </p>
        </>
      )}
    </div>
  );
}
