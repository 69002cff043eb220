// Looks at the screen and marks as read what a person can have read.
import { useEffect, useRef, type RefObject } from 'react';
import { isUnread } from '../../state/select.ts';
import type { Store } from '../../state/store.ts';
import { look, type Watching } from './seen.ts';
import type { ScrollerHandle } from './scroller.tsx';

const LOOK_MS = 100;

/** The end of the row is drawn on the screen: no dialog, menu or bar lies over it. */
function isUncovered(scroller: Element, id: number): boolean {
  const row = scroller.querySelector(`[data-message="${id}"]`);
  if (row === null) return false;
  const box = row.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + box.width / 2, box.bottom - 2);
  return at !== null && row.contains(at);
}

/** `idOf` gives the id of a row's message. */
export function useSeen(
  store: Store,
  area: RefObject<HTMLElement | null>,
  scroller: RefObject<ScrollerHandle | null>,
  idOf: (key: string) => number | undefined,
): void {
  const latest = useRef(idOf);
  useEffect(() => {
    latest.current = idOf;
  });
  useEffect(() => {
    let watching: Watching = new Map();
    const timer = setInterval(() => {
      const element = area.current;
      const view = scroller.current?.view();
      const isAttentive = document.visibilityState === 'visible' && document.hasFocus();
      const ids =
        element === null || view === undefined || !isAttentive
          ? []
          : view.ended
              .flatMap((key) => latest.current(key) ?? [])
              .filter((id) => isUnread(store.state, id) && isUncovered(element, id));
      const answer = look(watching, { ids, nowMs: performance.now() });
      watching = answer.watching;
      if (answer.seen.length > 0) store.marks.seen(answer.seen);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [store, area, scroller]);
}
