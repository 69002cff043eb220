import type { ReactNode } from 'react';
import {
  Header,
  Keyboard,
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  Separator,
  type MenuItemProps as AriaMenuItemProps,
  type MenuProps as AriaMenuProps,
} from 'react-aria-components/Menu';
import { classes } from './classes.ts';
import type { IconName } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import { Popover, type PopoverProps } from './popover.tsx';

export { MenuTrigger } from 'react-aria-components/Menu';

export interface MenuProps<T extends object> extends Omit<AriaMenuProps<T>, 'className' | 'style'> {
  placement?: PopoverProps['placement'];
  /** What a MenuTrigger would say: whether it is open, and beside what. */
  popover?: Pick<PopoverProps, 'isOpen' | 'onOpenChange' | 'triggerRef'>;
}

/** The acts of a thing. Stands in a MenuTrigger, after the button that opens it; MenuButton opens one that is fetched then. */
export function Menu<T extends object>({
  placement = 'bottom start',
  popover,
  ...rest
}: MenuProps<T>) {
  const label = rest['aria-label'];
  return (
    <Popover
      {...popover}
      {...(label === undefined ? {} : { 'aria-label': label })}
      placement={placement}
      className="min-w-48"
    >
      <AriaMenu {...rest} className="max-h-[inherit] overflow-auto p-1 outline-none" />
    </Popover>
  );
}

export interface MenuItemProps extends Omit<AriaMenuItemProps, 'className' | 'style' | 'children'> {
  children: ReactNode;
  icon?: IconName | undefined;
  /** The keys that do the same. */
  keys?: string | undefined;
  isDanger?: boolean | undefined;
}

export function MenuItem({ children, icon, keys, isDanger = false, ...rest }: MenuItemProps) {
  return (
    <AriaMenuItem
      {...rest}
      {...(typeof children === 'string' ? { textValue: children } : {})}
      className={classes(
        'flex min-h-row cursor-default items-center gap-2.5 rounded-control px-2.5 outline-none data-disabled:text-control',
        isDanger
          ? 'text-danger data-focused:bg-danger-tint'
          : 'data-focused:bg-hover data-open:bg-hover',
      )}
    >
      {({ isSelected, selectionMode }) => (
        <>
          {selectionMode !== 'none' && (
            <span className="size-4.5">
              {isSelected && <Icon name="check" className="size-4.5 text-accent" />}
            </span>
          )}
          {icon !== undefined && (
            <Icon name={icon} className={classes('size-4.5', !isDanger && 'text-muted')} />
          )}
          <span className="min-w-0 flex-1 truncate">{children}</span>
          {keys !== undefined && (
            <Keyboard className="ms-4 font-sans text-small text-muted" dir="ltr">
              {keys}
            </Keyboard>
          )}
        </>
      )}
    </AriaMenuItem>
  );
}

export function MenuSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <AriaMenuSection>
      <Header className="px-2.5 pt-2 pb-1 text-tiny font-semibold text-muted">{title}</Header>
      {children}
    </AriaMenuSection>
  );
}

export function MenuLine() {
  return <Separator className="mx-1 my-1 h-px bg-line" />;
}
