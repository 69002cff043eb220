/** The role of a person or a bot in the organization; a smaller number may do more. */
export const ROLE = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
} as const;

export type RoleName = keyof typeof ROLE;
export type RoleCode = (typeof ROLE)[RoleName];

/** Whether `role` has at least the rights of `least`. */
export const hasAtLeast = (role: RoleCode, least: RoleName): boolean => role <= ROLE[least];

/** The lower of two roles. */
export const lesserRole = (a: RoleCode, b: RoleCode): RoleCode => (a > b ? a : b);

/** A bot acts for its owner and never above them. A bot without an owner is at most a member. */
export const roleOfBot = (role: RoleCode, ownerRole: RoleCode | undefined): RoleCode =>
  lesserRole(role, ownerRole ?? ROLE.member);
