// Changes the settings of the organization: all that are given, or none.
import { noteChange } from '../../../accounts/audit/actions.ts';
import { updateMethodsOff, type AuthenticationMethod } from '../../../accounts/organization.ts';
import { hasAtLeast } from '../../../accounts/roles.ts';
import { lockNames } from '../../../accounts/users/access.ts';
import { canAnOwnerSignIn } from '../../../accounts/sign-in/ways.ts';
import { accessActing } from '../../../accounts/users/authority.ts';
import { changeWaitingPeriod, moveFullMembers } from '../../../accounts/users/full-members.ts';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import type { User } from '../../../accounts/user.ts';
import type { Config } from '../../../platform/config/schema.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { accessChannel } from '../../conversations/channel/access.ts';
import { badRequest } from '../../http/errors.ts';
import {
  listChannelsShownTo,
  listGroupMembers,
  readOrganizationPermissions,
} from '../../rights/permissions/access.ts';
import {
  changePermissions,
  ORGANIZATION,
  type PermissionChanges,
} from '../../rights/permissions/actions.ts';
import type { SettingName } from '../../rights/permissions/definitions.ts';
import type { GroupSettingValue } from '../../rights/permissions/value.ts';
import {
  canonical,
  checkSettingValues,
  isDefault,
  type SettingValue,
} from '../../organization/setting-definitions/definitions.ts';
import { renewGuests } from '../../rights/sight/actions.ts';
import { followSight } from '../../channels/subscriptions/sight.ts';
import {
  completeRealm,
  DAYS_MAX,
  isLanguage,
  realmDefinition,
  VIDEO_CHAT_PROVIDERS,
  WAITING_PERIOD,
  type RealmValue,
} from '../../organization/org/definitions.ts';
import {
  realmUpdated,
  realmUpdatedTogether,
  userDefaultUpdated,
} from '../../organization/org/events.ts';
import { listPossibleMethods, methodStates } from '../../organization/org/sign-in-methods.ts';
import { plainTextToHtml } from '../../organization/org/render.ts';
import { whyWithoutEffect } from './without-effect.ts';
import { lockStored, updateSettings, updateUserDefaults } from '../../organization/org/store.ts';

const EVERYONE = { everyone: true } as const;

export interface RealmChanges {
  readonly settings: Readonly<Record<string, RealmValue>>;
  readonly waitingPeriodDays?: number | undefined;
  readonly authenticationMethods?: Readonly<Record<string, unknown>> | undefined;
  readonly permissions: PermissionChanges<'realm'>;
}

/** Only owners may change these permissions. */
const OWNERS_PERMISSIONS: ReadonlySet<string> = new Set<SettingName<'realm'>>([
  'create_multiuse_invite_group',
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
]);

