// Everything that shows who somebody is by name and password, wherever it is asked.
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

/** By the password that is kept here, and where there is a directory, by the one that it knows. */
export const signIn = (
  ctx: Context,
  { username, password, place }: NameAndPassword,
): Promise<User> =>
  logIn(ctx, { email: username, password, place }, directoryProof(ctx, createPerson));
