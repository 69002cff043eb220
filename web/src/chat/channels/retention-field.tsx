// For how long messages are kept: for ever, for some days, or as the organization has it.
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { Select } from '../../ui/select.tsx';
import { daysFrom, FOR_EVER, type Retention } from './retention.ts';
import { texts } from './texts.ts';

const FIRST_DAYS = 365;

export function RetentionField({
  value,
  onChange,
  isDisabled = false,
  isOfOrganization = false,
  description,
}: {
  readonly value: Retention;
  readonly onChange: (value: Retention) => void;
  readonly isDisabled?: boolean | undefined;
  /** The organization has nobody to inherit from. */
  readonly isOfOrganization?: boolean | undefined;
  readonly description?: string | undefined;
}) {
  const t = useTexts(texts);
  // What was typed while it is no number of days.
  const [typed, setTyped] = useState('');
  const kind = value === null ? 'inherit' : value === FOR_EVER ? 'forever' : 'days';
  return (
    <div className="flex flex-wrap items-start gap-3">
      <Select
        label={t.retention}
        description={description}
        value={kind}
        onChange={(chosen) =>
          onChange(chosen === 'inherit' ? null : chosen === 'forever' ? FOR_EVER : FIRST_DAYS)
        }
        isDisabled={isDisabled}
        className="min-w-44 flex-1"
        choices={[
          ...(isOfOrganization ? [] : [{ value: 'inherit', label: t.retentionInherit }]),
          { value: 'forever', label: t.retentionForever },
          { value: 'days', label: t.retentionDays },
        ]}
      />
      {kind === 'days' && (
        <NumberField
          label={t.days}
          value={value === undefined ? typed : String(value)}
          isDisabled={isDisabled}
          error={value === undefined ? t.daysWrong : undefined}
          onChange={(text) => {
            setTyped(text);
            onChange(daysFrom(text));
          }}
          className="w-32"
        />
      )}
    </div>
  );
}
