// Who may do what, decided from facts without a database.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROLE, type RoleCode, type RoleName } from '../../../accounts/roles.ts';
import { groupsOfRole, ROLE_GROUPS, roleGroupId } from '../../../accounts/users/role-groups.ts';
import { defaultGroupId, definitionOf, settingNames, type PermissionScope } from './definitions.ts';
import { groupsOfUser } from './membership.ts';
import {
  canAddMembers,
  canAddSubscribers,
  canAdministerChannel,
  canBeCalled,
  canCreateTopic,
  canDeleteAnyMessage,
  canDeleteOwnMessage,
  canJoinGroup,
  canLeaveGroup,
  canManageGroup,
  canMentionGroup,
  canMentionMany,
  canMoveOutOfChannel,
  canMoveWithinChannel,
  canPost,
  canReadChannel,
  canReadDirectMessage,
  canReadMessage,
  canRemoveMembers,
  canRemoveSubscribers,
  canResolveTopics,
  canSeeChannel,
  canSubscribe,
  canTouchMessage,
  findDirectMessageProblem,
  has,
  isInGroupSetting,
  may,
  type ChannelFacts,
  type GroupFacts,
  type Permissions,
  type Rights,
} from './rights.ts';
import { onlyPeople, type GroupSettingValue } from './value.ts';

const NOBODY = roleGroupId('role:nobody');
const EVERYBODY = roleGroupId('role:everyone');

const defaults = <K extends PermissionScope>(
  kind: K,
  given: Readonly<Record<string, GroupSettingValue>> = {},
): Permissions<K> =>
  ({
    ...Object.fromEntries(settingNames(kind).map((name) => [name, defaultGroupId(kind, name)])),
    ...given,
  }) as Permissions<K>;

/** The system groups of a role, as the migration nests them. */
const roleGraph = (id: number, role: RoleCode) =>
  ROLE_GROUPS.map((group) => ({
    id: group.id,
    members: groupsOfRole(role).includes(group.id) ? [id] : [],
    direct_subgroup_ids: group.subgroup === null ? [] : [roleGroupId(group.subgroup)],
  }));

let nextId = 1;
function person(
  role: RoleName,
  organization: Readonly<Record<string, GroupSettingValue>> = {},
): Rights {
  nextId += 1;
  return {
    id: nextId,
    role: ROLE[role],
    groupIds: groupsOfUser(roleGraph(nextId, ROLE[role]), nextId),
    organization: defaults('realm', organization),
  };
}

const channel = (
  given: Partial<Omit<ChannelFacts, 'permissions'>> = {},
  permissions: Readonly<Record<string, GroupSettingValue>> = {},
): ChannelFacts => ({
  inviteOnly: false,
  isWebPublic: false,
  historyPublicToSubscribers: true,
  isArchived: false,
  isSubscribed: false,
  ...given,
  permissions: defaults('channel', permissions),
});

const group = (
  permissions: Readonly<Record<string, GroupSettingValue>> = {},
  isSystem = false,
): GroupFacts => ({ isSystem, permissions: defaults('group', permissions) });

const ROLES = Object.keys(ROLE) as RoleName[];

describe('roles nest', () => {
  it.each([
    ['owner', [1, 2, 3, 4, 5, 6, 7]],
    ['administrator', [1, 2, 3, 4, 5, 6]],
    ['moderator', [1, 2, 3, 4, 5]],
    ['member', [1, 2, 3, 4]],
    ['guest', [1, 2]],
  ] as const)('%s', (role, expected) => {
    expect(person(role).groupIds).toEqual(new Set(expected));
  });

  it('a new member is not yet a full member', () => {
    expect(groupsOfRole(ROLE.member, true)).toEqual([roleGroupId('role:members')]);
    expect(groupsOfRole(ROLE.moderator, true)).toEqual([roleGroupId('role:moderators')]);
  });
});

