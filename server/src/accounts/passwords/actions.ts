// Logging in with a password.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { noteAct } from '../audit/actions.ts';
import { isEmail } from '../email.ts';
import { endLinks } from '../mailed-links/actions.ts';
import { tellPerson } from '../notices/actions.ts';
import { emitSecurity } from '../notices/events.ts';
import { endAccess } from '../sessions/ends.ts';
import { beginAttempt, type Attempt, type SignInPlace } from '../sign-in/actions.ts';
import { FREEZE_HOURS } from '../trading-keys/freeze.ts';
import { freezeWithdrawals } from '../trading-keys/access.ts';
import type { User } from '../user.ts';
import { findCredentials, updatePasswordHash } from '../users/credentials.ts';
import {
  accountDeactivated,
  incorrectPassword,
  notAnEmail,
  wrongCredentials,
  wrongPassword,
} from './errors.ts';
import { hashPassword, verifyPassword } from './hash.ts';
import { checkPassword } from './rules.ts';

export interface Login {
  /** The address, or another name that the other check knows people by. */
  readonly email: string;
  readonly password: string;
  readonly place: SignInPlace;
  /** Whether passwords that are stored here are not accepted. */
  readonly isLocalOff?: boolean;
}

/** Counts an attempt for one more subject, before it is made. */
export type Guard = Attempt['guard'];

/** Another authority for passwords, such as a directory; asked when the local one is not right. */
export type Proof = (name: string, password: string, guard: Guard) => Promise<User | undefined>;

/**
 * The active person with this address and password. Every attempt takes its tokens before the
 * password is checked, so concurrent attempts cannot exceed the allowed number of guesses. An
 * unknown account takes the same steps, and as long, as a wrong password.
 */
export async function logIn(
  ctx: Context,
  { email, password, place, isLocalOff = false }: Login,
  otherwise?: Proof,
): Promise<User> {
  const name = email.trim();
  if (!isEmail(name) && otherwise === undefined) throw notAnEmail();
  // Neither the database nor any name can contain it, so nothing is tried.
  if (name.includes('\0')) throw wrongCredentials();
  const attempt = await beginAttempt(ctx, name, place);
  const person = await findPerson(ctx, { name, password, isLocalOff }, attempt, otherwise);
  if (person === undefined) {
    await attempt.fail();
    throw wrongCredentials();
  }
  await attempt.succeed(person.isActive ? person : undefined);
  if (!person.isActive) throw accountDeactivated();
  return person;
}

export interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
  /** The network that the caller's address counts as. */
  readonly address: string;
  /** The current session, if any: it stays. */
  readonly sessionId?: bigint | undefined;
}

/**
 * Returns what to store for a new password, if the old one is right. A wrong one counts as a login.
 */
export async function preparePassword(
  ctx: Context,
  user: User,
  { oldPassword, newPassword, address, sessionId }: PasswordChange,
): Promise<string> {
  const { id, email } = user;
  await checkPassword(ctx, newPassword, user, 'New password is too weak!');
  const place = { address, signedIn: { userId: id, sessionId } };
  await proveAgain(ctx, { email, password: oldPassword, place }, wrongPassword);
  return hashPassword(newPassword);
}

export interface Confirmation {
  readonly password: string;
  /** The network that the caller's address counts as. */
  readonly address: string;
  readonly sessionId: bigint | undefined;
}

/** Refuses unless this is the person's password, for acts that need more than a session. */
export async function confirmPassword(
  ctx: Context,
  { id, email }: User,
  { password, address, sessionId }: Confirmation,
  otherwise?: Proof,
): Promise<void> {
  const place = { address, signedIn: { userId: id, sessionId } };
  const user = await proveAgain(ctx, { email, password, place }, incorrectPassword, otherwise);
  // The other authority may know another person by this address.
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

export interface StoredPassword {
  readonly passwordHash: string;
  /** The current session, if any: it stays. */
  readonly keptSession?: bigint | undefined;
  /** From where it was set, for the email about it. */
  readonly address: string;
}

/**
 * Signs the person out everywhere except in the current session, ends their reset links and sign-ins under way, freezes
 * their withdrawals, and tells them by email.
 */
export async function storePassword(
  tx: Tx,
  ctx: Context,
  user: User,
  { passwordHash, keptSession, address }: StoredPassword,
): Promise<void> {
  await updatePasswordHash(tx, user.id, passwordHash);
  await endLinks(tx, user.id, 'password');
  noteAct(tx, { act: 'password change', subject: user.email, details: { userId: user.id } });
  await endAccess(tx, user, 'password changed', keptSession);
  await freezeWithdrawals(tx, user.id, FREEZE_HOURS);
  emitSecurity(tx, user.id, 'freeze');
  await tellPerson(tx, ctx, user, 'password_changed', { address });
}

async function findPerson(
  ctx: Context,
  { name, password, isLocalOff }: { name: string; password: string; isLocalOff: boolean },
  attempt: Attempt,
  otherwise: Proof | undefined,
): Promise<User | undefined> {
  let wasTried = false;
  try {
    const found = isEmail(name) ? await findCredentials(ctx.db, name) : undefined;
    const isPerson = found !== undefined && found.user.botType === null && !isLocalOff;
    const passwordHash = isPerson ? found.passwordHash : null;
    const priority = attempt.lane === 'stranger' ? 'stranger' : 'known';
    const matches = await verifyPassword(
      passwordHash,
      password,
      priority,
      ctx.metrics.passwordWaited,
    );
    if (isPerson && matches) return found.user;
    wasTried = passwordHash !== null;
    return await otherwise?.(name, password, attempt.guard);
  } catch (error) {
    // A local attempt counts even if the other authority could not be asked; otherwise its absence
    // would allow guessing.
    if (wasTried) await attempt.fail();
    else await attempt.withdraw();
    throw error;
  }
}
