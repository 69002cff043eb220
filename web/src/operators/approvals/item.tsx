import type { ReactNode } from 'react';
import type { Pending } from '../../api/administration.ts';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { grantOfAct } from '../grants.ts';
import { useMay } from '../use-operator.ts';
import { texts } from './texts.ts';

export type Decision = 'approve' | 'reject' | 'takeBack';

const TONES: Readonly<Record<string, Tone>> = {
  awaiting_approval: 'warning',
  waiting: 'accent',
};

export function PendingItem({
  item,
  onDecide,
}: {
  readonly item: Pending;
  readonly onDecide: (decision: Decision) => void;
}) {
  const t = useTexts(texts);
  const { requestId: id, status, requestedBy } = item;
  const isOwn = useStore().client.boot.user.email === requestedBy;
  const grant = grantOfAct(item.act);
  const mayDecide = useMay()(grant);
  const isOpen = status === 'awaiting_approval';
  const word = status === 'waiting' || status === 'expired' ? t[status] : t.awaiting_approval;
  const end: Decision = isOwn ? 'takeBack' : 'reject';
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
      <Asked item={item}>
        <Badge tone={TONES[status] ?? 'neutral'}>{word}</Badge>
      </Asked>
      {isOwn && isOpen && <p className="text-small text-muted">{t.ownRequest}</p>}
      {!mayDecide && <p className="text-small text-muted">{t.noGrant({ grant })}</p>}
      {mayDecide && status !== 'expired' && (
        <div className="flex flex-wrap gap-2">
          {isOpen && !isOwn && (
            <Button
              variant="primary"
              size="small"
              aria-label={t.approveOf({ id })}
              onPress={() => onDecide('approve')}
            >
              {t.approve}
            </Button>
          )}
          <Button
            size="small"
            aria-label={(isOwn ? t.takeBackOf : t.rejectOf)({ id })}
            onPress={() => onDecide(end)}
          >
            {t[end]}
          </Button>
        </div>
      )}
    </li>
  );
}

/** What was asked for, as the approver has to see it. */
export function Asked({
  item: { requestId, act, subject, reason, requestedBy, createdAt, terms },
  children,
}: {
  readonly item: Pending;
  readonly children?: ReactNode;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p className="flex flex-wrap items-center gap-2">
        <bdi dir="ltr" className="font-medium">
          {requestId}: {act}
        </bdi>
        {children}
      </p>
      <p>
        <bdi dir="ltr" className="break-words">
          {subject}
        </bdi>
      </p>
      <p>
        <span className="text-muted">{t.reason}:</span> <bdi>{reason}</bdi>
      </p>
      <p className="text-small text-muted">
        {t.askedBy({
          who: `\u2068${requestedBy}\u2069`,
          time: writeMoment(Number(createdAt), locale),
        })}
      </p>
      <details className="text-small">
        <summary className="w-fit cursor-default rounded-small text-accent">{t.terms}</summary>
        <pre
          dir="ltr"
          tabIndex={0}
          className="mt-1 max-h-60 overflow-auto rounded-control border border-line bg-background p-3 font-mono"
        >
          {JSON.stringify(terms, null, 2)}
        </pre>
      </details>
    </div>
  );
}
