import type { ReactNode } from 'react';
import type { IconName } from './icon-paths.ts';
import { Icon } from './icon.tsx';

export interface EmptyStateProps {
  icon: IconName;
  /** One sentence on what belongs here. */
  children: ReactNode;
  /** One button or link. */
  action?: ReactNode;
}

export function EmptyState({ icon, children, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-3 px-6 py-12 text-center">
      <span className="flex size-12 items-center justify-center rounded-full bg-hover text-muted">
        <Icon name={icon} className="size-6" />
      </span>
      <p className="text-pretty text-muted">{children}</p>
      {action}
    </div>
  );
}
