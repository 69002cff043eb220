// A field for decimals. It takes what people type in either language and gives plain decimal text; no float is made.
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Group } from 'react-aria-components/Group';
import { Input, TextField as AriaTextField } from 'react-aria-components/TextField';
import { readDecimal, type Reading } from '../i18n/digits.ts';
import { useLocale } from '../i18n/locale.tsx';
import { percentSign, writeDecimal, writePlain } from '../i18n/number.ts';
import { useTexts } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { fieldBox, FieldLabel, FieldNote, type FieldProps } from './field.tsx';
import { texts } from './texts.ts';

export interface NumberFieldProps extends FieldProps {
  /** A plain decimal, or nothing. */
  value: string;
  /** Called with a plain decimal, or with nothing while the text is empty, unclear or refused. */
  onChange: (value: string, reading: Reading) => void;
  /** Stands behind the number. A pasted "64,210.50 USDT" is taken if this is USDT. */
  unit?: string | undefined;
  /** Further names of the unit that may be pasted, as its Persian one. */
  unitNames?: readonly string[] | undefined;
  end?: ReactNode;
  placeholder?: string | undefined;
  isRequired?: boolean | undefined;
  isDisabled?: boolean | undefined;
  isReadOnly?: boolean | undefined;
  onFocusChange?: ((isFocused: boolean) => void) | undefined;
}

/** Without zeros at its end: "1.500" beside "1500" would not help to choose. */
function trimmed(value: string): string {
  return value.includes('.') ? value.replace(/\.?0+$/u, '') : value;
}

const NO_NAMES: readonly string[] = [];

export function NumberField({
  label,
  isLabelHidden,
  description,
  error,
  className,
  value,
  onChange,
  unit,
  unitNames = NO_NAMES,
  end,
  placeholder,
  isRequired = false,
  isDisabled = false,
  isReadOnly = false,
  onFocusChange,
}: NumberFieldProps) {
  const t = useTexts(texts);
  const locale = useLocale();
  const units =
    unit === undefined ? unitNames : [unit, ...(unit === '%' ? ['٪'] : []), ...unitNames];
  // What was typed, as long as it says the same as `value`: a typed text is not rewritten under the person's hands.
  const [typed, setTyped] = useState<{ text: string; value: string }>();
  const [isFocused, setFocused] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // The text changes when the groups go, and the browser forgets what was selected: the whole, as in every field that
  // is reached by Tab.
  useLayoutEffect(() => {
    if (isFocused) input.current?.select();
  }, [isFocused]);
  const isTyped = typed?.value === value;
  const reading = isTyped ? readDecimal(typed.text, units) : undefined;
  const isOpen = reading?.kind === 'unclear' || reading?.kind === 'refused';
  // At rest the number has its groups; being edited it has none, for a comma would be a question.
  const atRest = value === '' ? '' : writeDecimal(value, locale);
  const edited = isTyped ? typed.text : value === '' ? '' : writePlain(value, locale);

  function take(text: string) {
    const read = readDecimal(text, units);
    const next = read.kind === 'number' ? read.value : '';
    setTyped({ text, value: next });
    onChange(next, read);
  }

  const own =
    reading?.kind === 'refused'
      ? t[reading.reason]
      : reading?.kind === 'unclear'
        ? t.unclear
        : undefined;
  return (
    <AriaTextField
      value={isFocused || isOpen ? edited : atRest}
      onChange={take}
      onFocusChange={(focused) => {
        setFocused(focused);
        if (!focused && !isOpen) setTyped(undefined);
        onFocusChange?.(focused);
      }}
      isInvalid={own !== undefined || error !== undefined}
      isRequired={isRequired}
      isDisabled={isDisabled}
      isReadOnly={isReadOnly}
      type="text"
      inputMode="decimal"
      autoComplete="off"
      autoCorrect="off"
      spellCheck="false"
      className={classes('flex min-w-0 flex-col gap-1.5', className)}
    >
      <FieldLabel isHidden={isLabelHidden} isRequired={isRequired}>
        {label}
      </FieldLabel>
      <div className={classes(fieldBox, 'h-control')}>
        <Input
          ref={input}
          dir="ltr"
          {...(placeholder === undefined ? {} : { placeholder })}
          className="figures h-full min-w-0 flex-1 bg-transparent px-2.5 outline-none rtl:text-end"
        />
        {unit !== undefined && (
          <span className="pe-2.5 text-small text-muted" aria-hidden>
            {unit === '%' ? percentSign(locale) : unit}
          </span>
        )}
        {end}
      </div>
      <FieldNote description={description} error={own ?? error} />
      {reading?.kind === 'unclear' && (
        <Group aria-label={t.unclear} className="flex flex-wrap gap-1.5">
          {reading.choices.map((choice) => (
            <Button key={choice} size="small" onPress={() => take(choice)}>
              {t.use({ value: writePlain(trimmed(choice), locale) })}
            </Button>
          ))}
        </Group>
      )}
    </AriaTextField>
  );
}
