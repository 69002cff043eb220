import type { MarketDetail } from '@rialto/sdk';
import { useState } from 'react';
import type { Requested } from '../../api/administration.ts';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { ActDialog } from '../act-dialog.tsx';
import { texts as common } from '../texts.ts';
import { useOperatorAct } from '../use-operator.ts';
import { nameOf } from './name.ts';
import { texts } from './texts.ts';

type Phase = MarketDetail['phase'];

/** All but the first: a market never goes back to where it began. */
const TARGETS: readonly Phase[] = [
  'continuous',
  'auction',
  'post_only',
  'cancel_only',
  'halted',
  'delisted',
];
/** In these a market takes orders. */
const OPENING: readonly Phase[] = ['continuous', 'post_only', 'auction'];

/** While a market stands in one of these, traders see why. */
const EXPLAINED: readonly Phase[] = ['halted', 'cancel_only', 'post_only'];

const MINUTE_MS = 60_000;
/** The engine takes no auction longer than a day. */
const MINUTES_MAX = 1440;

export interface MarketDialogProps {
  readonly market: MarketDetail;
  readonly onDone: (what: string, result: Requested) => void;
  readonly onClose: () => void;
}

export function PhaseDialog({
  market,
  start,
  onDone,
  onClose,
}: MarketDialogProps & {
  /** The phase that is meant; undefined lets the operator choose. */
  readonly start: Phase | undefined;
}) {
  const t = useTexts(texts);
  const phases = useTexts(common);
  const { run, isRunning, error } = useOperatorAct();
  // An auction may be given another end while it is on.
  const choices = TARGETS.filter((phase) => phase !== market.phase || phase === 'auction');
  const [phase, setPhase] = useState<Phase>(start ?? choices[0] ?? 'halted');
  // Undefined: an operator ends it.
  const [minutes, setMinutes] = useState<string | undefined>('10');
  const name = nameOf(market);
  const isHalt = start === 'halted';
  const title = isHalt ? t.haltOf({ market: name }) : t.changeOf({ market: name });
  const isTimed = phase === 'auction' && minutes !== undefined;
  const act = async (reason: string) => {
    const { symbol } = market;
    const result = await run({
      path: '/market/phase',
      params: {
        symbol,
        phase,
        reason,
        until: isTimed ? String(Date.now() + Number(minutes) * MINUTE_MS) : undefined,
        confirm: phase === 'delisted' ? symbol : undefined,
      },
    });
    if (result !== undefined) onDone(`${name}: ${phases[phase]}.`, result);
  };
  return (
    <ActDialog
      title={title}
      act={isHalt ? t.haltOf({ market: name }) : t.change}
      mustType={market.symbol}
      isDisabled={isTimed && !areMinutes(minutes)}
      reasonNote={EXPLAINED.includes(phase) ? t.publicReason : undefined}
      isRunning={isRunning}
      error={error}
      onRun={(reason) => void act(reason)}
      onClose={onClose}
    >
      {!isHalt && (
        <Select
          label={t.newPhase}
          value={phase}
          onChange={setPhase}
          choices={choices.map((value) => ({ value, label: phases[value] }))}
        />
      )}
      <p>
        {t[phase]} {OPENING.includes(phase) && t.second}
      </p>
      {phase === 'auction' && <AuctionEnd minutes={minutes} onChange={setMinutes} />}
    </ActDialog>
  );
}

const areMinutes = (text: string): boolean =>
  /^\d{1,4}$/u.test(text) && Number(text) >= 1 && Number(text) <= MINUTES_MAX;

function AuctionEnd({
  minutes,
  onChange,
}: {
  readonly minutes: string | undefined;
  readonly onChange: (minutes: string | undefined) => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  return (
    <>
      <RadioGroup
        label={t.ends}
        value={minutes === undefined ? 'operator' : 'itself'}
        onChange={(value) => onChange(value === 'operator' ? undefined : '10')}
        choices={[
          { value: 'itself', label: t.endsByItself },
          { value: 'operator', label: t.endsByOperator },
        ]}
      />
      {minutes !== undefined && (
        <NumberField
          label={t.minutes}
          value={minutes}
          onChange={onChange}
          error={
            minutes === '' || areMinutes(minutes) ? undefined : t.minutesRule({ max: MINUTES_MAX })
          }
          description={
            areMinutes(minutes)
              ? t.endsAt({
                  time: writeMoment(Date.now() + Number(minutes) * MINUTE_MS, locale),
                })
              : undefined
          }
        />
      )}
    </>
  );
}