describe('a permission', () => {
  it('belongs to people who are named, or are in a named group', () => {
    const one = person('member');
    expect(isInGroupSetting(one, onlyPeople(one.id))).toBe(true);
    expect(isInGroupSetting(one, onlyPeople(one.id + 1))).toBe(false);
    expect(isInGroupSetting(one, roleGroupId('role:members'))).toBe(true);
    expect(isInGroupSetting(one, roleGroupId('role:moderators'))).toBe(false);
    expect(
      isInGroupSetting(one, { direct_members: [], direct_subgroups: [NOBODY, EVERYBODY] }),
    ).toBe(true);
    expect(isInGroupSetting(one, NOBODY)).toBe(false);
  });

  it('is never had by a guest where everyone may not be chosen, even if the guest is named', () => {
    const guest = person('guest');
    for (const kind of ['realm', 'channel', 'group'] as const) {
      for (const name of settingNames(kind)) {
        const { allowsEveryone } = definitionOf(kind, name);
        expect(has(guest, kind, name, onlyPeople(guest.id)), name).toBe(allowsEveryone);
      }
    }
  });

  it('grows with the role: every higher role has what a role has by default', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...settingNames('realm')),
        fc.constantFrom(...ROLE_GROUPS.map(({ id }) => id)),
        (setting, value) => {
          const had = ROLES.map((role) => may(person(role, { [setting]: value }), setting));
          // From owner to guest: once lost, it stays lost.
          expect(had).toEqual(had.toSorted((a, b) => Number(b) - Number(a)));
        },
      ),
    );
  });
});

