import type { ReactNode } from 'react';
import {
  Checkbox as AriaCheckbox,
  type CheckboxProps as AriaCheckboxProps,
} from 'react-aria-components/Checkbox';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';

export interface CheckboxProps extends Omit<AriaCheckboxProps, 'className' | 'style' | 'children'> {
  children: ReactNode;
  className?: string | undefined;
}

export function Checkbox({ children, className, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...rest}
      className={classes(
        'group inline-flex min-h-control items-center gap-2.5 data-disabled:text-muted',
        'outline-none data-focus-visible:outline-none',
        className,
      )}
    >
      {({ isSelected, isIndeterminate }) => (
        <>
          <span
            className={classes(
              'flex size-4.5 shrink-0 items-center justify-center rounded-small border transition-colors duration-100',
              'outline-offset-2 outline-focus group-data-focus-visible:outline-2',
              isSelected || isIndeterminate
                ? 'border-primary bg-primary text-on-primary group-data-disabled:border-line group-data-disabled:bg-hover group-data-disabled:text-muted'
                : 'border-control bg-field group-data-hovered:bg-hover group-data-invalid:border-danger group-data-disabled:border-line group-data-disabled:bg-hover',
            )}
          >
            {isIndeterminate ? (
              <span className="h-0.5 w-2 rounded-full bg-current" />
            ) : (
              isSelected && <Icon name="check" className="size-3.5" />
            )}
          </span>
          <span>{children}</span>
        </>
      )}
    </AriaCheckbox>
  );
}
