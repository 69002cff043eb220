// The time limits for editing, moving and deleting a message.

/** Added to every limit, so that a request sent in time is not refused because the network was slow. */
export const GRACE_SECONDS = 20;

/** Null as `limitSeconds` means no limit. */
export function isWithin(
  limitSeconds: number | null,
  sentAt: Date,
  nowMs: number,
  graceSeconds = GRACE_SECONDS,
): boolean {
  if (limitSeconds === null) return true;
  return nowMs - sentAt.getTime() <= (limitSeconds + graceSeconds) * 1000;
}
