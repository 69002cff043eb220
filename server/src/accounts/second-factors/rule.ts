// Of whom an organization can ask a second factor.
import { ROLE, type RoleCode } from '../roles.ts';

/** The values of the organization's setting, from the loosest. */
export const FACTOR_RULES = ['none', 'owners', 'administrators', 'members', 'everyone'] as const;
export type FactorRule = (typeof FACTOR_RULES)[number];
export const DEFAULT_FACTOR_RULE: FactorRule = 'owners';

/** The lowest role that each rule concerns; zero is below none. */
export const LOWEST: Readonly<Record<FactorRule, number>> = {
  none: 0,
  owners: ROLE.owner,
  administrators: ROLE.administrator,
  members: ROLE.member,
  everyone: ROLE.guest,
};

export const isRequiredBy = (rule: FactorRule, role: RoleCode): boolean => role <= LOWEST[rule];

export const toRule = (stored: string | undefined): FactorRule =>
  FACTOR_RULES.find((rule) => rule === stored) ?? DEFAULT_FACTOR_RULE;