/** Returns what changed, in the form of the API's answer. */
export function changeOrganization(
  ctx: Context,
  actor: User,
  changes: RealmChanges,
): Promise<Record<string, RealmValue | GroupSettingValue>> {
  checkOwner(actor, changes);
  const given = parseGiven(changes.settings);
  return ctx.inTransaction(async (tx) => {
    // Checks again in the transaction: the caller may have lost the role meanwhile.
    checkRights(await accessActing(tx, actor), changes);
    const stored = await lockStored(tx);
    const current = completeRealm({
      name: ctx.config.ORGANIZATION_NAME,
      ...stored.settings,
    });
    await checkChannels(tx, actor, given);
    const kept: Record<string, unknown> = { ...stored.settings };
    const changed: Record<string, RealmValue | GroupSettingValue> = {};
    for (const [name, value] of Object.entries(given)) {
      // Clients also send unchanged settings.
      if (current[name] === value) continue;
      const why = whyWithoutEffect(name, value, ctx.config);
      if (why !== undefined) throw badRequest(why);
      kept[name] = value;
      if (name !== 'name' && value === realmDefinition(name).byDefault) delete kept[name];
      announce(tx, name, value);
      changed[name] = typeof value === 'string' ? 'updated' : value;
    }
    if (Object.keys(changed).length > 0) await updateSettings(tx, kept);
    const { waitingPeriodDays: days } = changes;
    if (days !== undefined && days !== stored.waitingPeriodDays) {
      tx.emit(realmUpdated(WAITING_PERIOD, days), EVERYONE);
      await followFullMembers(tx, () => changeWaitingPeriod(tx, days, ctx.clock.now()));
      changed[WAITING_PERIOD] = days;
    }
    const off = methodsOffAfter(ctx.config, stored.methodsOff, changes.authenticationMethods);
    if (!isSameSet(off, stored.methodsOff)) {
      if (!(await canAnOwnerSignIn(tx, ctx.config, off))) throw noOwnerLeft();
      await updateMethodsOff(tx, off);
      const states = methodStates(ctx.config, off);
      tx.emit(realmUpdatedTogether({ authentication_methods: states }), EVERYONE);
    }
    const permissionsBefore = await readOrganizationPermissions(tx);
    const permissions = await changePermissions(tx, 'realm', ORGANIZATION, changes.permissions);
    if (permissions.can_access_all_users_group !== undefined) await renewGuests(tx);
    for (const [setting, value] of Object.entries(permissions)) {
      tx.emit(realmUpdatedTogether({ [setting]: value }), EVERYONE);
      changed[setting] = value;
    }
    // Names that are being chosen now are checked under the new rule, or were chosen before it.
    if (changed['require_unique_names'] !== undefined) await lockNames(tx);
    noteChange(tx, {
      act: 'org setting',
      subject: 'organization',
      before: {
        ...current,
        [WAITING_PERIOD]: stored.waitingPeriodDays,
        authenticationMethodsOff: stored.methodsOff.toSorted(),
        ...permissionsBefore,
      },
      after: {
        ...current,
        ...given,
        [WAITING_PERIOD]: days ?? stored.waitingPeriodDays,
        authenticationMethodsOff: off.toSorted(),
        ...permissionsBefore,
        ...permissions,
      },
    });
    return changed;
  });
}

/** Makes full members of people who have waited long enough. A timer calls it. */
export function admitFullMembers(ctx: Context): Promise<number> {
  return ctx.inTransaction((tx) =>
    followFullMembers(tx, () => moveFullMembers(tx, ctx.clock.now())),
  );
}

/** Channels may be open to full members only, so this shows or hides channels and sends the events for it. */
async function followFullMembers(tx: Tx, change: () => Promise<number>): Promise<number> {
  const channels = await listChannelsShownTo(tx, roleGroupId('role:fullmembers'));
  const people =
    channels.length === 0 ? [] : await listGroupMembers(tx, roleGroupId('role:members'));
  return followSight(tx, people, channels, change);
}

function checkRights(acting: Pick<User, 'role'>, changes: RealmChanges): void {
  if (!hasAtLeast(acting.role, 'administrator')) throw mustBe('administrator');
  checkOwner(acting, changes);
}

function checkOwner(actor: Pick<User, 'role'>, changes: RealmChanges): void {
  if (!hasAtLeast(actor.role, 'owner') && isForOwners(changes)) throw mustBe('owner');
}

/** Whether only owners may make these changes. */
export const isForOwners = (changes: RealmChanges): boolean =>
  changes.waitingPeriodDays !== undefined ||
  changes.authenticationMethods !== undefined ||
  Object.keys(changes.settings).some((name) => realmDefinition(name).isForOwners === true) ||
  Object.entries(changes.permissions).some(
    ([name, change]) => change !== undefined && OWNERS_PERMISSIONS.has(name),
  );

const mustBe = (role: 'administrator' | 'owner') =>
  new Refusal({
    code: 'UNAUTHORIZED_PRINCIPAL',
    message: `Must be an organization ${role}`,
    status: 400,
  });

