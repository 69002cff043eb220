// What stands where an answer will be: its shape, the reason why it did not come, or the wish for a proof.
import type { ReactNode } from 'react';
import { FailureState } from '../asked/failure.tsx';
import type { Asking } from '../asked/use-asked.ts';
import { useTexts } from '../i18n/texts.ts';
import { NotConfirmed } from '../settings/step-up/provider.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';
import { texts } from './texts.ts';

export function Looked<T>({
  asking: { asked, again },
  children,
}: {
  readonly asking: Asking<T>;
  readonly children: (value: T, isRefreshing: boolean) => ReactNode;
}) {
  const t = useTexts(texts);
  if (asked.state === 'known') return children(asked.value, asked.isRefreshing);
  if (asked.state === 'asking') {
    return (
      <SkeletonGroup>
        {Array.from({ length: 5 }, (_value, index) => (
          <Skeleton key={index} className="my-2 h-11 w-full" />
        ))}
      </SkeletonGroup>
    );
  }
  if (asked.error instanceof NotConfirmed) {
    return (
      <EmptyState icon="lock" action={<Button onPress={again}>{t.prove}</Button>}>
        {t.proveFirst}
      </EmptyState>
    );
  }
  return <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />;
}
