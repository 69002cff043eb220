// Signing in and out. Every end of a session also ends the polls that wait under it.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { HOUR_MS, HOUR_SECONDS } from '../../platform/std/time.ts';
import { noteAct, noteNothing } from '../audit/actions.ts';
import { noteDevice } from '../known-places/actions.ts';
import { accountDeactivated } from '../passwords/errors.ts';
import type { Method } from '../second-factors/factor.ts';
import { nameSubject } from '../sign-in/lanes.ts';
import type { User } from '../user.ts';
import type { Session } from './access.ts';
import { sessionsEnded } from './events.ts';
import {
  deleteSessionsBefore,
  endOldestSessions,
  endSessionById,
  endSessionsOfUser,
  insertSession,
  isActiveNow,
} from './store.ts';
import { createToken, csrfTokenOf, lookupOf } from './token.ts';

const ADDRESS_CHARACTERS_MAX = 100;
const AGENT_CHARACTERS_MAX = 200;

export interface Visitor {
  /** The caller's address, as far as it can be trusted. */
  readonly address: string;
  /** The browser's user agent. */
  readonly agent: string;
  /** The token of its device cookie, if it has one. */
  readonly device?: string | undefined;
  /** The name that was typed, if one was. */
  readonly name?: string | undefined;
}

export interface OpenedSession {
  readonly token: string;
  readonly csrfToken: string;
  /** The token by which the browser is known from now on. */
  readonly deviceToken: string;
  readonly maxAgeSeconds: number;
}

/** How a person proved who they are. */
export interface Proven {
  readonly methods: readonly Method[];
  /** Whether a second factor was among them, or the account has none and this was its only one. */
  readonly isFresh: boolean;
}

/** Signs a browser in, always with a new token. */
export async function openSession(
  ctx: Context,
  user: User,
  { address, agent, device, name }: Visitor,
  { methods, isFresh }: Proven,
): Promise<OpenedSession> {
  const token = createToken();
  const at = new Date(ctx.clock.now());
  const deviceToken = await ctx.inTransaction(async (tx) => {
    // A person who was deactivated since the password was checked must not find a session after a
    // reactivation.
    if (!(await isActiveNow(tx, user.id))) throw accountDeactivated();
    await insertSession(tx, {
      userId: user.id,
      tokenLookup: lookupOf(ctx.secrets, token),
      at,
      address: address.slice(0, ADDRESS_CHARACTERS_MAX),
      agent: printable(agent),
      methods,
      factorAt: isFresh ? at : null,
    });
    await endOldestSessions(tx, user.id, ctx.config.SESSIONS_PER_USER_MAX, at);
    const nameLookup = name === undefined ? undefined : nameSubject(ctx.secrets, name);
    const known = await noteDevice(tx, ctx.secrets, user, { device, name, nameLookup });
    noteAct(tx, { act: 'session begin', subject: user.email, details: { address }, by: user });
    return known;
  });
  return {
    token,
    deviceToken,
    csrfToken: csrfTokenOf(ctx.secrets, token),
    maxAgeSeconds: ctx.config.SESSION_MAX_HOURS * HOUR_SECONDS,
  };
}

export async function endSession(ctx: Context, { id, user }: Session): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const at = new Date(ctx.clock.now());
    if (await endSessionById(tx, id, at)) noteEnd(tx, user, 1, 'signed out', user);
    else noteNothing(tx);
  });
}

/** Ends all of a person's sessions, or all except the current one. */
export async function endOwnSessions(ctx: Context, user: User, exceptId?: bigint): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const count = await endSessionsOfUser(tx, user.id, new Date(), exceptId);
    if (count > 0) noteEnd(tx, user, count, 'signed out everywhere', user);
    else noteNothing(tx);
  });
}

/**
 * The same, in the transaction of the change that invalidates them. Returns how many there were.
 */
export async function endSessionsIn(
  tx: Tx,
  user: Pick<User, 'id' | 'email'>,
  reason: string,
  exceptId?: bigint,
): Promise<number> {
  const at = new Date();
  const count = await endSessionsOfUser(tx, user.id, at, exceptId);
  if (count > 0) noteEnd(tx, user, count, reason);
  return count;
}

/**
 * Removes unusable sessions; returns how many. Ended ones are kept as long as they would have
 * lived.
 */
export function forgetOldSessions(ctx: Context): Promise<number> {
  const before = (hours: number) => new Date(ctx.clock.now() - hours * HOUR_MS);
  return deleteSessionsBefore(ctx.db, {
    seenBefore: before(ctx.config.SESSION_IDLE_HOURS),
    createdBefore: before(ctx.config.SESSION_MAX_HOURS),
  });
}

function noteEnd(
  tx: Tx,
  user: Pick<User, 'id' | 'email'>,
  count: number,
  reason: string,
  by?: Pick<User, 'id' | 'email'>,
): void {
  tx.emit(sessionsEnded(), { users: [] }, { rightsOf: [user.id] });
  noteAct(tx, {
    act: 'session end',
    subject: user.email,
    details: { count, reason },
    ...(by && { by }),
  });
}

const printable = (agent: string): string =>
  Array.from(agent.toWellFormed().replaceAll(/\p{C}/gu, ''))
    .slice(0, AGENT_CHARACTERS_MAX)
    .join('');
