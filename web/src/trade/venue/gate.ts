// Lets signals through at most once in a while: the first at once, the others together at the end of the pause.

export interface Gate {
  readonly signal: () => void;
  readonly subscribe: (listener: () => void) => () => void;
  readonly close: () => void;
}

export function createGate(pauseMs: number): Gate {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;
  const pass = (): void => {
    isWaiting = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isWaiting) pass();
    }, pauseMs);
    for (const listener of listeners) listener();
  };
  return {
    signal() {
      if (timer === undefined) pass();
      else isWaiting = true;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      clearTimeout(timer);
      isWaiting = false;
      listeners.clear();
    },
  };
}
