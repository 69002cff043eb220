// A component in a file of its own, which is fetched when it is first shown, or asked for before.
import { createElement, lazy, useState, type ComponentType, type ReactNode } from 'react';

export interface Later<P> {
  (props: P): ReactNode;
  /** Fetches the file, so that the component is drawn at once when it is shown. */
  load(): Promise<unknown>;
}

/**
 * Like React's `lazy`, but for a file that is here already: that one shows a gap first, and React then holds the content back
 * for a while, lest the gap flashes.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): Later<P> {
  let here: ComponentType<P> | undefined;
  const fetchFile = async () => (here = await load());
  const Awaited = lazy<ComponentType<P>>(async () => ({ default: await fetchFile() }));
  const Part = (props: P) => {
    // Chosen once: another type later would be another component, without the state of the first.
    const [shown] = useState(() => ({ part: here ?? Awaited }));
    return createElement<P>(shown.part as ComponentType<P>, props);
  };
  return Object.assign(Part, { load: fetchFile });
}
