// Signing in and out. Every end of a session also ends the polls that wait under it.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { isPrivateAddress, limitKeyOf } from '../../platform/http/address.ts';
import { HOUR_MS, HOUR_SECONDS } from '../../platform/std/time.ts';
import { noteAct, noteNothing } from '../audit/actions.ts';
import { countKnownDevices, deviceLookupOf, noteDevice } from '../known-places/actions.ts';
import { tellPerson } from '../notices/actions.ts';
import { emitSecurity } from '../notices/events.ts';
import { accountDeactivated } from '../passwords/errors.ts';
import type { Method } from '../method.ts';
import { nameSubject } from '../sign-in/lanes.ts';
import type { User } from '../user.ts';
import { isSessionOver, type Session } from './access.ts';
import { deviceText } from './device.ts';
import { sessionsEnded } from './events.ts';
import { idTokenOwner, type ProviderSession } from './provider.ts';
import {
  deleteSessionsBefore,
  endOldestSessions,
  endSessionById,
  endSessionsOfUser,
  hasSessions,
  insertSession,
  isActiveNow,
  listSessionsOfUser,
  type ListedSession,
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
  /** The session that the browser has; it ends when another begins. */
  readonly former?: Session | undefined;
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
  /** The provider that vouched for the person, if one did. */
  readonly provider?: ProviderSession | undefined;
}

/** Signs a browser in, always with a new token: nothing that was known before is of use after. */
export async function openSession(
  ctx: Context,
  user: User,
  { address, agent, device, name, former }: Visitor,
  { methods, isFresh, provider }: Proven,
): Promise<OpenedSession> {
  const token = createToken();
  const tokenLookup = lookupOf(ctx.secrets, token);
  const at = new Date(ctx.clock.now());
  const { config, secrets } = ctx;
  const deviceToken = await ctx.inTransaction(async (tx) => {
    // A person who was deactivated since the password was checked must not find a session after a
    // reactivation.
    if (!(await isActiveNow(tx, user.id))) throw accountDeactivated();
    if (former !== undefined) await endFormer(tx, former, at);
    const wasHere = (await hasSessions(tx, user.id)) || (await countKnownDevices(tx, user.id)) > 0;
    const nameLookup = name === undefined ? undefined : nameSubject(secrets, name);
    const known = await noteDevice(tx, secrets, user, { device, name, nameLookup });
    await insertSession(tx, {
      userId: user.id,
      tokenLookup,
      at,
      address: address.slice(0, ADDRESS_CHARACTERS_MAX),
      agent: printable(agent),
      methods,
      factorAt: isFresh ? at : null,
      deviceLookup: deviceLookupOf(secrets, known),
      ...(provider && {
        oidcProvider: provider.id,
        oidcSid: provider.sid ?? null,
        idTokenSealed:
          provider.idToken === undefined
            ? null
            : ctx.secrets.seal(idTokenOwner(tokenLookup), provider.idToken),
      }),
    });
    await endOldestSessions(tx, user.id, config.SESSIONS_PER_USER_MAX, at);
    // A browser that is known keeps its token.
    if (wasHere && known !== device) {
      await tellPerson(tx, ctx, user, 'new_device', { address, device: deviceText(agent) });
    }
    emitSecurity(tx, user.id, 'session');
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

async function endFormer(tx: Tx, { id, user }: Session, at: Date): Promise<void> {
  const reason = 'signed in again';
  const hadIt = await endSessionById(tx, { id, userId: user.id }, at, reason);
  if (hadIt) noteEnd(tx, user, 1, reason, user);
}

export async function endSession(
  ctx: Context,
  { id, user }: Pick<Session, 'id' | 'user'>,
  reason = 'signed out',
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const at = new Date(ctx.clock.now());
    if (await endSessionById(tx, { id, userId: user.id }, at, reason))
      noteEnd(tx, user, 1, reason, user);
    else noteNothing(tx);
  });
}

/** Ends one of a person's sessions, from another or from the same; whether they had it. */
export function endSessionOf(ctx: Context, user: User, id: bigint): Promise<boolean> {
  return ctx.inTransaction(async (tx) => {
    const reason = 'ended by its owner';
    const at = new Date(ctx.clock.now());
    const hadIt = await endSessionById(tx, { id, userId: user.id }, at, reason);
    if (hadIt) noteEnd(tx, user, 1, reason, user);
    else noteNothing(tx);
    return hadIt;
  });
}

/** For step-up: tries, and the proof that came. */
export { noteFactor, returnFactorTry, takeFactorTry } from './store.ts';

/** Where a session was opened, compared with where its owner is now. */
export type SessionNetwork = 'same' | 'private' | 'other';

export interface OwnSession extends Omit<ListedSession, 'agent' | 'isOperators'> {
  /** Browser and system by name, as far as they can be told. */
  readonly device: string;
  readonly network: SessionNetwork;
}

/** The person's sessions that can be used, newest first. */
export async function listOwnSessions(
  ctx: Context,
  user: Pick<User, 'id'>,
  caller: string,
): Promise<OwnSession[]> {
  const nowMs = ctx.clock.now();
  const listed = await listSessionsOfUser(ctx.db, user.id);
  return listed
    .filter((session) => !isSessionOver(session, nowMs, ctx.config))
    .map(({ agent, ...session }) => ({
      ...session,
      device: deviceText(agent),
      network: networkOf(session.address, caller),
    }));
}

function networkOf(address: string, caller: string): SessionNetwork {
  if (limitKeyOf(address) === limitKeyOf(caller)) return 'same';
  return isPrivateAddress(address) ? 'private' : 'other';
}

/** Ends all of a person's sessions, or all except the current one. */
export async function endOwnSessions(ctx: Context, user: User, exceptId?: bigint): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const reason = 'signed out everywhere';
    const count = await endSessionsOfUser(tx, user.id, { at: new Date(), reason, exceptId });
    if (count > 0) noteEnd(tx, user, count, reason, user);
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
  const count = await endSessionsOfUser(tx, user.id, { at: new Date(), reason, exceptId });
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
  emitSecurity(tx, user.id, 'session');
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
