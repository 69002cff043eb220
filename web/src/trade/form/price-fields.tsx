// The prices that the kind of order needs.
import { useLocale } from '../../i18n/locale.tsx';
import { percentSign } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { useMarket } from '../venue/react.ts';
import { NumberInput } from './number-input.tsx';
import { texts } from './texts.ts';
import type { FormState } from './use-form.ts';

export function PriceFields({
  state,
  isAttempted,
}: {
  readonly state: FormState;
  readonly isAttempted: boolean;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const market = useMarket();
  const { draft, reading, change } = state;
  const { shape } = reading.sized;
  const quote = market.quote.toUpperCase();
  const input = { state, isAttempted };
  const isList = draft.kind === 'oco' || draft.kind === 'bracket';
  const trigger = shape.stopPrice !== 'none' && (
    <NumberInput {...input} field="stopPrice" unit={quote} />
  );
  return (
    <>
      {draft.kind === 'bracket' && (
        <RadioGroup
          label={t.entry}
          look="segments"
          isWide
          value={draft.entry}
          onChange={(entry) =>
            change((now) => ({ ...now, entry: entry === 'market' ? 'market' : 'limit' }))
          }
          choices={[
            { value: 'limit', label: t.limit },
            { value: 'market', label: t.market },
          ]}
        />
      )}
      {shape.hasDelta && <NumberInput {...input} field="delta" unit={percentSign(locale)} />}
      {!isList && trigger}
      {shape.price !== 'none' && <NumberInput {...input} field="price" unit={quote} />}
      {shape.hasTakeProfit && <NumberInput {...input} field="takeProfit" unit={quote} />}
      {isList && trigger}
      {shape.stopLimit !== 'none' && <NumberInput {...input} field="stopLimit" unit={quote} />}
    </>
  );
}
