// A node that follows the log knows the same as one that reads everything from the database.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import type { ChannelAudience } from '../../../platform/events/event.ts';
import { joinAt, leaveAt, type Received } from '../../conversations/channel/received.ts';
import type { ChannelRights } from '../../conversations/channel-rights/events.ts';
import { RightsOfNode } from './rights-of-node.ts';

const NOBODY = { direct_members: [], direct_subgroups: [] };

const rights = (changed: Partial<ChannelRights> = {}): ChannelRights => ({
  invite_only: true,
  is_web_public: false,
  history_public_to_subscribers: false,
  is_archived: false,
  can_administer_channel_group: NOBODY,
  can_add_subscribers_group: NOBODY,
  can_subscribe_group: NOBODY,
  ...changed,
});

const USERS = [1, 2, 3];
const CHANNELS = [10, 11];
const GROUPS = [20, 21, 22];
const ROLES = Object.values(ROLE);

const user = fc.constantFrom(...USERS);
const channel = fc.constantFrom(...CHANNELS);
const group = fc.constantFrom(...GROUPS);
const value = fc.record({
  direct_members: fc.uniqueArray(user),
  direct_subgroups: fc.uniqueArray(group),
});
const someRights = fc
  .record({
    invite_only: fc.boolean(),
    is_web_public: fc.boolean(),
    history_public_to_subscribers: fc.boolean(),
    is_archived: fc.boolean(),
    can_administer_channel_group: value,
    can_add_subscribers_group: value,
    can_subscribe_group: value,
  })
  .map((given) => ({ ...given, is_web_public: given.is_web_public && !given.invite_only }));

const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), channel, rights: someRights }),
  fc.record({ kind: fc.constant('join' as const), channel, user }),
  fc.record({ kind: fc.constant('leave' as const), channel, user }),
  fc.record({ kind: fc.constant('role' as const), user, role: fc.constantFrom(...ROLES) }),
  fc.record({ kind: fc.constant('member' as const), group, user, isMember: fc.boolean() }),
  fc.record({
    kind: fc.constant('nest' as const),
    outer: group,
    inner: group,
    isNested: fc.boolean(),
  }),
);

/** A simple model of the same rights. */
class World {
  channels = new Map(CHANNELS.map((id) => [id, rights()]));
  roles = new Map<number, RoleCode>(USERS.map((id) => [id, ROLE.member]));
  members = new Set<string>();
  nesting = new Set<string>();
  memberships = new Map<string, { isActive: boolean; received: Received }>();
  seq = 0;

  readInto(node: RightsOfNode): RightsOfNode {
    for (const [id, one] of this.channels) node.putChannel(id, one);
    for (const pair of this.nesting) {
      const [outer = 0, inner = 0] = pair.split('>').map(Number);
      node.putNesting(outer, inner);
    }
    for (const id of USERS) {
      node.putReader(id, {
        role: this.roles.get(id) ?? ROLE.guest,
        groupIds: GROUPS.filter((one) => this.members.has(`${one}>${id}`)),
        memberships: CHANNELS.flatMap((one) => {
          const membership = this.memberships.get(`${one}>${id}`);
          return membership === undefined ? [] : [[one, membership] as const];
        }),
      });
    }
    return node;
  }
}

