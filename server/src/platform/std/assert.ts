/** A broken assumption of ours: never caused by a caller, always a defect. */
export class AssertionFailure extends Error {
  override name = 'AssertionFailure';
}

/** Throws when `condition` does not hold; `values` go into the message so that a log line suffices. */
export function assert(
  condition: unknown,
  message: string,
  values?: Record<string, unknown>,
): asserts condition {
  if (condition) return;
  const detail = values === undefined ? '' : ` ${JSON.stringify(values, printable)}`;
  throw new AssertionFailure(`${message}${detail}`);
}

function printable(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
