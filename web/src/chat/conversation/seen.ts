// Which messages were seen: the end of the row was on the screen for 400 ms without a break, while the window had the
// focus and nothing lay over it. Pure: the component tells what is on the screen and when.

export const SEEN_MS = 400;

/** Since when the end of each message is on the screen. */
export type Watching = ReadonlyMap<number, number>;

export interface Look {
  /** Messages whose end is on the screen and not covered. Empty while the window has no focus. */
  readonly ids: Iterable<number>;
  readonly nowMs: number;
}

export function look(
  before: Watching,
  { ids, nowMs }: Look,
): { readonly watching: Watching; readonly seen: readonly number[] } {
  const watching = new Map<number, number>();
  const seen: number[] = [];
  for (const id of ids) {
    const since = before.get(id) ?? nowMs;
    watching.set(id, since);
    if (nowMs - since >= SEEN_MS) seen.push(id);
  }
  return { watching, seen };
}
