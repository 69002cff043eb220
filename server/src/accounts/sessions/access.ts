// Finds the session of a request.
import type { Config } from '../../platform/config/schema.ts';
import type { Context } from '../../platform/context.ts';
import { HOUR_MS } from '../../platform/std/time.ts';
import type { Method } from '../method.ts';
import type { User } from '../user.ts';
import { cookieNames, isHttps, parseCookie } from './cookies.ts';
import {
  findSessionByLookup,
  listSessionsById,
  touchSession,
  type SessionKind,
  type SessionRow,
} from './store.ts';
import { csrfTokenOf, isToken, lookupOf } from './token.ts';

export { findLastSessionAt, noteFactor } from './store.ts';

/** How often the last use is written. */
const TOUCH_MS = 60_000;

export interface Session {
  readonly id: bigint;
  readonly user: User;
  readonly kind: SessionKind;
  /** How its owner proved who they are. */
  readonly methods: readonly Method[];
  /** When a factor was last shown in it; null if never. */
  readonly factorAt: Date | null;
  /** The token that a request which changes something has to send. */
  readonly csrfToken: string;
}

/** Deactivated: the session ended because its owner was deactivated, and still is. */
export type Found =
  | { readonly kind: 'live'; readonly session: Session }
  | { readonly kind: 'deactivated' }
  | { readonly kind: 'none' };

/** The session that the cookies of a request name. */
export async function findSession(ctx: Context, cookies: string | undefined): Promise<Found> {
  const { session: name } = cookieNames(isHttps(ctx.config));
  const token = parseCookie(cookies, name);
  if (token === undefined || !isToken(token)) return { kind: 'none' };
  const found = await findSessionByLookup(ctx.db, lookupOf(ctx.secrets, token));
  if (found === undefined) return { kind: 'none' };
  const { session, user } = found;
  const nowMs = ctx.clock.now();
  if (isSessionOver(session, nowMs, ctx.config)) return { kind: 'none' };
  if (!user.isActive) return { kind: 'deactivated' };
  // The token of a command line is another kind of token, and opens nothing here.
  if (session.endedAt !== null || session.kind !== 'browser') return { kind: 'none' };
  if (nowMs - session.lastSeenAt.getTime() > TOUCH_MS) {
    await touchSession(ctx.db, session.id, new Date(nowMs));
  }
  const csrfToken = csrfTokenOf(ctx.secrets, token);
  const { id, kind, methods, factorAt } = session;
  return { kind: 'live', session: { id, user, kind, methods, factorAt, csrfToken } };
}

/** Which of these sessions of browsers are alive, and their owners active. */
export async function listLiveSessions(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  ids: readonly bigint[],
): Promise<Set<bigint>> {
  const nowMs = ctx.clock.now();
  const rows = await listSessionsById(ctx.db, ids);
  const live = rows.filter(
    (row) => row.endedAt === null && row.isActive && !isSessionOver(row, nowMs, ctx.config),
  );
  return new Set(live.map(({ id }) => id));
}

type Lives = Pick<
  Config,
  'SESSION_IDLE_HOURS' | 'SESSION_MAX_HOURS' | 'OPERATOR_SESSION_MAX_HOURS'
>;

/** Unused for too long, or too old however much it is used. Those of operators get less old. */
export function isSessionOver(
  {
    createdAt,
    lastSeenAt,
    isOperators,
  }: Pick<SessionRow, 'createdAt' | 'lastSeenAt' | 'isOperators'>,
  nowMs: number,
  { SESSION_IDLE_HOURS, SESSION_MAX_HOURS, OPERATOR_SESSION_MAX_HOURS }: Lives,
): boolean {
  const hoursMax = isOperators
    ? Math.min(SESSION_MAX_HOURS, OPERATOR_SESSION_MAX_HOURS)
    : SESSION_MAX_HOURS;
  return (
    nowMs - lastSeenAt.getTime() >= SESSION_IDLE_HOURS * HOUR_MS ||
    nowMs - createdAt.getTime() >= hoursMax * HOUR_MS
  );
}
