// The last look before coins leave for good. The whole address is there, in groups that eyes can compare.
import type { WithdrawQuote } from '@rialto/sdk';
import { lazy, Suspense } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { QuoteTerms } from './quote.tsx';
import { texts } from './texts.ts';

const ConfirmDialog = lazy(() =>
  import('../../ui/confirm-dialog.tsx').then((file) => ({ default: file.ConfirmDialog })),
);
const GROUP = /.{1,4}/gu;

export function Review({
  quote,
  address,
  memo,
  write,
  isPending,
  onConfirm,
  onClose,
}: {
  readonly quote: WithdrawQuote;
  readonly address: string;
  readonly memo: string;
  readonly write: (value: string) => string;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  return (
    <Suspense>
      <ConfirmDialog
        isOpen
        onOpenChange={onClose}
        title={t.reviewTitle}
        act={t.act({ amount: write(quote.amount) })}
        variant="primary"
        isPending={isPending}
        onConfirm={onConfirm}
      >
        <div className="flex flex-col gap-3">
          <p>{t.reviewWhy}</p>
          <code
            dir="ltr"
            aria-label={address}
            className="flex flex-wrap gap-x-2 rounded-control border border-line bg-page p-3 text-start"
          >
            {(address.match(GROUP) ?? []).map((group, place) => (
              <span key={`${place} ${group}`}>{group}</span>
            ))}
          </code>
          {memo !== '' && (
            <p>
              {t.memo}: <code dir="ltr">{memo}</code>
            </p>
          )}
          <QuoteTerms quote={quote} write={write} />
        </div>
      </ConfirmDialog>
    </Suspense>
  );
}
