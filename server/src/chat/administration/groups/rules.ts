// Which names a group may have.
import { findInvisible } from '../../../platform/names/invisible.ts';
import { badRequest } from '../../http/errors.ts';

export const GROUP_NAME_MAX = 100;
export const GROUP_DESCRIPTION_MAX = 1024;

/** Prefixes that mean something else where people mention a group. */
const RESERVED = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const;

export function checkGroupName(name: string): void {
  if (name.trim() === '') throw badRequest("User group name can't be empty!");
  if (Array.from(name).length > GROUP_NAME_MAX) {
    throw badRequest(`User group name cannot exceed ${GROUP_NAME_MAX} characters.`);
  }
  const position = findInvisible(name);
  if (position !== undefined) {
    throw badRequest(`Invalid character in user group name, at position ${position}.`);
  }
  const prefix = RESERVED.find((reserved) => name.startsWith(reserved));
  if (prefix !== undefined) throw badRequest(`User group name cannot start with '${prefix}'.`);
}
