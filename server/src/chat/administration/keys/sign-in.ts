// Signs somebody in by name and password. Every way to sign in uses it.
import { directoryProof } from '../../../accounts/ldap/actions.ts';
import { logIn } from '../../../accounts/passwords/actions.ts';
import type { SignInPlace } from '../../../accounts/sign-in/actions.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { createPerson } from '../users/actions.ts';

export interface NameAndPassword {
  readonly username: string;
  readonly password: string;
  readonly place: SignInPlace;
}

/** Checks the password stored here and, where a directory is configured, the directory's. */
export const signIn = (
  ctx: Context,
  { username, password, place }: NameAndPassword,
): Promise<User> =>
  logIn(ctx, { email: username, password, place }, directoryProof(ctx, createPerson));
