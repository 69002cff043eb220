/** What a person or a bot is in the organization; a smaller number may do more. */
export const ROLE = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
} as const;

export type RoleName = keyof typeof ROLE;
export type RoleCode = (typeof ROLE)[RoleName];

/** Whether somebody with `role` has at least the rights of `least`. */
export const hasAtLeast = (role: RoleCode, least: RoleName): boolean => role <= ROLE[least];
