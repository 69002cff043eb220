import { decimal, type FeeTier } from '@rialto/sdk';
import { useState } from 'react';
import type { Requested } from '../../api/administration.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal, writePlain } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { percentOf } from '../../wallet/limits/tiers.ts';
import { ReviewedAct } from '../review/reviewed-act.tsx';
import { texts as review } from '../review/texts.ts';
import { useOperatorAct } from '../use-operator.ts';
import { makerProblem, millionthsOf, RATE_MAX, takerProblem, type RateProblem } from './rates.ts';
import { texts } from './texts.ts';

const TIER_MAX = 1000;
const FIELDS = ['number', 'makerRate', 'takerRate', 'volume'] as const;
type Field = (typeof FIELDS)[number];
type Values = Readonly<Record<Field, string>>;

const NO_TIER: Values = { number: '', makerRate: '', takerRate: '', volume: '' };

const valuesOf = ({ tier, makerFee, takerFee, minVolume30d }: FeeTier): Values => ({
  number: tier,
  makerRate: percentOf(makerFee),
  takerRate: percentOf(takerFee),
  volume: minVolume30d,
});

export function TierDialog({
  tier,
  taken,
  onDone,
  onClose,
}: {
  /** Undefined for a new one. */
  readonly tier: FeeTier | undefined;
  readonly taken: readonly string[];
  readonly onDone: (what: string, result: Requested) => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const r = useTexts(review);
  const locale = useLocale();
  const { run, isRunning, error, forget } = useOperatorAct();
  const [before] = useState(() => (tier === undefined ? NO_TIER : valuesOf(tier)));
  const [values, setValues] = useState(before);
  const errors = useErrors(values, tier === undefined ? taken : []);
  const changed = FIELDS.filter((field) => isOther(before[field], values[field]));
  const wrong = FIELDS.find((field) => errors[field] !== undefined);
  const missing = FIELDS.find((field) => values[field] === '' && field !== 'volume');
  const problem =
    wrong !== undefined
      ? r.look({ field: t[wrong] })
      : missing !== undefined
        ? r.missing({ field: t[missing] })
        : changed.length === 0
          ? r.nothing
          : undefined;
  const shownTier = values.number === '' ? '' : writePlain(values.number, locale);
  const act = async () => {
    const result = await run({
      path: '/fees/define',
      params: {
        tier: values.number,
        makerMillionths: millionthsOf(values.makerRate),
        takerMillionths: millionthsOf(values.takerRate),
        ...(values.volume !== '' && { minVolume: values.volume }),
      },
    });
    if (result !== undefined) onDone(t.defined({ tier: shownTier }), result);
  };
  const field = (name: Field) => ({
    label: t[name],
    value: values[name],
    onChange: (value: string) => setValues((now) => ({ ...now, [name]: value })),
    error: errors[name],
  });
  return (
    <ReviewedAct
      title={tier === undefined ? t.add : t.changeOf({ tier: shownTier })}
      act={tier === undefined ? t.add : t.change}
      mustType={`tier ${values.number}`}
      hasReason={false}
      note={t.why}
      changes={changed.map((name) => ({
        name: t[name],
        before: before[name] === '' ? undefined : before[name],
        after: values[name],
      }))}
      problem={problem}
      isRunning={isRunning}
      error={error}
      onRun={() => void act()}
      onForget={forget}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 max-tablet:grid-cols-1">
        <NumberField
          {...field('number')}
          description={t.numberNote}
          isReadOnly={tier !== undefined}
          isRequired
        />
        <NumberField {...field('volume')} placeholder={writeDecimal('0', locale)} />
        <NumberField {...field('makerRate')} unit="%" description={t.makerNote} isRequired />
        <NumberField {...field('takerRate')} unit="%" isRequired />
      </div>
    </ReviewedAct>
  );
}

const isOther = (before: string, after: string): boolean =>
  after !== '' && (before === '' || !decimal.equals(before, after));

function useErrors(
  { number, makerRate, takerRate, volume }: Values,
  taken: readonly string[],
): Partial<Record<Field, string | undefined>> {
  const t = useTexts(texts);
  const r = useTexts(review);
  const locale = useLocale();
  const isTier = /^\d{1,4}$/u.test(number) && Number(number) <= TIER_MAX;
  const explain = (problem: RateProblem | undefined) =>
    problem === undefined || problem === 'missing'
      ? undefined
      : problem === 'range'
        ? t.range({ max: writeDecimal(RATE_MAX, locale) })
        : t[problem];
  return {
    number:
      number === ''
        ? undefined
        : !isTier
          ? r.whole({ min: 0, max: TIER_MAX, given: `\u2066${writePlain(number, locale)}\u2069` })
          : taken.includes(number)
            ? t.taken
            : undefined,
    makerRate: explain(makerProblem(makerRate, takerRate)),
    takerRate: explain(takerProblem(takerRate)),
    volume: volume.startsWith('-') ? r.notNegative : undefined,
  };
}
