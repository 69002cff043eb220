import {
  Popover as AriaPopover,
  type PopoverProps as AriaPopoverProps,
} from 'react-aria-components/Popover';
import { classes } from './classes.ts';

export { Dialog as PopoverDialog, DialogTrigger } from 'react-aria-components/Dialog';

export interface PopoverProps extends Omit<AriaPopoverProps, 'className' | 'style'> {
  className?: string | undefined;
}

/** A surface beside its opener. For a list of acts take Menu; for anything else put a PopoverDialog with a label in it. */
export function Popover({ className, ...rest }: PopoverProps) {
  return (
    <AriaPopover
      offset={6}
      {...rest}
      className={classes(
        'max-w-[calc(100vw-1rem)] overflow-auto rounded-panel bg-raised shadow-overlay outline-none data-entering:appear',
        className,
      )}
    />
  );
}
