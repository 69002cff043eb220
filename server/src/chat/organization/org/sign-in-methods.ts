// The ways to sign in, under the names that clients have for them.
import { hasDirectory } from '../../../accounts/ldap/settings.ts';
import { providersOf } from '../../../accounts/oidc/settings.ts';
import {
  AUTHENTICATION_METHODS,
  type AuthenticationMethod,
} from '../../../accounts/organization.ts';
import type { Config } from '../../../platform/config/schema.ts';

/** Those that the operators have set up. A password is always possible. */
export const listPossibleMethods = (config: Config): AuthenticationMethod[] =>
  AUTHENTICATION_METHODS.filter(
    (name) =>
      name === 'Email' ||
      (name === 'LDAP' && hasDirectory(config)) ||
      (name === 'OpenID Connect' && providersOf(config).length > 0),
  );

export const isMethodOn = (
  config: Config,
  off: readonly AuthenticationMethod[],
  name: AuthenticationMethod,
): boolean => listPossibleMethods(config).includes(name) && !off.includes(name);

export type MethodStates = Readonly<
  Record<string, { readonly enabled: boolean; readonly available: boolean }>
>;

/** What clients show to owners. */
export const methodStates = (config: Config, off: readonly AuthenticationMethod[]): MethodStates =>
  Object.fromEntries(
    listPossibleMethods(config).map((name) => [
      name,
      { enabled: !off.includes(name), available: true },
    ]),
  );
