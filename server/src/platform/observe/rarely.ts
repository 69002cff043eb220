/** Lets one call through in `everyMs`, and tells it how many were suppressed before. */
export function rarely(everyMs: number): (say: (keptBack: number) => void) => void {
  let saidMs = Number.NEGATIVE_INFINITY;
  let keptBack = 0;
  return (say) => {
    const nowMs = performance.now();
    if (nowMs - saidMs < everyMs) {
      keptBack += 1;
      return;
    }
    saidMs = nowMs;
    say(keptBack);
    keptBack = 0;
  };
}
