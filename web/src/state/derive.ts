// Values that follow from the state, worked out again only after one of their slices changed.
import type { Slice, State } from './state.ts';

export type Selector<T> = (state: State) => T;

/** Gives the identical value for as long as `slices` stay as they are. */
export function derive<T>(slices: readonly Slice[], compute: (state: State) => T): Selector<T> {
  const cache = new WeakMap<State, { readonly stamp: string; readonly value: T }>();
  return (state) => {
    const stamp = slices.map((slice) => state.versions.get(slice) ?? 0).join();
    const known = cache.get(state);
    if (known?.stamp === stamp) return known.value;
    const value = compute(state);
    cache.set(state, { stamp, value });
    return value;
  };
}
