// Changes the settings, name, time zone and password of an account.
import { noteAct, noteNothing } from '../../../accounts/audit/actions.ts';
import {
  preparePassword,
  storePassword,
  type PasswordChange,
} from '../../../accounts/passwords/actions.ts';
import { accessUserForUpdate } from '../../../accounts/users/access.ts';
import { changeTimezone, renameUser } from '../../../accounts/users/actions.ts';
import { hasAtLeast } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { accessGroup } from '../groups/access.ts';
import { badRequest } from '../../http/errors.ts';
import { revokeKeysIn, type Revoke } from '../keys/actions.ts';
import { listGroupMembers } from '../../rights/permissions/access.ts';
import { checkNameAmongOthers, mayRenameSelf } from '../../people/profiles/names.ts';
import {
  checkSettingValues,
  type SettingValue,
} from '../../organization/setting-definitions/definitions.ts';
import { storeSettings } from '../../people/settings/change.ts';
import { settingUpdated } from '../../people/settings/events.ts';

export interface OwnPasswordChange extends PasswordChange {
  /** Which keys end together with the password. */
  readonly revoke: Revoke;
  /** The caller's address, for the email about it. */
  readonly caller: string;
}

export interface SettingsChange {
  readonly fullName?: string | undefined;
  readonly timezone?: string | undefined;
  readonly password?: OwnPasswordChange | undefined;
  readonly settings: Readonly<Record<string, SettingValue>>;
}

/**
 * Changes everything that is given, or nothing. Emits no event for a value that stays the same. Returns the new key, if
 * there is one.
 */
export async function changeOwnSettings(
  ctx: Context,
  actor: User,
  { fullName, timezone, password, settings }: SettingsChange,
): Promise<string | undefined> {
  checkSettingValues(settings);
  if (timezone !== undefined && !isTimezone(timezone)) throw badRequest('Invalid timezone');
  const passwordHash = password && (await preparePassword(ctx, actor, password));
  return ctx.inTransaction(async (tx) => {
    // The lock keeps two changes at once from overwriting each other.
    const user = await accessUserForUpdate(tx, actor.id);
    let isRenamed = false;
    await storeSettings(tx, ctx, user, settings);
    if (timezone !== undefined && timezone !== user.timezone) {
      await changeTimezone(tx, user, timezone);
      tx.emit(settingUpdated('timezone', timezone), { users: [user.id] });
    }
    // Where people may not change their names, the new name is ignored without an error: clients expect that.
    if (fullName !== undefined && fullName !== user.fullName && (await mayRenameSelf(tx, user))) {
      await renameUser(tx, user, fullName);
      isRenamed = true;
    }
    if (isRenamed) await checkNameAmongOthers(tx, user, fullName ?? user.fullName);
    // Only a change of password goes into the audit log; settings are the person's own affair.
    if (password === undefined || passwordHash === undefined) {
      noteNothing(tx);
      return undefined;
    }
    const { sessionId: keptSession, caller: address, revoke } = password;
    await storePassword(tx, ctx, user, { passwordHash, keptSession, address });
    return revokeKeysIn(ctx, tx, user, revoke);
  });
}

export interface Targets {
  readonly user_ids?: readonly number[];
  readonly group_ids?: readonly number[];
  /** Leaves alone the settings that a person chose for themselves. */
  readonly skip_if_already_edited?: boolean;
}

/** Changes the settings of others, for all of them or for nobody. Only for administrators. */
export async function changeSettingsOf(
  ctx: Context,
  actor: User,
  { user_ids = [], group_ids = [], skip_if_already_edited = false }: Targets,
  given: Readonly<Record<string, SettingValue>>,
): Promise<void> {
  if (!hasAtLeast(actor.role, 'administrator')) {
    throw badRequest('Must be an organization administrator');
  }
  const own = OWN_AFFAIRS.find((name) => given[name] !== undefined);
  if (own !== undefined) {
    const parameters = `${own}, target_users`;
    throw badRequest(`Unsupported parameter combination: ${parameters}`, { parameters });
  }
  checkSettingValues(given);
  await ctx.inTransaction(async (tx) => {
    const ids = new Set(user_ids);
    for (const groupId of group_ids) {
      await accessGroup(tx, groupId);
      for (const id of await listGroupMembers(tx, groupId)) ids.add(id);
    }
    // Ascending ids: everything locks people in this order, so no deadlock can happen.
    for (const id of [...ids].sort((a, b) => a - b)) {
      const user = await accessUserForUpdate(tx, id);
      if (!user.isActive || user.botType !== null) {
        if (user_ids.includes(id)) throw badRequest(`Invalid user ID: ${id}`);
        continue;
      }
      const wanted = Object.entries(given).filter(
        ([name]) => !skip_if_already_edited || !Object.hasOwn(user.settings, name),
      );
      await storeSettings(tx, ctx, user, Object.fromEntries(wanted));
    }
    noteAct(tx, {
      act: 'user settings',
      subject: `${ids.size} people`,
      after: given,
      details: { user_ids: [...user_ids], group_ids: [...group_ids], skip_if_already_edited },
    });
  });
}

/** These cannot be changed for others. */
const OWN_AFFAIRS = ['full_name', 'timezone', 'old_password', 'new_password', 'revoke', 'email'];

/** Empty, or a name that the time zone database knows. */
function isTimezone(name: string): boolean {
  if (name === '') return true;
  // Offsets such as +01:00 are accepted by the formatter but are no names.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
