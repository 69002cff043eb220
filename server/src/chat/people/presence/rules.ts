// When somebody counts as active, idle or gone, and when that is worth a write or a word. Without I/O.
import { unixSeconds } from '../../../platform/std/time.ts';
import { SERVER_VALUES } from '../../limits.ts';

export type PresenceStatus = 'active' | 'idle';

export interface Presence {
  /** Null: never seen doing anything. */
  readonly lastActive: Date | null;
  readonly lastConnected: Date;
}

const PING_MS = SERVER_VALUES.server_presence_ping_interval_seconds * 1000;
const OFFLINE_MS = SERVER_VALUES.server_presence_offline_threshold_seconds * 1000;
/** Pings are a little late now and then. */
const SLACK_MS = 10_000;
/** A row is written no more often than this, however many clients ping. */
const WRITE_EVERY_MS = 55_000;

export const HISTORY_DAYS = 14;

/** The one word for it, with the time that it holds for. */
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

/** The same at a later moment, when it may be over. */
export function statusAt(presence: Presence, nowMs: number) {
  const { status, timestamp } = statusOf(presence);
  const isOver = nowMs - timestamp * 1000 > OFFLINE_MS;
  return { status: isOver ? ('offline' as const) : status, timestamp };
}

/** Both times; who never did anything counts from the day of joining. */
export const timesOf = ({ lastActive, lastConnected }: Presence, dateJoined: Date) => ({
  active_timestamp: unixSeconds(lastActive ?? dateJoined),
  idle_timestamp: unixSeconds(lastConnected),
});

/** What a ping changes; undefined when too little to be written down. */
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

/** Whether others should hear of it now instead of with their next ping. */
export function comesOnline(
  before: Presence | undefined,
  status: PresenceStatus,
  nowMs: number,
): boolean {
  const last = before?.lastActive?.getTime() ?? -Infinity;
  return status === 'active' && nowMs - last > OFFLINE_MS - PING_MS - SLACK_MS;
}

/** As if gone already: for whoever does not want to be seen. */
export function hide(before: Presence | undefined, nowMs: number): Presence {
  const left = new Date(nowMs - OFFLINE_MS - 1000);
  const idle = new Date(left.getTime() - PING_MS - SLACK_MS - 1000);
  const lastActive = before?.lastActive ?? null;
  return {
    lastActive: lastActive !== null && lastActive > idle ? idle : lastActive,
    lastConnected: left,
  };
}
