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
  /** The address, or whatever name the other proof knows people by. */
  readonly email: string;
  readonly password: string;
  /** What the caller's address counts as. */
  readonly address: string;
}

/** Counts an attempt for one more subject, before it is made. */
export type Guard = (subject: string) => Promise<void>;

/** Another place that knows passwords; asked when the one here is not right. */
export type Proof = (name: string, password: string, guard: Guard) => Promise<User | undefined>;

/**
 * The active person with this address and password. Every attempt is reserved before the password is
 * looked at, so however many come at once, no more than the allowed number of guesses is tried. An
 * unknown account takes the same steps, and as long, as a wrong password.
 */
export async function logIn(
  ctx: Context,
  { email, password, address }: Login,
  otherwise?: Proof,
): Promise<User> {
  const name = email.trim();
  if (!isEmail(name) && otherwise === undefined) throw notAnEmail();
  // Neither the database nor anybody's name can hold it, so nothing is tried.
  if (name.includes('\0')) throw wrongCredentials();
  const account = accountSubject(ctx, `account ${name.toLowerCase()}`);
  const caller: Subject = {
    name: `address ${address}`,
    max: ADDRESS_FAILURES_MAX,
    windowSeconds: ADDRESS_WINDOW_SECONDS,
  };
  const attempt = [...(await reserve(ctx, [account, caller]))];
  const forgiven = [account.name];
  const guard: Guard = async (text) => {
    const subject = accountSubject(ctx, text);
    attempt.push(...(await reserve(ctx, [subject])));
    forgiven.push(subject.name);
  };
  const person = await findPerson(ctx, { name, password }, { attempt, guard, otherwise });
  if (person === undefined) {
    await settleFailed(ctx.db, attempt);
    throw wrongCredentials();
  }
  await settleSucceeded(ctx.db, attempt, forgiven);
  if (!person.isActive) throw accountDeactivated();
  return person;
}

const accountSubject = ({ config }: Context, name: string): Subject => ({
  name,
  max: config.LOGIN_FAILURES_MAX,
  windowSeconds: config.LOGIN_FAILURES_WINDOW_MINUTES * 60,
});

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
export async function confirmPassword(
  ctx: Context,
  { id, email }: User,
  given: Pick<Login, 'password' | 'address'>,
  otherwise?: Proof,
): Promise<void> {
  const user = await proveAgain(ctx, { email, ...given }, incorrectPassword, otherwise);
  // The other place may know somebody else by this address.
  if (user.id !== id) throw incorrectPassword();
}

async function proveAgain(
  ctx: Context,
  login: Login,
  refusal: () => Refusal,
  otherwise?: Proof,
): Promise<User> {
  try {
    return await logIn(ctx, login, otherwise);
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

interface Attempt {
  readonly attempt: readonly bigint[];
  readonly guard: Guard;
  readonly otherwise: Proof | undefined;
}

async function findPerson(
  ctx: Context,
  { name, password }: { name: string; password: string },
  { attempt, guard, otherwise }: Attempt,
): Promise<User | undefined> {
  let wasTried = false;
  try {
    const found = isEmail(name) ? await findCredentials(ctx.db, name) : undefined;
    const isPerson = found !== undefined && found.user.botType === null;
    const passwordHash = isPerson ? found.passwordHash : null;
    const matches = await verifyPassword(passwordHash, password);
    if (isPerson && matches) return found.user;
    wasTried = passwordHash !== null;
    return await otherwise?.(name, password, guard);
  } catch (error) {
    // What was tried here counts, though the other place could not be asked; otherwise its absence would
    // be an occasion to guess.
    if (wasTried) await settleFailed(ctx.db, attempt);
    else await withdrawAttempt(ctx.db, attempt);
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
