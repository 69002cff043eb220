// What stands in a menu, as data: it can be said before the menu itself is there.
import type { IconName } from './icon-paths.ts';

export interface MenuAct {
  readonly text: string;
  readonly icon?: IconName | undefined;
  /** The keys that do the same. */
  readonly keys?: string | undefined;
  readonly isDanger?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  /** Where it leads, instead of an act. */
  readonly href?: string | undefined;
  readonly target?: '_blank' | undefined;
  readonly act?: (() => void) | undefined;
}

/** `line` stands between groups. */
export type MenuEntry = MenuAct | 'line';
