import type { Network } from '@rialto/sdk';
import { useTexts } from '../../i18n/texts.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writePlain } from '../../i18n/number.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { texts as review } from '../review/texts.ts';
import {
  NEEDED,
  networkProblems,
  NUMBERS,
  STATES,
  STATUSES,
  TEXTS,
  type Problem,
} from './draft.ts';
import { texts } from './texts.ts';

const GRID = 'grid grid-cols-2 items-start gap-x-4 gap-y-3 max-tablet:grid-cols-1';

export function NetworkFields({
  network,
  isNew,
  isOnly,
  others,
  onChange,
  onDrop,
}: {
  readonly network: Network;
  readonly isNew: boolean;
  /** The only network is the default; another one takes that from it. */
  readonly isOnly: boolean;
  readonly others: readonly string[];
  readonly onChange: (fields: Partial<Network>) => void;
  readonly onDrop: () => void;
}) {
  const t = useTexts(texts);
  const explain = useExplain();
  const problems = networkProblems(network, others);
  return (
    <details open={isNew} className="rounded-control border border-line bg-panel">
      <summary className="min-h-row cursor-default content-center rounded-control px-3 font-medium">
        <bdi dir="ltr">{network.NetworkSymbol || t.newNetwork}</bdi>
      </summary>
      <div className="flex flex-col gap-4 px-3 pb-4">
        <div className={GRID}>
          {TEXTS.map((field) => (
            <TextField
              key={field}
              label={t[field]}
              value={network[field]}
              onChange={(value) => onChange({ [field]: value })}
              error={explain(problems[field], network[field])}
              isReadOnly={field === 'NetworkSymbol' && !isNew}
              isRequired={NEEDED.includes(field)}
              isLatin={field !== 'NetworkNameFa'}
              maxLength={500}
              autoComplete="off"
            />
          ))}
          {NUMBERS.map((field) => (
            <NumberField
              key={field}
              label={t[field]}
              value={network[field]}
              onChange={(value) => onChange({ [field]: value })}
              error={explain(problems[field], network[field])}
              isRequired
            />
          ))}
        </div>
        <div className={GRID}>
          {STATUSES.map((status) => (
            <RadioGroup
              key={status}
              label={t[status]}
              look="segments"
              isWide
              value={network[status]}
              onChange={(value) =>
                onChange({ [status]: STATES.find((one) => one === value) ?? network[status] })
              }
              choices={STATES.map((value) => ({ value, label: t[value] }))}
            />
          ))}
        </div>
        <div className="flex flex-wrap gap-x-6">
          <Checkbox
            isSelected={network.isDefault}
            isReadOnly={network.isDefault}
            isDisabled={isOnly}
            onChange={(isDefault) => isDefault && onChange({ isDefault })}
          >
            {t.isDefault}
          </Checkbox>
          <Checkbox
            isSelected={network.memoRequired}
            onChange={(memoRequired) => onChange({ memoRequired })}
          >
            {t.memoRequired}
          </Checkbox>
        </div>
        {isNew && (
          <Button size="small" icon="trash" className="self-start" onPress={onDrop}>
            {t.drop}
          </Button>
        )}
      </div>
    </details>
  );
}

function useExplain(): (problem: Problem | undefined, given: string) => string | undefined {
  const t = useTexts(texts);
  const r = useTexts(review);
  const locale = useLocale();
  return (problem, given) => {
    // An empty field says by itself that it is empty.
    if (problem === undefined || problem === 'missing') return undefined;
    if (problem === 'notNegative') return r.notNegative;
    if (typeof problem === 'string') return t[problem];
    return r.whole({ ...problem, given: `\u2066${writePlain(given, locale)}\u2069` });
  };
}
