// Between the sides: the last price with its direction, and how far the sides are apart.
import { decimal } from '@rialto/sdk';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { classes } from '../../ui/classes.ts';
import { Icon } from '../../ui/icon.tsx';
import { useMarket, useTicker } from '../venue/react.ts';
import { texts } from './texts.ts';
import type { Spread } from './use-ladder.ts';

export function Between({ spread }: { readonly spread: Spread | undefined }) {
  const t = useTexts(texts);
  const { quotePrecision } = useMarket();
  const decimals = Number(quotePrecision);
  const last = useTicker()?.last ?? '';
  const direction = useDirection(last);
  return (
    <div className="flex h-8 shrink-0 items-center justify-between gap-2 border-y border-line ps-4 pe-3 max-tablet:h-11">
      <span
        className={classes(
          'flex items-center gap-0.5 text-title font-semibold',
          direction === 'up' && 'text-up',
          direction === 'down' && 'text-down',
        )}
      >
        <span className="sr-only">{t.last}</span>
        {last !== '' && <Amount value={last} decimals={decimals} />}
        {direction !== undefined && (
          <Icon
            name={direction === 'up' ? 'triangleUp' : 'triangleDown'}
            label={direction === 'up' ? t.up : t.down}
            className="size-4"
          />
        )}
      </span>
      {spread !== undefined && (
        <span className="flex min-w-0 items-baseline gap-1.5 truncate text-small text-muted">
          {t.spread}
          <Amount value={spread.amount} decimals={decimals} />
          <Amount
            value={decimal.divide(decimal.multiply(spread.amount, '100'), spread.ask, 2)}
            decimals={2}
            unit="%"
          />
        </span>
      )}
    </div>
  );
}

/** How the last price came about: from below or from above. */
function useDirection(last: string): 'up' | 'down' | undefined {
  const before = useRef(last);
  const [direction, setDirection] = useState<'up' | 'down'>();
  useEffect(() => {
    const known = before.current;
    before.current = last;
    if (known === '' || last === '') return;
    const order = decimal.compare(last, known);
    if (order !== 0) setDirection(order > 0 ? 'up' : 'down');
  }, [last]);
  return direction;
}
