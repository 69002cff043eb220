import { useState } from 'react';
import type { CustodyPayment, ResolvedPayment } from '../../../api/custody.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useStore } from '../../../state/react.ts';
import { RadioGroup } from '../../../ui/radio-group.tsx';
import { ActDialog } from '../../act-dialog.tsx';
import { useOperatorAct } from '../../use-operator.ts';
import type { Said } from '../part.ts';
import { PaymentFacts } from './facts.tsx';
import { texts } from './texts.ts';
import { WAYS, waysOf, type PaymentAct } from './ways.ts';

export function PaymentDialog({
  act,
  payment,
  onDone,
  onClose,
}: {
  readonly act: PaymentAct;
  readonly payment: CustodyPayment;
  readonly onDone: (said: Said) => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const { email } = useStore().client.boot.user;
  const { run, isRunning, error } = useOperatorAct<ResolvedPayment>();
  const ways = waysOf(payment);
  const [way, setWay] = useState(ways[0]);
  const { paymentId } = payment;
  const id = paymentId;
  const isBump = act === 'bump';
  const hasDecided = payment.decisions.some((one) => one.way === way && one.email === email);
  const why = { retry: t.retryWhy, void: t.voidWhy, drop: t.dropWhy };
  const go = async (reason: string) => {
    const done = await run(
      isBump
        ? { path: '/payment/bump', params: { paymentId } }
        : { path: '/payment/resolve', params: { paymentId, way, reason } },
    );
    if (done === undefined) return;
    if (isBump) onDone({ text: t.bumpedNow({ id }) });
    else
      onDone({
        text: (done.isDone ? t.resolvedNow : t.resolvedHalf)({ id }),
        isHalf: !done.isDone,
      });
  };
  return (
    <ActDialog
      title={(isBump ? t.bumpOf : t.resolveOf)({ id })}
      act={isBump ? t.bump : t.resolve}
      mustType={id}
      hasReason={!isBump}
      isDisabled={!isBump && (way === undefined || hasDecided)}
      isRunning={isRunning}
      error={error}
      onRun={(reason) => void go(reason)}
      onClose={onClose}
    >
      {isBump && <p>{t.bumpWhy}</p>}
      <PaymentFacts payment={payment} />
      {!isBump && (
        <RadioGroup
          label={t.way}
          value={way ?? ''}
          onChange={(value) => setWay(WAYS.find((one) => one === value))}
          choices={ways.map((value) => ({ value, label: t[value], description: why[value] }))}
        />
      )}
      {!isBump && hasDecided && (
        <p role="status" className="text-small text-muted">
          {t.youDecided}
        </p>
      )}
    </ActDialog>
  );
}
