/**
 * Caches the result of `load` for at most `ageMs`, counted from the start of the load, so that a
 * served value is never older. Callers that come during a load share it; a failed one is not
 * cached.
 */
export function remember<T>(ageMs: number, load: () => Promise<T>): () => T | Promise<T> {
  let value: T | undefined;
  let startedMs = Number.NEGATIVE_INFINITY;
  let loading: Promise<T> | undefined;
  return () => {
    const nowMs = performance.now();
    if (value !== undefined && nowMs - startedMs < ageMs) return value;
    loading ??= load().then(
      (loaded) => {
        value = loaded;
        startedMs = nowMs;
        loading = undefined;
        return loaded;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
}
