import type { MenuEntry } from './menu-entry.ts';
import { Menu, MenuItem, MenuLine } from './menu.tsx';
import type { BesideProps } from './opener.ts';
import type { PopoverProps } from './popover.tsx';

/** What a MenuButton opens. */
export default function MenuList({
  label,
  entries,
  placement,
  autoFocus,
  ...beside
}: BesideProps & {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly placement: PopoverProps['placement'];
}) {
  return (
    <Menu
      aria-label={label}
      autoFocus={autoFocus}
      popover={beside}
      onClose={() => beside.onOpenChange(false)}
      {...(placement === undefined ? {} : { placement })}
    >
      {entries.map((entry, index) =>
        entry === 'line' ? (
          <MenuLine key={index} />
        ) : (
          <MenuItem
            key={entry.text}
            icon={entry.icon}
            keys={entry.keys}
            isDanger={entry.isDanger}
            isDisabled={entry.isDisabled === true}
            {...(entry.href === undefined ? {} : { href: entry.href })}
            {...(entry.target === undefined ? {} : { target: entry.target })}
            {...(entry.act === undefined ? {} : { onAction: entry.act })}
          >
            {entry.text}
          </MenuItem>
        ),
      )}
    </Menu>
  );
}
