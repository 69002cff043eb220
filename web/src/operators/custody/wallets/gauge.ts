// Where the marks of a hot wallet stand on its bar, in percent. Figures for the eye, so they may be rounded. Pure.
import type { CustodyTier } from '../../../api/custody.ts';

export interface Gauge {
  readonly hot: number;
  readonly floor: number;
  readonly target: number;
  readonly ceiling: number;
}

/** Room behind the largest of them, so that its mark is not at the edge. */
const ROOM = 1.1;

/** Undefined where there are no bounds, or nothing was measured. */
export function gaugeOf({ hot, floor, target, ceiling }: CustodyTier): Gauge | undefined {
  if (hot === '' || ceiling === '') return undefined;
  const whole = Math.max(Number(ceiling), Number(hot)) * ROOM;
  const at = (value: string): number =>
    whole === 0 ? 0 : Math.min(100, Math.max(0, (Number(value) / whole) * 100));
  return { hot: at(hot), floor: at(floor), target: at(target), ceiling: at(ceiling) };
}
