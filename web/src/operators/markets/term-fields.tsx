// The fields of a market's terms, each with its rule below it as soon as it is broken.
import { useState } from 'react';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Change } from '../review/changes.tsx';
import { texts as review } from '../review/texts.ts';
import {
  changesOf,
  NEEDED,
  problemsOf,
  RULES,
  TERMS,
  type Problem,
  type Term,
  type Terms,
} from './terms.ts';
import { termTexts } from './term-texts.ts';

const STP_MODES = ['expire_taker', 'expire_maker', 'expire_both', 'decrement'] as const;

interface TermFieldsProps {
  readonly base: string;
  readonly quote: string;
  readonly values: Terms;
  /** Of an existing market: what stays where nothing is typed. */
  readonly known?: Terms;
  /** What an empty field means, by term. */
  readonly placeholders: Readonly<Partial<Record<Term, string>>>;
  readonly isNew: boolean;
  readonly onChange: (term: Term, value: string) => void;
}

export function TermFields(props: TermFieldsProps) {
  const t = useTexts(termTexts);
  const [isOpen, setOpen] = useState(!props.isNew);
  const problems = problemsOf(props.values, props.known);
  const fields = (terms: readonly Term[]) => (
    <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 max-tablet:grid-cols-1">
      {terms.map((term) => (
        <TermField key={term} {...props} term={term} problem={problems[term]} />
      ))}
    </div>
  );
  return (
    <div className="flex flex-col gap-4">
      {fields(NEEDED)}
      <Button
        size="small"
        className="self-start"
        icon={isOpen ? 'chevronUp' : 'chevronDown'}
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      >
        {t.moreTerms}
      </Button>
      {isOpen && fields(TERMS.filter((term) => !NEEDED.includes(term)))}
    </div>
  );
}

function TermField({
  term,
  base,
  quote,
  values,
  placeholders,
  isNew,
  problem,
  onChange,
}: TermFieldsProps & { readonly term: Term; readonly problem: Problem | undefined }) {
  const t = useTexts(termTexts);
  const explain = useExplain();
  if (term === 'defaultStpMode') {
    return (
      <Select
        label={t[term]}
        value={STP_MODES.find((mode) => mode === values[term]) ?? null}
        placeholder={placeholders[term]}
        onChange={(mode) => onChange(term, mode)}
        choices={STP_MODES.map((value) => ({ value, label: t[value] }))}
      />
    );
  }
  const unit = { volume: base, price: quote, amount: quote, percent: '%', whole: '', choice: '' }[
    RULES[term].kind
  ];
  return (
    <NumberField
      label={t[term]}
      value={values[term]}
      onChange={(value) => onChange(term, value)}
      isRequired={isNew && NEEDED.includes(term)}
      placeholder={placeholders[term]}
      error={problem && explain(problem, values[term])}
      {...(unit === '' ? {} : { unit: unit.toUpperCase() })}
    />
  );
}

/** A problem in a sentence, with the rule and the value. */
function useExplain(): (problem: Problem, given: string) => string {
  const t = useTexts(termTexts);
  const r = useTexts(review);
  const locale = useLocale();
  return (problem, value) => {
    const given = `\u2066${writeDecimal(value, locale)}\u2069`;
    switch (problem.kind) {
      case 'whole':
        return r.whole({ min: problem.min, max: problem.max, given });
      case 'decimals':
        return r.decimals({ max: problem.max, given });
      case 'positive':
        return r.positive;
      default:
        return r[problem.kind]({ field: t[problem.term] });
    }
  };
}

/** What is sent, for the review. */
export function useTermChanges(before: Terms, after: Terms): readonly Change[] {
  const t = useTexts(termTexts);
  const changes = changesOf(before, after);
  const shown = (term: Term, value: string) =>
    term === 'defaultStpMode' ? (t[value as (typeof STP_MODES)[number]] ?? value) : value;
  return TERMS.flatMap((term) => {
    const value = changes[term];
    if (value === undefined) return [];
    const was = before[term] === '' ? undefined : shown(term, before[term]);
    return [{ name: t[term], before: was, after: shown(term, value) }];
  });
}
