import type { MarketDetail } from '@rialto/sdk';
import { useState } from 'react';
import type { Requested } from '../../api/administration.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Select } from '../../ui/select.tsx';
import { ActDialog } from '../act-dialog.tsx';
import { texts as common } from '../texts.ts';
import { useOperatorAct } from '../use-operator.ts';
import { nameOf } from './name.ts';
import { texts } from './texts.ts';

type Phase = MarketDetail['phase'];

/** A market never goes back to where it began. An auction needs its end, which the command line asks for. */
const TARGETS: readonly Phase[] = ['continuous', 'post_only', 'cancel_only', 'halted', 'delisted'];
/** In these a market takes orders. */
const OPENING: readonly Phase[] = ['continuous', 'post_only'];

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
  const choices = TARGETS.filter((phase) => phase !== market.phase);
  const [phase, setPhase] = useState<Phase>(start ?? choices[0] ?? 'halted');
  const name = nameOf(market);
  const isHalt = start === 'halted';
  const title = isHalt ? t.haltOf({ market: name }) : t.changeOf({ market: name });
  const act = async (reason: string) => {
    const { symbol } = market;
    const result = await run({
      path: '/market/phase',
      params: { symbol, phase, reason, confirm: phase === 'delisted' ? symbol : undefined },
    });
    if (result !== undefined) onDone(`${name}: ${phases[phase]}.`, result);
  };
  return (
    <ActDialog
      title={title}
      act={isHalt ? t.haltOf({ market: name }) : t.change}
      mustType={market.symbol}
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
    </ActDialog>
  );
}
