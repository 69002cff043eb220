// Withdrawals that wait for an operator, each with what one has to know to decide.
import { lazy, Suspense, useState } from 'react';
import type { AwaitingWithdrawal } from '../../../api/custody.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Section } from '../../../settings/section.tsx';
import { useStore } from '../../../state/react.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { PartProps } from '../part.ts';
import type { Decision } from './dialog.tsx';
import { WithdrawalFacts } from './facts.tsx';
import { texts } from './texts.ts';

const WithdrawalDialog = lazy(() =>
  import('./dialog.tsx').then((file) => ({ default: file.WithdrawalDialog })),
);

export function Withdrawals({ custody, mayAct, onDone }: PartProps) {
  const t = useTexts(texts);
  const [doing, setDoing] = useState<{ decision: Decision; item: AwaitingWithdrawal }>();
  return (
    <Section title={t.title} note={t.note}>
      {custody.withdrawals.length === 0 && <EmptyState icon="check">{t.none}</EmptyState>}
      <ul className="flex flex-col divide-y divide-line">
        {custody.withdrawals.map((item) => (
          <Item
            key={item.withdrawal.withdrawId}
            item={item}
            mayAct={mayAct}
            onDecide={(decision) => setDoing({ decision, item })}
          />
        ))}
      </ul>
      {doing !== undefined && (
        <Suspense>
          <WithdrawalDialog
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
  item,
  mayAct,
  onDecide,
}: {
  readonly item: AwaitingWithdrawal;
  readonly mayAct: boolean;
  readonly onDecide: (decision: Decision) => void;
}) {
  const t = useTexts(texts);
  const { email } = useStore().client.boot.user;
  const id = item.withdrawal.withdrawId;
  const isOwn = item.ownerEmail === email;
  const hasApproved = item.approvedBy.some((one) => one.email === email);
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
      <WithdrawalFacts item={item} />
      {mayAct && isOwn && <p className="text-small text-muted">{t.own}</p>}
      {mayAct && !isOwn && hasApproved && (
        <p className="text-small text-muted">{t.approvedByYou}</p>
      )}
      {mayAct && !isOwn && (
        <div className="flex flex-wrap gap-2">
          {!hasApproved && (
            <Button
              variant="primary"
              size="small"
              aria-label={t.approveOf({ id })}
              onPress={() => onDecide('approve')}
            >
              {t.approve}
            </Button>
          )}
          <Button size="small" aria-label={t.rejectOf({ id })} onPress={() => onDecide('reject')}>
            {t.reject}
          </Button>
        </div>
      )}
    </li>
  );
}
