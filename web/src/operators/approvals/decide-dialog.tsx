import type { Decided, Pending } from '../../api/administration.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ActDialog } from '../act-dialog.tsx';
import { useOperatorAct } from '../use-operator.ts';
import { Asked, type Decision } from './item.tsx';
import { texts } from './texts.ts';

/** Shows once more what is decided on. The digest of it goes along, so that nothing else can be decided. */
export function DecideDialog({
  decision,
  item,
  onDone,
  onClose,
}: {
  readonly decision: Decision;
  readonly item: Pending;
  readonly onDone: (decided: Decided) => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const { run, isRunning, error } = useOperatorAct<Decided>();
  const { requestId, digest } = item;
  const isApproval = decision === 'approve';
  const titles = { approve: t.approveOf, reject: t.rejectOf, takeBack: t.takeBackOf };
  const go = async () => {
    const decided = await run({
      path: isApproval ? '/approve' : '/reject',
      params: { requestId, digest },
    });
    if (decided !== undefined) onDone(decided);
  };
  return (
    <ActDialog
      title={titles[decision]({ id: requestId })}
      act={t[decision]}
      mustType={requestId}
      hasReason={false}
      isRunning={isRunning}
      error={error}
      onRun={() => void go()}
      onClose={onClose}
    >
      <p>{isApproval ? t.approveWhy : t.rejectWhy}</p>
      <Asked item={item} />
      <div className="flex flex-col">
        <span className="text-small text-muted">{t.digest}</span>
        <span className="flex min-w-0 items-center gap-1">
          <bdi dir="ltr" className="min-w-0 font-mono text-small break-all">
            {digest}
          </bdi>
          <CopyButton text={digest} label={t.copyDigest} />
        </span>
      </div>
    </ActDialog>
  );
}
