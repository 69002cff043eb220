// Transactions that have not ended, and what operators do with one that does not go on.
import { lazy, Suspense, useState } from 'react';
import type { CustodyPayment } from '../../../api/custody.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Section } from '../../../settings/section.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { PartProps } from '../part.ts';
import { PaymentFacts } from './facts.tsx';
import { texts } from './texts.ts';
import { isBumpable, waysOf, type PaymentAct } from './ways.ts';

const PaymentDialog = lazy(() =>
  import('./dialog.tsx').then((file) => ({ default: file.PaymentDialog })),
);

export function Payments({ custody, mayAct, onDone }: PartProps) {
  const t = useTexts(texts);
  const [doing, setDoing] = useState<{ act: PaymentAct; payment: CustodyPayment }>();
  return (
    <Section title={t.title} note={t.note}>
      {custody.payments.length === 0 && <EmptyState icon="check">{t.none}</EmptyState>}
      <ul className="flex flex-col divide-y divide-line">
        {custody.payments.map((payment) => (
          <Item
            key={payment.paymentId}
            payment={payment}
            mayAct={mayAct}
            onAct={(act) => setDoing({ act, payment })}
          />
        ))}
      </ul>
      {doing !== undefined && (
        <Suspense>
          <PaymentDialog
            {...doing}
            onClose={() => setDoing(undefined)}
            onDone={(said) => {
              setDoing(undefined);
              onDone(said);
            }}
          />
        </Suspense>
      )}
    </Section>
  );
}

function Item({
  payment,
  mayAct,
  onAct,
}: {
  readonly payment: CustodyPayment;
  readonly mayAct: boolean;
  readonly onAct: (act: PaymentAct) => void;
}) {
  const t = useTexts(texts);
  const id = payment.paymentId;
  const canBump = isBumpable(payment);
  const canResolve = waysOf(payment).length > 0;
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
      <PaymentFacts payment={payment} />
      {mayAct && (canBump || canResolve) && (
        <div className="flex flex-wrap gap-2">
          {canBump && (
            <Button size="small" aria-label={t.bumpOf({ id })} onPress={() => onAct('bump')}>
              {t.bump}
            </Button>
          )}
          {canResolve && (
            <Button size="small" aria-label={t.resolveOf({ id })} onPress={() => onAct('resolve')}>
              {t.resolve}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
