// The frame's own shape while the first answer is on its way, so that nothing moves when it comes.
import { useTexts } from '../i18n/texts.ts';
import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';
import { Mark } from './mark.tsx';
import { texts } from './texts.ts';

export function Starting() {
  const t = useTexts(texts);
  return (
    <div className="flex h-dvh flex-col bg-background">
      <div className="flex h-13 shrink-0 items-center border-b border-line bg-panel px-4">
        <Mark className="size-7" />
      </div>
      <div className="flex min-h-0 flex-1">
        <div className="hidden w-68 shrink-0 border-e border-line bg-panel desktop:block" />
        <div className="mx-auto w-full max-w-4xl p-4">
          <SkeletonGroup label={t.starting}>
            <Skeleton className="mb-6 h-7 w-40" />
            {Array.from({ length: 8 }, (_value, index) => (
              <Skeleton key={index} className="mb-3 h-9 rounded-control" />
            ))}
          </SkeletonGroup>
        </div>
      </div>
    </div>
  );
}
