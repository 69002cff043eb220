// When somebody counts as active, idle or offline, and when to store or announce it. Pure.
import { unixSeconds } from '../../../platform/std/time.ts';
import { SERVER_VALUES } from '../../limits.ts';

export type PresenceStatus = 'active' | 'idle';

export interface Presence {
  /** Null: never active. */
  readonly lastActive: Date | null;
  readonly lastConnected: Date;
}

const PING_MS = SERVER_VALUES.server_presence_ping_interval_seconds * 1000;
const OFFLINE_MS = SERVER_VALUES.server_presence_offline_threshold_seconds * 1000;
/** Pings sometimes come a little late. */
const SLACK_MS = 10_000;
/** The shortest time between two writes of a row, however many clients ping. */
const WRITE_EVERY_MS = 55_000;

export const HISTORY_DAYS = 14;

/** The status at the last ping, and the time of that status. */
export function statusOf({ lastActive, lastConnected }: Presence): {
  status: PresenceStatus;
  timestamp: number;
} {
  const isActive =
    lastActive !== null && lastActive.getTime() + PING_MS + SLACK_MS >= lastConnected.getTime();
  return isActive
    ? { status: 'active', timestamp: unixSeconds(lastActive) }
    : { status: 'idle', timestamp: unixSeconds(lastConnected) };
}

/** The status at a later time; `offline` when the last ping is too long ago. */
export function statusAt(presence: Presence, nowMs: number) {
  const { status, timestamp } = statusOf(presence);
  const isOver = nowMs - timestamp * 1000 > OFFLINE_MS;
  return { status: isOver ? ('offline' as const) : status, timestamp };
}

/** Both times. For somebody who was never active, the day of joining counts. */
export const timesOf = ({ lastActive, lastConnected }: Presence, dateJoined: Date) => ({
  active_timestamp: unixSeconds(lastActive ?? dateJoined),
  idle_timestamp: unixSeconds(lastConnected),
});

/** The presence after a ping; undefined when the change is too small to be stored. */
export function nextPresence(
  before: Presence | undefined,
  status: PresenceStatus,
  nowMs: number,
): Presence | undefined {
  const now = new Date(nowMs);
  const isOld = (at: Date | null | undefined) =>
    at === null || at === undefined || nowMs - at.getTime() > WRITE_EVERY_MS;
  const isNewlyActive = status === 'active' && isOld(before?.lastActive);
  if (!isNewlyActive && !isOld(before?.lastConnected)) return undefined;
  return {
    lastActive: isNewlyActive ? now : (before?.lastActive ?? null),
    lastConnected: now,
  };
}

/** Whether others get an event now instead of learning it with their next ping. */
export function comesOnline(
  before: Presence | undefined,
  status: PresenceStatus,
  nowMs: number,
): boolean {
  const last = before?.lastActive?.getTime() ?? -Infinity;
  return status === 'active' && nowMs - last > OFFLINE_MS - PING_MS - SLACK_MS;
}

/** Times that make somebody look offline already, for people who hide. */
export function hide(before: Presence | undefined, nowMs: number): Presence {
  const left = new Date(nowMs - OFFLINE_MS - 1000);
  const idle = new Date(left.getTime() - PING_MS - SLACK_MS - 1000);
  const lastActive = before?.lastActive ?? null;
  return {
    lastActive: lastActive !== null && lastActive > idle ? idle : lastActive,
    lastConnected: left,
  };
}
