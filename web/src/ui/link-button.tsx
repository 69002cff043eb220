import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import type { IconName } from './icon-paths.ts';
import { Icon } from './icon.tsx';

export interface LinkButtonProps {
  href: string;
  children: ReactNode;
  icon?: IconName | undefined;
  size?: 'normal' | 'small' | undefined;
  variant?: 'primary' | 'secondary' | undefined;
  className?: string | undefined;
}

/** A link that looks like a button: it leads somewhere, so it opens in another tab as links do. */
export function LinkButton({
  href,
  children,
  icon,
  size = 'normal',
  variant = 'secondary',
  className,
}: LinkButtonProps) {
  return (
    <a
      href={href}
      className={classes(
        'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control font-medium whitespace-nowrap',
        size === 'small' ? 'h-control-small px-2.5 text-small' : 'h-control px-3.5 text-base',
        variant === 'primary'
          ? 'bg-primary text-on-primary hover:bg-primary-hover'
          : 'border border-edge bg-raised text-text shadow-raised hover:bg-hover',
        className,
      )}
    >
      {icon !== undefined && <Icon name={icon} className="-ms-0.5 size-4.5" />}
      <span className="truncate">{children}</span>
    </a>
  );
}
