// Amounts of one's own: shown exactly, or covered when the person has chosen so.
import { useTexts } from '../i18n/texts.ts';
import { useLooks } from '../settings/looks.tsx';
import { Amount, Change, type AmountProps } from '../ui/amount.tsx';
import { decimalsOf } from './balances/value.ts';
import { texts } from './texts.ts';

export const useHidesAmounts = (): boolean => useLooks().preferences.hidesAmounts;

/** The same width for every amount: a longer cover would tell a larger sum. */
const COVER = '••••••';

function Cover() {
  const t = useTexts(texts);
  return (
    <span className="text-muted">
      <span aria-hidden>{COVER}</span>
      <span className="sr-only">{t.hidden}</span>
    </span>
  );
}

export const OwnAmount = (props: AmountProps) =>
  useHidesAmounts() ? <Cover /> : <Amount {...props} />;

/** A change of an amount, to its last digit. */
export const OwnChange = ({ value, unit }: { readonly value: string; readonly unit: string }) =>
  useHidesAmounts() ? <Cover /> : <Change value={value} unit={unit} decimals={decimalsOf(value)} />;
