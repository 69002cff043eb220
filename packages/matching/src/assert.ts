// A broken assumption stops the core. State may be half changed after a throw, so whoever runs the
// core must then drop the state and restore it from the journal.

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
