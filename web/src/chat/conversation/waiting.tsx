import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

const WIDTHS = ['w-3/5', 'w-2/5', 'w-4/5', 'w-1/2', 'w-2/3', 'w-2/5', 'w-3/4', 'w-1/2'];

/** The shape of messages, where they will be. */
export function WaitingMessages({ label }: { readonly label: string }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-end overflow-hidden px-4 pb-4">
      <SkeletonGroup label={label}>
        {WIDTHS.map((width, index) => (
          <div key={index} className="grid grid-cols-[2.25rem_1fr] gap-3 py-3">
            <Skeleton className="size-9 rounded-full" />
            <div className="flex flex-col gap-2">
              <Skeleton className="h-3.5 w-32" />
              <Skeleton className={`h-3.5 ${width}`} />
            </div>
          </div>
        ))}
      </SkeletonGroup>
    </div>
  );
}
