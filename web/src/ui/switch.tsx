import type { ReactNode } from 'react';
import {
  Switch as AriaSwitch,
  type SwitchProps as AriaSwitchProps,
} from 'react-aria-components/Switch';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';

export interface SwitchProps extends Omit<AriaSwitchProps, 'className' | 'style' | 'children'> {
  children: ReactNode;
  /** What it changes, in a line below the name. */
  description?: ReactNode;
  className?: string | undefined;
}

/** On or off, at once. The knob stands at the other end and carries a mark, so that no colour is needed. */
export function Switch({ children, description, className, ...rest }: SwitchProps) {
  return (
    <AriaSwitch
      {...rest}
      className={classes(
        'group flex min-h-control items-center gap-3 data-disabled:text-muted data-focus-visible:outline-none',
        className,
      )}
    >
      {({ isSelected }) => (
        <>
          <span className="flex min-w-0 flex-1 flex-col">
            <span>{children}</span>
            {description !== undefined && (
              <span className="text-small text-muted">{description}</span>
            )}
          </span>
          <span
            className={classes(
              'flex h-5 w-9 shrink-0 items-center rounded-full border px-px transition-colors duration-150',
              'outline-offset-2 outline-focus group-data-focus-visible:outline-2',
              isSelected
                ? 'border-primary bg-primary group-data-disabled:border-line group-data-disabled:bg-pressed'
                : 'border-control bg-hover group-data-disabled:border-line',
            )}
          >
            <span
              className={classes(
                'flex size-4 items-center justify-center rounded-full shadow-raised transition-transform duration-150 ease-out',
                isSelected ? 'translate-x-4 bg-on-primary rtl:-translate-x-4' : 'bg-control',
              )}
            >
              {isSelected && <Icon name="check" className="size-3 text-primary" />}
            </span>
          </span>
        </>
      )}
    </AriaSwitch>
  );
}
