// Counts wrong signatures by key: many for one key in a minute mean that somebody without its
// secret tries to use it.
export interface SignatureFailures {
  /** A signature that does not match, for a key that exists. */
  note(keyId: string): void;
  stop(): void;
}

export interface SignatureFailuresOptions {
  readonly nowMs: () => number;
  /** How many the worst key had within the last minute; reported every few seconds. */
  readonly tell: (worst: number) => void;
}

const WINDOW_MS = 60_000;
const TELL_EVERY_MS = 5000;
/**
 * The newest failures of each key that are remembered; beyond the alarm's limit the exact number
 * adds nothing.
 */
const REMEMBERED_MAX = 1000;
/** Only existing keys are counted; beyond this many at once, the count starts again. */
const KEYS_MAX = 10_000;

export function watchSignatureFailures({
  nowMs,
  tell,
}: SignatureFailuresOptions): SignatureFailures {
  const timesByKey = new Map<string, number[]>();

  function worst(): number {
    const from = nowMs() - WINDOW_MS;
    let count = 0;
    for (const [keyId, times] of timesByKey) {
      const recent = times.filter((at) => at > from);
      if (recent.length === 0) timesByKey.delete(keyId);
      else timesByKey.set(keyId, recent);
      count = Math.max(count, recent.length);
    }
    return count;
  }

  const timer = setInterval(() => tell(worst()), TELL_EVERY_MS);
  timer.unref();
  return {
    note(keyId) {
      if (timesByKey.size >= KEYS_MAX && !timesByKey.has(keyId)) timesByKey.clear();
      const times = timesByKey.get(keyId) ?? [];
      if (times.length >= REMEMBERED_MAX) times.splice(0, REMEMBERED_MAX / 2);
      times.push(nowMs());
      timesByKey.set(keyId, times);
    },
    stop: () => clearInterval(timer),
  };
}
