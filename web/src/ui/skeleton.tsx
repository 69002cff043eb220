import { useEffect, useState, type ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { classes } from './classes.ts';
import { texts } from './texts.ts';

/** What is shown sooner than this would only flicker. */
const PATIENCE_MS = 150;

/** Whether the wait has become long enough to show it. */
export function usePatience(isWaiting: boolean, patienceMs = PATIENCE_MS): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLong(true), patienceMs);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isWaiting, patienceMs]);
  return isWaiting && isLong;
}

/** A grey shape where a text or a picture will be: give it the size of what comes, so that nothing shifts. */
export function Skeleton({
  className,
  isRound = false,
}: {
  className?: string | undefined;
  isRound?: boolean | undefined;
}) {
  return (
    <span
      className={classes(
        'block animate-pulse bg-pressed',
        isRound ? 'rounded-full' : 'rounded-small',
        className,
      )}
    />
  );
}

/** The shapes of a part that is loading. It keeps their place from the start and shows them after 150 ms. */
export function SkeletonGroup({
  children,
  label,
}: {
  children: ReactNode;
  label?: string | undefined;
}) {
  const t = useTexts(texts);
  const isLong = usePatience(true);
  return (
    <div role="status" aria-busy className={isLong ? undefined : 'invisible'}>
      <span className="sr-only">{label ?? t.loading}</span>
      <div aria-hidden>{children}</div>
    </div>
  );
}
