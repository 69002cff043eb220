// Signs somebody in by name and password. Every way to sign in uses it.
import { directoryProof } from '../../../accounts/ldap/actions.ts';
import { logIn } from '../../../accounts/passwords/actions.ts';
import { passwordsAreOff } from '../../../accounts/passwords/errors.ts';
import { readMethodsOff } from '../../../accounts/organization.ts';
import type { SignInPlace } from '../../../accounts/sign-in/actions.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { createPerson } from '../users/actions.ts';

export interface NameAndPassword {
  readonly username: string;
  readonly password: string;
  readonly place: SignInPlace;
}

/**
 * Checks the password stored here and, where a directory is configured, the directory's, unless the organization has
 * switched them off.
 */
export async function signIn(
  ctx: Context,
  { username, password, place }: NameAndPassword,
): Promise<User> {
  const off = await readMethodsOff(ctx.db);
  const otherwise = off.includes('LDAP') ? undefined : directoryProof(ctx, createPerson);
  const isLocalOff = off.includes('Email');
  if (isLocalOff && otherwise === undefined) throw passwordsAreOff();
  return logIn(ctx, { email: username, password, place, isLocalOff }, otherwise);
}
