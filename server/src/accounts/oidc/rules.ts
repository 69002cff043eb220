// What a provider's claims mean here: the role, the groups, and whether a second factor was shown there.
import { ROLE, type RoleCode } from '../roles.ts';
import type { Claims } from './claims.ts';
import type { Provider } from './settings.ts';

/** A claim may be one text or a list of texts. Names with dots lead into objects, as in `realm_access.roles`. */
function hasValue(all: Readonly<Record<string, unknown>>, claim: string, value: string): boolean {
  const found = Object.hasOwn(all, claim) ? all[claim] : inside(all, claim.split('.'));
  return found === value || (Array.isArray(found) && found.includes(value));
}

function inside(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) {
      return undefined;
    }
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/**
 * The role by the rules; undefined where there are none. The highest of those that apply; without one, what a new
 * person gets, so that a role ends with the claim that gave it. No rule makes an owner.
 */
export function roleByRules(
  { roles, create }: Pick<Provider, 'roles' | 'create'>,
  { all }: Pick<Claims, 'all'>,
): RoleCode | undefined {
  if (roles.length === 0) return undefined;
  const given = roles
    .filter(({ claim, has }) => hasValue(all, claim, has))
    .map(({ role }): number => ROLE[role]);
  const least = create === 'guest' ? ROLE.guest : ROLE.member;
  return (given.length === 0 ? least : Math.min(...given)) as RoleCode;
}

export interface GroupsByRules {
  readonly join: readonly string[];
  readonly leave: readonly string[];
}

/** The groups that rules name: those whose claim is there are joined, the others are left. */
export function groupsByRules(
  { groups }: Pick<Provider, 'groups'>,
  { all }: Pick<Claims, 'all'>,
): GroupsByRules {
  const named = new Set(groups.map(({ group }) => group));
  const join = new Set(
    groups.filter(({ claim, has }) => hasValue(all, claim, has)).map(({ group }) => group),
  );
  return { join: [...join], leave: [...named].filter((group) => !join.has(group)) };
}

/** Whether the provider says that it asked for a second factor. */
export const countsAsFactor = (
  { mfa }: Pick<Provider, 'mfa'>,
  { amr }: Pick<Claims, 'amr'>,
): boolean => mfa.amr.some((one) => amr.includes(one));
