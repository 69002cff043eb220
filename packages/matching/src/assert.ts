// A broken assumption stops the core. After a throw the state may be half changed, so the caller
// must drop it and restore it from the journal.

export class AssertionError extends Error {
  override name = 'AssertionError';
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) fail(message);
}

// Kept apart from the test, so that the inlined assertion on the hot path is a single branch.
export function fail(message: string): never {
  throw new AssertionError(message);
}
