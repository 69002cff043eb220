// Logging in with a password.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { pause } from '../../platform/std/wait.ts';
import { isEmail } from '../email.ts';
import { endSessionsIn } from '../sessions/actions.ts';
import type { User } from '../user.ts';
import {
  accountDeactivated,
  incorrectPassword,
  notAnEmail,
  tooManyLogins,
  wrongCredentials,
  wrongPassword,
} from './errors.ts';
import { hashPassword, verifyPassword } from './hash.ts';
import { checkPassword } from './rules.ts';
import {
  claimAttempt,
  findCredentials,
  settleFailed,
  settleSucceeded,
  updatePasswordHash,
  withdrawAttempt,
  type Subject,
} from './store.ts';

const ADDRESS_FAILURES_MAX = 50;
const ADDRESS_WINDOW_SECONDS = 3600;
const BUSY_TRIES_MAX = 100;
const BUSY_WAIT_MS = 50;

export interface Login {
  readonly email: string;
  readonly password: string;
  /** What the caller's address counts as. */
  readonly address: string;
}

/**
 * The active person with this address and password. Every attempt is reserved before the password is
 * looked at, so however many come at once, no more than the allowed number of guesses is tried. An
 * unknown account takes the same steps, and as long, as a wrong password.
 */
export async function logIn(ctx: Context, { email, password, address }: Login): Promise<User> {
  const name = email.trim();
  if (!isEmail(name)) throw notAnEmail();
  const account: Subject = {
    name: `account ${name.toLowerCase()}`,
    max: ctx.config.LOGIN_FAILURES_MAX,
    windowSeconds: ctx.config.LOGIN_FAILURES_WINDOW_MINUTES * 60,
  };
  const caller: Subject = {
    name: `address ${address}`,
    max: ADDRESS_FAILURES_MAX,
    windowSeconds: ADDRESS_WINDOW_SECONDS,
  };
  const attempt = await reserve(ctx, [account, caller]);
  const person = await findPerson(ctx, name, password, attempt);
  if (person === undefined) {
    await settleFailed(ctx.db, attempt);
    throw wrongCredentials();
  }
  await settleSucceeded(ctx.db, attempt, account.name);
  if (!person.isActive) throw accountDeactivated();
  return person;
}

export interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly address: string;
  /** The session in which it is asked for, if any: it stays. */
  readonly sessionId?: bigint | undefined;
}

/** What is to be stored for a new password, if the old one is right. A wrong one counts as a login. */
export async function preparePassword(
  ctx: Context,
  { email }: User,
  { oldPassword, newPassword, address }: PasswordChange,
): Promise<string> {
  checkPassword(newPassword, 'New password is too weak!');
  await proveAgain(ctx, { email, password: oldPassword, address }, wrongPassword);
  return hashPassword(newPassword);
}

/** Refuses unless this is the person's password, for what a session alone must not give. */
export const confirmPassword = (
  ctx: Context,
  { email }: User,
  password: string,
  address: string,
): Promise<void> => proveAgain(ctx, { email, password, address }, incorrectPassword);

async function proveAgain(ctx: Context, login: Login, refusal: () => Refusal): Promise<void> {
  try {
    await logIn(ctx, login);
  } catch (error) {
    if (error instanceof Refusal && error.code === wrongCredentials().code) throw refusal();
    throw error;
  }
}

/** Whoever was signed in with the old one is signed out, except where the change was asked for. */
export async function storePassword(
  tx: Tx,
  user: User,
  passwordHash: string,
  keptSession?: bigint,
): Promise<void> {
  await updatePasswordHash(tx, user.id, passwordHash);
  await endSessionsIn(tx, user, 'password changed', keptSession);
}

async function findPerson(
  ctx: Context,
  name: string,
  password: string,
  attempt: readonly bigint[],
): Promise<User | undefined> {
  try {
    const found = await findCredentials(ctx.db, name);
    const isPerson = found !== undefined && found.user.botType === null;
    const matches = await verifyPassword(isPerson ? found.passwordHash : null, password);
    return isPerson && matches ? found.user : undefined;
  } catch (error) {
    // Nothing was tried, so nothing counts.
    await withdrawAttempt(ctx.db, attempt);
    throw error;
  }
}

async function reserve(ctx: Context, subjects: readonly Subject[]): Promise<readonly bigint[]> {
  for (let tries = 0; tries < BUSY_TRIES_MAX; tries += 1) {
    const claim = await ctx.inTransaction((tx) => claimAttempt(tx, subjects));
    if (claim.kind === 'claimed') return claim.ids;
    if (claim.kind === 'refused') throw tooManyLogins(claim.retryAfterSeconds);
    await pause(BUSY_WAIT_MS);
  }
  throw tooManyLogins(1);
}
