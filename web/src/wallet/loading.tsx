import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';

/** The shape of a table, which most pages of the wallet are. */
export function WalletLoading() {
  return (
    <SkeletonGroup>
      <Skeleton className="mb-4 h-10 w-64 rounded-control" />
      <Skeleton className="h-72 rounded-panel" />
    </SkeletonGroup>
  );
}
