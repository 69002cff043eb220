// A list that the venue gives page by page, newest first.
import { useState, type ReactNode } from 'react';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { texts } from './texts.ts';

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string;
}

export function Pages<T>({
  name,
  ask,
  children,
}: {
  /** Says all that the answer depends on, but the page. */
  readonly name: string;
  readonly ask: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;
  readonly children: (items: readonly T[], isFirst: boolean) => ReactNode;
}) {
  const t = useTexts(texts);
  // Where the pages begin that were looked at; the last one is shown.
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const cursor = cursors.at(-1);
  const { asked, again } = useAsked(`${name} ${cursor ?? ''}`, (signal) => ask(cursor, signal));
  if (asked.state === 'asking') {
    return (
      <SkeletonGroup>
        {Array.from({ length: 4 }, (_value, index) => (
          <Skeleton key={index} className="my-2 h-9 w-full" />
        ))}
      </SkeletonGroup>
    );
  }
  if (asked.state === 'failed')
    return <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />;
  const { items, nextCursor } = asked.value;
  const isFirst = cursors.length === 1;
  return (
    <div className="flex flex-col gap-3">
      {children(items, isFirst)}
      {(!isFirst || nextCursor !== '') && (
        <nav aria-label={t.pages} className="flex gap-2">
          <Button
            size="small"
            isDisabled={isFirst}
            onPress={() => setCursors((all) => all.slice(0, -1))}
          >
            {t.newer}
          </Button>
          <Button
            size="small"
            isDisabled={nextCursor === ''}
            onPress={() => setCursors((all) => [...all, nextCursor])}
          >
            {t.older}
          </Button>
        </nav>
      )}
    </div>
  );
}

/** Both without doubles, the first ones first. */
export function merge<T>(
  first: readonly T[],
  others: readonly T[],
  keyOf: (one: T) => string,
): readonly T[] {
  const seen = new Set(first.map(keyOf));
  return [...first, ...others.filter((one) => !seen.has(keyOf(one)))];
}
