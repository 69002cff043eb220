// One number of the order form, with the finding about it below.
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { useMarket } from '../venue/react.ts';
import { type, type Field } from './draft.ts';
import { texts } from './texts.ts';
import type { FormState } from './use-form.ts';
import { labelOf, problemText } from './words.ts';

export function NumberInput({
  field,
  state,
  unit,
  value,
  description,
  placeholder,
  isAttempted,
}: {
  readonly field: Field;
  readonly state: FormState;
  readonly unit: string;
  /** Shown instead of what was typed, where another field drives. */
  readonly value?: string | undefined;
  readonly description?: string | undefined;
  readonly placeholder?: string | undefined;
  /** A review was asked for: only then an empty field is a fault. */
  readonly isAttempted: boolean;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const market = useMarket();
  const { draft, reading, change } = state;
  const entered = draft.fields[field];
  const label = labelOf(t, field, draft, reading.sized.shape);
  const problem = reading.problems[field];
  const isQuiet =
    problem === undefined ||
    problem.code === 'unread' ||
    (problem.code === 'missing' && !isAttempted);
  return (
    <NumberField
      label={label}
      value={value ?? (entered.kind === 'number' ? entered.value : '')}
      onChange={(_value, read) => change((now) => type(now, field, read))}
      unit={unit}
      description={description}
      placeholder={placeholder}
      error={isQuiet ? undefined : problemText(problem, label, market, locale)}
    />
  );
}