function take(world: World, node: RightsOfNode, given: Step): void {
  world.seq += 1;
  const { seq } = world;
  switch (given.kind) {
    case 'set':
      world.channels.set(given.channel, given.rights);
      node.applyChannel({
        type: 'channel_rights',
        op: 'set',
        channel_id: given.channel,
        rights: given.rights,
      });
      return;
    case 'join':
    case 'leave': {
      const key = `${given.channel}>${given.user}`;
      const before = world.memberships.get(key);
      if ((before?.isActive === true) === (given.kind === 'join')) return;
      const received = before?.received ?? [];
      world.memberships.set(
        key,
        given.kind === 'join'
          ? { isActive: true, received: joinAt(received, seq) }
          : { isActive: false, received: leaveAt(received, seq) },
      );
      node.applyChannel({
        type: 'channel_rights',
        op: given.kind,
        channel_id: given.channel,
        seq,
        user_ids: [given.user, 999],
      });
      return;
    }
    case 'role':
      world.roles.set(given.user, given.role);
      node.setRole(given.user, given.role);
      return;
    case 'member': {
      const key = `${given.group}>${given.user}`;
      if (given.isMember) world.members.add(key);
      else world.members.delete(key);
      node.setMember(given.group, given.user, given.isMember);
      return;
    }
    default: {
      // Groups never contain themselves, not even indirectly.
      if (given.outer >= given.inner) return;
      const key = `${given.outer}>${given.inner}`;
      if (given.isNested) world.nesting.add(key);
      else world.nesting.delete(key);
      node.setNesting(given.outer, given.inner, given.isNested);
    }
  }
}
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const questions = (node: RightsOfNode, seqs: readonly number[]): unknown[] =>
  USERS.flatMap((userId) =>
    CHANNELS.flatMap((id) => {
      const audiences: ChannelAudience[] = [
        { channel: id, who: 'subscribers' },
        { channel: id, who: 'aware' },
        { channel: id, who: 'subscribers', also: USERS, except: [2] },
        { channel: id, who: 'subscribers', heard: { channel: id, seq: 1 }, called: [1] },
        ...seqs.map(
          (seq) => ({ channel: id, who: 'subscribers', heard: { channel: id, seq } }) as const,
        ),
      ];
      return [
        node.mayRead(userId, id),
        node.maySee(userId, id),
        node.isOpenTo(userId, id),
        node.isArchived(id),
        node.channelsOf(userId).sort((a, b) => a - b),
        [...node.subscribersOf(id)].sort((a, b) => a - b),
        ...audiences.flatMap((one) => [node.admits(userId, one), node.mayKeep(userId, one)]),
      ];
    }),
  );

describe('the rights that a node knows', () => {
  it('are, after any events, the same as a fresh read', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = new World();
        const node = world.readInto(new RightsOfNode('chat.example'));
        for (const given of steps) take(world, node, given);
        const seqs = [1, 5, 20, world.seq + 1];
        expect(questions(node, seqs)).toEqual(
          questions(world.readInto(new RightsOfNode('chat.example')), seqs),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('people who gained or lost sight of a channel are distinguished from all others', () => {
    const node = new RightsOfNode('chat.example');
    node.putChannel(10, rights({ invite_only: false, history_public_to_subscribers: true }));
    for (const [id, role] of [
      [1, ROLE.member],
      [2, ROLE.administrator],
      [3, ROLE.guest],
    ] as const) {
      node.putReader(id, { role, groupIds: [], memberships: [] });
    }
    const asked = (who: 'gained' | 'lost' | 'aware') =>
      USERS.filter((id) => node.admits(id, { channel: 10, who }));
    const set = (changed: Partial<ChannelRights>) =>
      node.applyChannel({
        type: 'channel_rights',
        op: 'set',
        channel_id: 10,
        rights: rights(changed),
      });
    set({});
    expect([asked('aware'), asked('gained'), asked('lost')]).toEqual([[2], [], [1]]);
    set({ is_web_public: true, invite_only: false });
    expect([asked('aware'), asked('gained'), asked('lost')]).toEqual([[1, 2, 3], [1, 3], []]);
  });

  it('people without a queue here are forgotten, which bounds the memory', () => {
    const node = new RightsOfNode('chat.example');
    node.putReader(1, {
      role: ROLE.member,
      groupIds: [20],
      memberships: [[10, { isActive: true, received: [[1, Infinity]] }]],
    });
    expect([...node.subscribersOf(10)]).toEqual([1]);
    node.dropReader(1);
    expect(node.knows(1)).toBe(false);
    expect([...node.subscribersOf(10)]).toEqual([]);
    node.applyChannel({
      type: 'channel_rights',
      op: 'join',
      channel_id: 10,
      seq: 1,
      user_ids: [1],
    });
    expect([...node.subscribersOf(10)]).toEqual([]);
  });
});
