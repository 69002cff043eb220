// What stands where a list will be: its shape while it loads, the reason if it failed.
import { RialtoError } from '@rialto/sdk';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';
import { reasonOf } from './reason.ts';
import { commonTexts } from './texts.ts';
import type { Asked } from './use-asked.ts';

export function AskedList<T>({
  answer,
  onRetry,
  children,
}: {
  readonly answer: Asked<T>;
  readonly onRetry: () => void;
  readonly children: (value: T) => ReactNode;
}) {
  const t = useTexts(commonTexts);
  if (answer.kind === 'there') return children(answer.value);
  if (answer.kind === 'failed') {
    const { error } = answer;
    return (
      <ErrorState
        what={t.loadFailed}
        why={reasonOf(error)}
        onRetry={onRetry}
        reference={error instanceof RialtoError ? error.requestId : undefined}
      />
    );
  }
  return (
    <SkeletonGroup>
      <Skeleton className="mb-2 h-12 rounded-control" />
      <Skeleton className="mb-2 h-12 rounded-control" />
      <Skeleton className="h-12 rounded-control" />
    </SkeletonGroup>
  );
}