describe('channels', () => {
  const PRIVATE = { inviteOnly: true } as const;

  it('a public one can be read by all but guests, who must be subscribed', () => {
    expect(ROLES.map((role) => canReadChannel(person(role), channel()))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(canReadChannel(person('guest'), channel({ isSubscribed: true }))).toBe(true);
    expect(canReadChannel(person('guest'), channel({ isWebPublic: true }))).toBe(true);
  });

  it('a private one is read by subscribers and by people who may let others in, administrators or not', () => {
    for (const role of ROLES) {
      const one = person(role);
      expect(canReadChannel(one, channel(PRIVATE))).toBe(false);
      expect(canReadChannel(one, channel({ ...PRIVATE, isSubscribed: true }))).toBe(true);
      for (const setting of ['can_add_subscribers_group', 'can_subscribe_group']) {
        const let_in = channel(PRIVATE, { [setting]: onlyPeople(one.id) });
        expect(canReadChannel(one, let_in)).toBe(role !== 'guest');
      }
    }
  });

  it('a private one is known to administrators of the organization and of the channel', () => {
    expect(ROLES.map((role) => canSeeChannel(person(role), channel(PRIVATE)))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    const one = person('member');
    const own = channel(PRIVATE, { can_administer_channel_group: onlyPeople(one.id) });
    expect(canSeeChannel(one, own)).toBe(true);
    expect(canReadChannel(one, own)).toBe(false);
    expect(canAdministerChannel(one, own)).toBe(true);
    expect(canAdministerChannel(one, channel())).toBe(false);
    const guest = person('guest');
    expect(
      canSeeChannel(
        guest,
        channel(PRIVATE, { can_administer_channel_group: onlyPeople(guest.id) }),
      ),
    ).toBe(false);
  });

  it('a person who may read one may know of it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ROLES),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom(NOBODY, EVERYBODY, roleGroupId('role:members')),
        (role, inviteOnly, isSubscribed, isWebPublic, let_in) => {
          const one = person(role);
          const facts = channel(
            { inviteOnly, isSubscribed, isWebPublic },
            { can_subscribe_group: let_in },
          );
          if (canReadChannel(one, facts)) expect(canSeeChannel(one, facts)).toBe(true);
          if (canSubscribe(one, facts)) expect(canReadChannel(one, facts)).toBe(true);
        },
      ),
    );
  });

  it('people are added by readers with the permission of the organization or of the channel', () => {
    const one = person('member');
    expect(canAddSubscribers(one, channel())).toBe(true);
    expect(canAddSubscribers(one, channel(PRIVATE))).toBe(false);
    expect(canAddSubscribers(one, channel({ ...PRIVATE, isSubscribed: true }))).toBe(true);
    const strict = person('member', { can_add_subscribers_group: NOBODY });
    expect(canAddSubscribers(strict, channel())).toBe(false);
    expect(
      canAddSubscribers(
        strict,
        channel(PRIVATE, { can_add_subscribers_group: onlyPeople(strict.id) }),
      ),
    ).toBe(true);
    expect(canAddSubscribers(person('administrator'), channel(PRIVATE))).toBe(false);
    expect(canAddSubscribers(person('guest'), channel({ isSubscribed: true }))).toBe(false);
  });

  it('posting, topics and removing people follow the permissions of the channel', () => {
    const one = person('member');
    expect(canPost(one, channel())).toBe(true);
    expect(canPost(one, channel({}, { can_send_message_group: NOBODY }))).toBe(false);
    expect(canCreateTopic(one, channel({}, { can_create_topic_group: NOBODY }))).toBe(false);
    expect(canRemoveSubscribers(one, channel())).toBe(false);
    expect(canRemoveSubscribers(person('administrator'), channel())).toBe(true);
    expect(
      canRemoveSubscribers(one, channel({}, { can_remove_subscribers_group: EVERYBODY })),
    ).toBe(true);
  });

  it('an archived one takes no new subscribers', () => {
    expect(canSubscribe(person('member'), channel({ isArchived: true }))).toBe(false);
    expect(canSubscribe(person('member'), channel())).toBe(true);
    expect(canSubscribe(person('guest'), channel())).toBe(false);
  });

  it.each([
    ['can_resolve_topics_group', 'can_resolve_topics_group', canResolveTopics],
    [
      'can_move_messages_between_topics_group',
      'can_move_messages_within_channel_group',
      canMoveWithinChannel,
    ],
    [
      'can_move_messages_between_channels_group',
      'can_move_messages_out_of_channel_group',
      canMoveOutOfChannel,
    ],
    ['can_delete_any_message_group', 'can_delete_any_message_group', canDeleteAnyMessage],
    ['can_delete_own_message_group', 'can_delete_own_message_group', canDeleteOwnMessage],
  ] as const)('%s: a permission of the organization or the channel suffices', (realm, own, can) => {
    const by = (value: GroupSettingValue) => person('member', { [realm]: value });
    expect(can(by(EVERYBODY === defaultGroupId('realm', realm) ? EVERYBODY : 3), channel())).toBe(
      true,
    );
    expect(can(by(NOBODY), channel())).toBe(false);
    expect(can(by(NOBODY), channel({}, { [own]: EVERYBODY }))).toBe(true);
  });
});

