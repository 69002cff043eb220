// For how long something is allowed: one of the usual times, no limit, or whole minutes.
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Select } from '../../ui/select.tsx';
import { durationOf, minutesToSeconds } from './duration.ts';
import { Row, type SettingProps } from './fields.tsx';
import { useRealmSetting } from './realm.ts';
import { texts } from './texts.ts';

const USUAL = [60, 120, 600, 3600, 86_400, 604_800] as const;
const NEVER_ENDS = 'unlimited';
const OTHER = 'other';

export function TimeLimitSetting({ name, label, note }: SettingProps) {
  const t = useTexts(texts);
  const setting = useRealmSetting<number | null>(name, (value) => value ?? NEVER_ENDS);
  const [typed, setTyped] = useState<string>();
  const written = (seconds: number) => {
    const { unit, count } = durationOf(seconds);
    return t[unit]({ count });
  };
  const { value } = setting;
  const times =
    value === null || USUAL.some((one) => one === value)
      ? [...USUAL]
      : [...USUAL, value].sort((a, b) => a - b);
  const seconds = typed === undefined ? undefined : minutesToSeconds(typed);
  return (
    <Row setting={setting}>
      <Select
        label={label}
        description={note}
        value={typed === undefined ? String(value ?? NEVER_ENDS) : OTHER}
        onChange={(chosen) => {
          if (chosen === OTHER) return setTyped('');
          setTyped(undefined);
          const next = chosen === NEVER_ENDS ? null : Number(chosen);
          if (next !== value) void setting.save(next);
        }}
        isDisabled={!setting.mayChange || setting.isSaving}
        choices={[
          { value: NEVER_ENDS, label: t.unlimited },
          ...times.map((one) => ({ value: String(one), label: written(one) })),
          { value: OTHER, label: t.otherTime },
        ]}
        className="max-w-md"
      />
      {typed !== undefined && (
        <form
          className="flex max-w-md items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (seconds === undefined) return;
            void setting.save(seconds).then((isDone) => isDone && setTyped(undefined));
          }}
        >
          <NumberField
            label={t.minutesFor({ what: label })}
            isLabelHidden
            unit={t.minutesUnit}
            value={typed}
            onChange={setTyped}
            error={typed !== '' && seconds === undefined ? t.minutesWrong : undefined}
            className="min-w-0 flex-1"
          />
          <Button
            type="submit"
            variant="primary"
            isPending={setting.isSaving}
            isDisabled={seconds === undefined}
          >
            {t.saveShort}
          </Button>
        </form>
      )}
    </Row>
  );
}
