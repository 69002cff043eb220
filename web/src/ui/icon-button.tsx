import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
} from 'react-aria-components/Button';
import { classes } from './classes.ts';
import type { IconName } from './icon-paths.ts';
import { Icon } from './icon.tsx';

export interface IconButtonProps extends Omit<
  AriaButtonProps,
  'className' | 'style' | 'children' | 'aria-label'
> {
  icon: IconName;
  /** What it does, verb first: it is the button's only name. */
  label: string;
  size?: 'normal' | 'small' | undefined;
  /** It is switched on, as a star that is given. */
  isOn?: boolean | undefined;
  className?: string | undefined;
}

/** A square button with an icon. Wrap it in a Tooltip where people may not know the icon. */
export function IconButton({
  icon,
  label,
  size = 'normal',
  isOn,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <AriaButton
      {...rest}
      aria-label={label}
      {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
      className={classes(
        'inline-flex shrink-0 cursor-default items-center justify-center rounded-control transition-colors duration-100',
        'data-hovered:bg-hover data-hovered:text-text data-pressed:bg-pressed data-disabled:text-control',
        size === 'small' ? 'size-control-small' : 'size-control',
        isOn === true ? 'text-accent' : 'text-muted',
        className,
      )}
    >
      <Icon name={icon} className={size === 'small' ? 'size-4' : 'size-5'} />
    </AriaButton>
  );
}