describe('messages', () => {
  it('with protected history are read only by people who received them', () => {
    const facts = channel({
      inviteOnly: true,
      historyPublicToSubscribers: false,
      isSubscribed: true,
    });
    const one = person('member');
    expect(canReadMessage(one, facts, { wasReceived: false })).toBe(false);
    expect(canReadMessage(one, facts, { wasReceived: true })).toBe(true);
    const left = { ...facts, isSubscribed: false };
    expect(canReadMessage(one, left, { wasReceived: true })).toBe(false);
  });

  it('call a bot that, or whose owner, may read the channel; the bot may then read the message', () => {
    const secret = channel({ inviteOnly: true, historyPublicToSubscribers: false });
    const bot = { who: person('member'), channel: secret };
    const owner = (given: Partial<ChannelFacts>) => ({
      who: person('member'),
      channel: { ...secret, ...given },
    });
    expect(canBeCalled(bot, undefined)).toBe(false);
    expect(canBeCalled(bot, owner({ isSubscribed: false }))).toBe(false);
    expect(canBeCalled(bot, owner({ isSubscribed: true }))).toBe(true);
    expect(canBeCalled({ ...bot, channel: channel() }, undefined)).toBe(true);
    expect(canReadMessage(bot.who, secret, { wasReceived: false, wasCalled: true })).toBe(true);
    const archived = { ...secret, isArchived: true };
    expect(canTouchMessage(bot.who, archived, { wasReceived: false, wasCalled: true })).toBe(false);
  });

  it('of an archived channel can be read but not changed', () => {
    const one = person('member');
    const archived = channel({ isArchived: true });
    expect(canReadMessage(one, archived, { wasReceived: false })).toBe(true);
    expect(canTouchMessage(one, archived, { wasReceived: false })).toBe(false);
    expect(canTouchMessage(one, channel(), { wasReceived: false })).toBe(true);
  });

  it('that are direct can be read by their participants', () => {
    expect(canReadDirectMessage({ id: 3 }, [1, 3])).toBe(true);
    expect(canReadDirectMessage({ id: 4 }, [1, 3])).toBe(false);
  });

  it('need a participant with the permission, and a first sender who may start them', () => {
    const between = (sender: Rights, other: Rights, isNew = true) =>
      findDirectMessageProblem(
        sender,
        [sender, other].map((one) => ({ ...one, isBot: false })),
        isNew,
      );
    const other = person('administrator');
    expect(between(person('guest'), other)).toBeUndefined();
    const off = { direct_message_permission_group: NOBODY };
    expect(between(person('owner', off), other)).toBe('disabled');
    const admins = { direct_message_permission_group: roleGroupId('role:administrators') };
    expect(between(person('member', admins), other)).toBeUndefined();
    expect(between(person('member', admins), person('member'))).toBe('nobody may authorize it');
    const quiet = { direct_message_initiator_group: NOBODY };
    expect(between(person('member', quiet), other)).toBe('may not initiate');
    expect(between(person('member', quiet), other, false)).toBeUndefined();
    // Notes to oneself and conversations with bots need no permission.
    const alone = person('member', off);
    expect(findDirectMessageProblem(alone, [{ ...alone, isBot: false }], true)).toBeUndefined();
    const bot = { ...person('member'), isBot: true };
    expect(findDirectMessageProblem(alone, [bot], true)).toBeUndefined();
  });

  it('that mention a large crowd need permission, those that mention a small one do not', () => {
    expect(canMentionMany(person('member'), 15)).toBe(true);
    expect(canMentionMany(person('member'), 16)).toBe(false);
    expect(canMentionMany(person('administrator'), 16)).toBe(true);
  });
});

describe('groups', () => {
  it('of roles can be changed by nobody, not even owners', () => {
    const system = group(
      Object.fromEntries(settingNames('group').map((name) => [name, EVERYBODY])),
      true,
    );
    for (const can of [
      canManageGroup,
      canAddMembers,
      canRemoveMembers,
      canJoinGroup,
      canLeaveGroup,
    ]) {
      expect(can(person('owner'), system)).toBe(false);
    }
  });

  it('are managed by people with the permission of the organization or of the group', () => {
    expect(ROLES.map((role) => canManageGroup(person(role), group()))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    const one = person('member');
    const own = group({ can_manage_group: onlyPeople(one.id) });
    expect(canManageGroup(one, own)).toBe(true);
    expect(canAddMembers(one, own)).toBe(true);
    expect(canRemoveMembers(one, own)).toBe(true);
    const guest = person('guest');
    expect(canManageGroup(guest, group({ can_manage_group: onlyPeople(guest.id) }))).toBe(false);
  });

  it('are joined, left and mentioned by people with the group’s permission', () => {
    const one = person('member');
    expect(canJoinGroup(one, group())).toBe(false);
    expect(canJoinGroup(one, group({ can_join_group: roleGroupId('role:members') }))).toBe(true);
    expect(canLeaveGroup(one, group())).toBe(true);
    expect(canLeaveGroup(one, group({ can_leave_group: NOBODY }))).toBe(false);
    expect(canAddMembers(one, group({ can_join_group: roleGroupId('role:members') }))).toBe(false);
    expect(canMentionGroup(one, group())).toBe(true);
    expect(canMentionGroup(one, group({ can_mention_group: roleGroupId('role:moderators') }))).toBe(
      false,
    );
  });
});
