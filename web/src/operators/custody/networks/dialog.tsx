import type { CustodyNetwork } from '../../../api/custody.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { ActDialog } from '../../act-dialog.tsx';
import { useOperatorAct } from '../../use-operator.ts';
import type { Said } from '../part.ts';
import { texts } from './texts.ts';

/** Pauses a network, or ends the pause of operators. */
export function NetworkDialog({
  network: { network, heldReason },
  onDone,
  onClose,
}: {
  readonly network: CustodyNetwork;
  readonly onDone: (said: Said) => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const { run, isRunning, error } = useOperatorAct<{ readonly isHeld: boolean }>();
  const isPause = heldReason === '';
  const title = (isPause ? t.pauseOf : t.resumeOf)({ network });
  const go = async (reason: string) => {
    const done = await run({
      path: isPause ? '/custody/pause' : '/custody/resume',
      params: { network, reason },
    });
    if (done !== undefined) onDone({ text: (isPause ? t.pausedNow : t.resumedNow)({ network }) });
  };
  return (
    <ActDialog
      title={title}
      act={title}
      mustType={network}
      isRunning={isRunning}
      error={error}
      onRun={(reason) => void go(reason)}
      onClose={onClose}
    >
      <p>{isPause ? t.pauseWhy : t.resumeWhy}</p>
    </ActDialog>
  );
}
