// Notices that the page was away: frozen, asleep with the machine, cut off, or hidden for a while. What it knows is old.

/** A timer that comes so late means that the machine slept. */
const GAP_MS = 75_000;
const TICK_MS = 15_000;
/** Somebody who looks at another tab for a moment costs no request. */
const HIDDEN_MS = 10_000;

/** Calls `onWake` each time; gives a function that ends it. */
export function watchWake(onWake: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let tickMs = Date.now();
  let hiddenMs = document.hidden ? tickMs : undefined;
  const timer = setInterval(() => {
    const gapMs = Date.now() - tickMs;
    tickMs = Date.now();
    if (gapMs > GAP_MS) onWake();
  }, TICK_MS);
  const onVisibility = () => {
    if (document.hidden) hiddenMs = Date.now();
    else {
      const awayMs = hiddenMs === undefined ? 0 : Date.now() - hiddenMs;
      hiddenMs = undefined;
      if (awayMs > HIDDEN_MS) onWake();
    }
  };
  document.addEventListener('visibilitychange', onVisibility, { signal });
  document.addEventListener('resume', onWake, { signal });
  globalThis.addEventListener('online', onWake, { signal });
  // Asking at once is how the page notices, and says so: a poll that waits hears nothing of the cut.
  globalThis.addEventListener('offline', onWake, { signal });
  globalThis.addEventListener(
    'pageshow',
    (event) => {
      if (event.persisted) onWake();
    },
    { signal },
  );
  return () => {
    clearInterval(timer);
    ending.abort();
  };
}
