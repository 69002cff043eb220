// What few orders need: how long it lives, post-only, iceberg, self-trade prevention, and orders without review.
import { useId, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { NativeSelect } from '../../ui/native-select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useMarket } from '../venue/react.ts';
import { NumberInput } from './number-input.tsx';
import { texts } from './texts.ts';
import type { FormState } from './use-form.ts';
import { problemText } from './words.ts';

const OWN = '';

export function More({
  state,
  isAttempted,
  unreviewed,
  onUnreviewed,
}: {
  readonly state: FormState;
  readonly isAttempted: boolean;
  readonly unreviewed: string;
  readonly onUnreviewed: (value: string) => void;
}) {
  const t = useTexts(texts);
  const market = useMarket();
  const { draft, reading, change } = state;
  const { shape } = reading.sized;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  // A finding inside must be seen.
  const isShown = isOpen || reading.problems.visible !== undefined;
  return (
    <div className="flex flex-col gap-3">
      {shape.hasTimeInForce && draft.timeInForce === 'GTD' && (
        <EndField state={state} isAttempted={isAttempted} />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        {shape.canRest && (
          <Checkbox
            isSelected={draft.isPostOnly}
            onChange={(isPostOnly) => change((now) => ({ ...now, isPostOnly }))}
          >
            {t.postOnly}
          </Checkbox>
        )}
        <AriaButton
          aria-expanded={isShown}
          aria-controls={id}
          onPress={() => setOpen(!isOpen)}
          className="flex min-h-control cursor-default items-center gap-1 rounded-small text-small font-medium text-accent"
        >
          <Icon name={isShown ? 'chevronUp' : 'chevronDown'} className="size-4" />
          {t.more}
        </AriaButton>
      </div>
      <div id={id} className={isShown ? 'flex flex-col gap-3' : 'hidden'}>
        {shape.canRest && (
          <NumberInput
            state={state}
            field="visible"
            unit={market.base.toUpperCase()}
            description={t.visibleNote}
            isAttempted={isAttempted}
          />
        )}
        <NativeSelect
          label={t.stpMode}
          value={draft.stpMode ?? OWN}
          onChange={(value) =>
            change((now) => ({ ...now, stpMode: market.stpModes.find((one) => one === value) }))
          }
          choices={[
            { value: OWN, label: t.ownDefault({ mode: t[market.defaultStpMode] }) },
            ...market.stpModes.map((value) => ({ value, label: t[value] })),
          ]}
        />
        <NumberField
          label={t.unreviewed}
          value={unreviewed}
          onChange={onUnreviewed}
          unit={market.quote.toUpperCase()}
          description={t.unreviewedNote}
        />
      </div>
    </div>
  );
}

/** When a GTD order ends, in the time of the person. */
function EndField({
  state,
  isAttempted,
}: {
  readonly state: FormState;
  readonly isAttempted: boolean;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const market = useMarket();
  const [text, setText] = useState('');
  const problem = state.reading.problems.expires;
  const isQuiet = problem === undefined || (problem.code === 'missing' && !isAttempted);
  return (
    <TextField
      label={t.expires}
      type="datetime-local"
      isLatin
      value={text}
      onChange={(next) => {
        setText(next);
        const ms = new Date(next).getTime();
        state.change((now) => ({ ...now, expiresMs: Number.isNaN(ms) ? undefined : ms }));
      }}
      error={isQuiet ? undefined : problemText(problem, t.expires, market, locale)}
    />
  );
}
