import { lazy, Suspense } from 'react';
import type { BesideProps } from '../../ui/opener.ts';
import type { EmojiPopoverProps } from './popover.tsx';

const EmojiPopover = lazy(() => import('./popover.tsx'));

interface EmojiBesideProps extends Omit<EmojiPopoverProps, keyof BesideProps> {
  /** Of the button's opener. */
  readonly beside: BesideProps | undefined;
}

/** The picker beside the button that opens it, fetched with the first one. */
export function EmojiBeside({ beside, ...rest }: EmojiBesideProps) {
  if (beside === undefined) return null;
  return (
    <Suspense>
      <EmojiPopover {...beside} {...rest} />
    </Suspense>
  );
}
