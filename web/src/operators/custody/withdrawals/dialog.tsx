import type { AwaitingWithdrawal } from '../../../api/custody.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { ActDialog } from '../../act-dialog.tsx';
import { useOperatorAct } from '../../use-operator.ts';
import type { Said } from '../part.ts';
import { WithdrawalFacts } from './facts.tsx';
import { texts } from './texts.ts';

export type Decision = 'approve' | 'reject';

/** Shows once more what is decided on. Its terms never change, so its id is enough. */
export function WithdrawalDialog({
  decision,
  item,
  onDone,
  onClose,
}: {
  readonly decision: Decision;
  readonly item: AwaitingWithdrawal;
  readonly onDone: (said: Said) => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const { run, isRunning, error } = useOperatorAct<AwaitingWithdrawal>();
  const { withdrawId } = item.withdrawal;
  const id = withdrawId;
  const isApproval = decision === 'approve';
  const go = async (reason: string) => {
    const decided = await run(
      isApproval
        ? { path: '/withdraw/approve', params: { withdrawId } }
        : { path: '/withdraw/reject', params: { withdrawId, reason } },
    );
    if (decided === undefined) return;
    // What waits for screening still waits, though it has all approvals.
    const isHalf = decided.withdrawal.status === 'awaiting_approval';
    if (!isApproval) onDone({ text: t.rejectedNow({ id }) });
    else onDone({ text: (isHalf ? t.approvedHalf : t.approvedNow)({ id }), isHalf });
  };
  return (
    <ActDialog
      title={(isApproval ? t.approveOf : t.rejectOf)({ id })}
      act={t[decision]}
      mustType={id}
      hasReason={!isApproval}
      isRunning={isRunning}
      error={error}
      onRun={(reason) => void go(reason)}
      onClose={onClose}
    >
      <p>{isApproval ? t.approveWhy : t.rejectWhy}</p>
      <WithdrawalFacts item={item} />
    </ActDialog>
  );
}
