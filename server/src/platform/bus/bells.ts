import type { Bus } from './bus.ts';
import { SUBJECTS } from './subjects.ts';

/**
 * Wakes the engine after a commit that contains a command for it. If the bell is lost, the engine finds the command
 * the next time it looks by itself.
 */
export function ringEngine({ bus }: { readonly bus: Bus }): void {
  bus.publish(SUBJECTS.operatorBell, '');
}