/** The ways to sign in that are off when the change is made. At least one that is set up stays. */
function methodsOffAfter(
  config: Config,
  before: readonly AuthenticationMethod[],
  given: RealmChanges['authenticationMethods'] = {},
): AuthenticationMethod[] {
  const possible = listPossibleMethods(config);
  const off = new Set(before);
  for (const [name, isOn] of Object.entries(given)) {
    const method = possible.find((one) => one === name);
    if (method === undefined) {
      const names = possible.map((one) => `'${one}'`).join(', ');
      throw badRequest(`Invalid authentication method: ${name}. Valid methods are: [${names}]`);
    }
    if (isOn === true) off.delete(method);
    else off.add(method);
  }
  if (possible.every((name) => off.has(name))) {
    throw badRequest('At least one authentication method must be enabled.');
  }
  return [...off];
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));

const noOwnerLeft = () =>
  badRequest(
    'No owner could sign in any more. An owner has to be able to in another way first, such as a linked provider.',
  );

/** The given values in their stored form. */
function parseGiven(settings: RealmChanges['settings']): Record<string, RealmValue> {
  const given: Record<string, RealmValue> = {};
  for (const [name, raw] of Object.entries(settings)) {
    const { read } = realmDefinition(name);
    const value = read === undefined ? raw : read(raw);
    if (value === undefined) {
      throw badRequest(`Bad value for '${name}': ${String(raw)}`, {
        var_name: name,
        bad_value: raw,
      });
    }
    given[name] = value;
  }
  const { name, default_language: language, video_chat_provider: provider } = given;
  if (typeof name === 'string' && name.trim() === '') throw badRequest('name cannot be blank');
  if (language !== undefined && !isLanguage(language)) {
    throw badRequest(`Invalid language '${String(language)}'`);
  }
  const providers: readonly RealmValue[] = Object.values(VIDEO_CHAT_PROVIDERS).map(({ id }) => id);
  if (provider !== undefined && !providers.includes(provider)) {
    throw badRequest(`Invalid video_chat_provider ${String(provider)}`);
  }
  return given;
}

const NO_CHANNEL = -1;
const CHANNEL_SETTINGS = [
  'moderation_request_channel_id',
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
] as const;

async function checkChannels(
  tx: Tx,
  actor: User,
  given: Readonly<Record<string, RealmValue>>,
): Promise<void> {
  for (const name of CHANNEL_SETTINGS) {
    const id = given[name];
    if (typeof id === 'number' && id !== NO_CHANNEL) await accessChannel(tx, actor, id);
  }
}

/** Clients expect some settings in one event with the values that depend on them. */
function announce(tx: Tx, name: string, value: RealmValue): void {
  if (realmDefinition(name).isGrouped !== true) return tx.emit(realmUpdated(name, value), EVERYONE);
  tx.emit(
    realmUpdatedTogether({
      [name]: value,
      ...(name === 'description' && { rendered_description: plainTextToHtml(String(value)) }),
      ...(name === 'topics_policy' && { mandatory_topics: value === 'disable_empty_topic' }),
    }),
    EVERYONE,
  );
}

/** Changes the settings that new people start with. Existing people keep theirs. */
export function changeUserDefaults(
  ctx: Context,
  settings: Readonly<Record<string, SettingValue>>,
): Promise<void> {
  checkSettingValues(settings);
  return ctx.inTransaction(async (tx) => {
    const { userDefaults } = await lockStored(tx);
    const kept: Record<string, unknown> = { ...userDefaults };
    for (const [name, given] of Object.entries(settings)) {
      const value = canonical(name, given);
      const isSame = Object.hasOwn(kept, name) ? kept[name] === value : isDefault(name, value);
      if (isSame) continue;
      if (isDefault(name, value)) delete kept[name];
      else kept[name] = value;
      tx.emit(userDefaultUpdated(name, value), EVERYONE);
    }
    await updateUserDefaults(tx, kept);
    noteChange(tx, {
      act: 'org user_defaults',
      subject: 'organization',
      before: userDefaults,
      after: kept,
    });
  });
}

export const WAITING_DAYS_MAX = DAYS_MAX;
