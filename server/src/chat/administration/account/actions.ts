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
import { renewChatKeyIn } from '../keys/actions.ts';
import { listGroupMembers } from '../../rights/permissions/access.ts';
import { checkNameAmongOthers, mayRenameSelf } from '../../people/profiles/names.ts';
import {
  checkSettingValues,
  type SettingValue,
} from '../../organization/setting-definitions/definitions.ts';
import { storeSettings } from '../../people/settings/change.ts';
import { settingUpdated } from '../../people/settings/events.ts';

export interface OwnPasswordChange extends PasswordChange {
  /** Whether the key that programs and phones use ends with the old password. */
  readonly renewsKey: boolean;
}

export interface SettingsChange {
  readonly fullName?: string | undefined;
  readonly timezone?: string | undefined;
  readonly password?: OwnPasswordChange | undefined;
  readonly settings: Readonly<Record<string, SettingValue>>;
}

/**
 * Changes all that is given, or nothing. What already has the value is not announced. Returns the new key, if there is
 * one.
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
    // The row is locked, so that two changes at once do not overwrite each other.
    const user = await accessUserForUpdate(tx, actor.id);
    let isRenamed = false;
    await storeSettings(tx, ctx, user, settings);
    if (timezone !== undefined && timezone !== user.timezone) {
      await changeTimezone(tx, user, timezone);
      tx.emit(settingUpdated('timezone', timezone), { users: [user.id] });
    }
    // Where names are not theirs to change, people are not told so: that is how clients know it.
    if (fullName !== undefined && fullName !== user.fullName && (await mayRenameSelf(tx, user))) {
      await renameUser(tx, user, fullName);
      isRenamed = true;
    }
    if (isRenamed) await checkNameAmongOthers(tx, user, fullName ?? user.fullName);
    // What people choose for themselves is theirs; their password is what they are known by.
    if (passwordHash === undefined) {
      noteNothing(tx);
      return undefined;
    }
    await storePassword(tx, user, passwordHash, password?.sessionId);
    return password?.renewsKey === true ? renewChatKeyIn(ctx, tx, user) : undefined;
  });
}

export interface Targets {
  readonly user_ids?: readonly number[];
  readonly group_ids?: readonly number[];
  /** Whoever has chosen for themselves keeps what they chose. */
  readonly skip_if_already_edited?: boolean;
}

/** Changes the settings of others, all of them or none: what an administrator rolls out. */
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
    // In the order of ids, as everybody locks people.
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

/** Nobody changes these of others together with their settings. */
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
