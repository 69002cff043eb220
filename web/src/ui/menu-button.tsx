// The acts of a thing behind a button. What the menu is made of comes with the first one that is opened.
import { lazy, Suspense, type ReactNode } from 'react';
import type { MenuEntry } from './menu-entry.ts';
import { useOpener, type OpenerProps } from './opener.ts';
import type { PopoverProps } from './popover.tsx';

const MenuList = lazy(() => import('./menu-list.tsx'));

interface MenuButtonProps {
  /** The name of the menu. */
  readonly label: string;
  /** Asked for while the menu is open. */
  readonly entries: () => readonly MenuEntry[];
  /** The button, a component of react-aria that takes these. */
  readonly button: (props: OpenerProps) => ReactNode;
  readonly placement?: PopoverProps['placement'];
  readonly onOpenChange?: ((isOpen: boolean) => void) | undefined;
}

export function MenuButton({ label, entries, button, placement, onOpenChange }: MenuButtonProps) {
  const { button: props, beside } = useOpener('menu', onOpenChange);
  return (
    <>
      {button(props)}
      {beside !== undefined && (
        <Suspense>
          <MenuList
            {...beside}
            label={label}
            entries={beside.isOpen ? entries() : []}
            placement={placement}
          />
        </Suspense>
      )}
    </>
  );
}
