import type { Requested } from '../api/administration.ts';
import { useTexts } from '../i18n/texts.ts';
import { Banner, type BannerTone } from '../ui/banner.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { texts } from './texts.ts';

const TONES: Readonly<Record<Requested['status'], BannerTone>> = {
  done: 'success',
  awaiting_approval: 'warning',
  waiting: 'warning',
  refused: 'danger',
  withdrawn: 'info',
};

/** What came of an act, until it is dismissed. */
export function Outcome({
  what,
  result: { status, message },
  onDismiss,
}: {
  /** What was asked for. */
  readonly what: string;
  readonly result: Pick<Requested, 'status' | 'message'>;
  readonly onDismiss: () => void;
}) {
  const t = useTexts(texts);
  const said = {
    done: t.done,
    awaiting_approval: t.awaiting,
    waiting: t.waiting,
    refused: t.refused({ message }),
    withdrawn: t.withdrawn,
  }[status];
  return (
    <Banner
      tone={TONES[status]}
      onDismiss={onDismiss}
      action={
        status === 'awaiting_approval' ? (
          <LinkButton size="small" href="/admin/approvals">
            {t.openApprovals}
          </LinkButton>
        ) : undefined
      }
    >
      <span className="font-medium">{what}</span> {said}
    </Banner>
  );
}
