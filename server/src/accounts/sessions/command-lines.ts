// Sessions of operators' command lines. They are listed and ended like those of browsers, and live for an hour at most.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { MINUTE_MS } from '../../platform/std/time.ts';
import { accountDeactivated } from '../passwords/errors.ts';
import type { Method } from '../method.ts';
import type { User } from '../user.ts';
import {
  endCommandLinesBefore,
  findSessionByLookup,
  insertSession,
  isActiveNow,
  touchSession,
} from './store.ts';

const MAX_MINUTES = 60;
const IDLE_MINUTES = 15;

export interface CommandLine {
  readonly id: bigint;
  readonly user: User;
}

export interface OpenedCommandLine {
  readonly user: User;
  /** The keyed hash of the token, which only the command line knows. */
  readonly tokenLookup: Buffer;
  readonly address: string;
  readonly agent: string;
  /** How its operator proved who they are, in the browser that confirmed it. */
  readonly methods: readonly Method[];
}

export async function openCommandLineIn(
  tx: Tx,
  ctx: Context,
  { user, ...opened }: OpenedCommandLine,
): Promise<bigint> {
  if (!(await isActiveNow(tx, user.id))) throw accountDeactivated();
  const at = new Date(ctx.clock.now());
  const row = { ...opened, userId: user.id, at, factorAt: at, deviceLookup: null };
  return insertSession(tx, { ...row, kind: 'cli' });
}

/** The session of a command line, if it is not over. Its use is noted. */
export async function findCommandLine(
  ctx: Context,
  lookup: Buffer,
): Promise<CommandLine | undefined> {
  const found = await findSessionByLookup(ctx.db, lookup);
  if (found === undefined) return undefined;
  const { session, user } = found;
  const nowMs = ctx.clock.now();
  const isOver =
    session.endedAt !== null ||
    nowMs - session.createdAt.getTime() >= MAX_MINUTES * MINUTE_MS ||
    nowMs - session.lastSeenAt.getTime() >= IDLE_MINUTES * MINUTE_MS;
  if (session.kind !== 'cli' || isOver || !user.isActive) return undefined;
  await touchSession(ctx.db, session.id, new Date(nowMs));
  return { id: session.id, user };
}

/** Marks those that are over as ended, so that lists of sessions do not show them. Returns how many. */
export function endOverdueCommandLines(ctx: Context): Promise<number> {
  const before = (minutes: number) => new Date(ctx.clock.now() - minutes * MINUTE_MS);
  return endCommandLinesBefore(ctx.db, {
    createdBefore: before(MAX_MINUTES),
    seenBefore: before(IDLE_MINUTES),
    at: new Date(ctx.clock.now()),
  });
}
