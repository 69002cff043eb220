// The events that change rights: which they are, whom they affect, and how they change the rights that a node knows.
import type { RoleCode } from '../../../accounts/roles.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import type { RightsEvent } from '../../conversations/channel-rights/events.ts';
import type { SightEvent } from '../../rights/sight/events.ts';
import type { RightsOfNode } from './rights-of-node.ts';

type GroupEvent =
  | {
      type: 'user_group';
      op: 'add_members' | 'remove_members';
      group_id: number;
      user_ids: number[];
    }
  | {
      type: 'user_group';
      op: 'add_subgroups' | 'remove_subgroups';
      group_id: number;
      direct_subgroup_ids: number[];
    }
  | {
      type: 'user_group';
      op: 'add';
      group: { id: number; members: number[]; direct_subgroup_ids: number[] };
    }
  | { type: 'user_group'; op: 'update' | 'remove' };

type PersonEvent = {
  type: 'realm_user';
  op: string;
  person: { user_id: number; role?: number; is_active?: boolean; is_bot?: boolean };
  delivery?: { ends_queues?: boolean };
};

export type RightsChange = RightsEvent | GroupEvent | PersonEvent | SightEvent;

const TYPES: ReadonlySet<string> = new Set(['channel_rights', 'realm_user', 'sight', 'user_group']);

/** The payload of every other event is never parsed. */
export const changesRights = ({ type }: LoggedEvent): boolean => TYPES.has(type);

export const parseChange = ({ payload }: LoggedEvent): RightsChange =>
  JSON.parse(payload) as RightsChange;

/** Applies what concerns no single person: channels, and which group is in which. */
export function applyToAll(node: RightsOfNode, change: RightsChange): void {
  if (change.type === 'channel_rights' && change.op === 'set') node.applyChannel(change);
  // Everybody knows bots.
  if (change.type === 'realm_user' && change.op === 'add' && change.person.is_bot === true) {
    node.introduce(change.person.user_id);
  }
  if (change.type !== 'user_group') return;
  if (change.op === 'add_subgroups' || change.op === 'remove_subgroups') {
    for (const inner of change.direct_subgroup_ids) {
      node.setNesting(change.group_id, inner, change.op === 'add_subgroups');
    }
  }
  if (change.op === 'add') {
    for (const inner of change.group.direct_subgroup_ids) {
      node.setNesting(change.group.id, inner, true);
    }
  }
}

/** Applies what concerns this person alone. */
export function applyToPerson(node: RightsOfNode, userId: number, change: RightsChange): void {
  if (change.type === 'channel_rights') {
    if (change.op !== 'set' && change.user_ids.includes(userId)) node.moveReader(userId, change);
  } else if (change.type === 'realm_user') {
    const { user_id, role } = change.person;
    if (change.op === 'update' && user_id === userId && role !== undefined) {
      node.setRole(userId, role as RoleCode);
    }
  } else if (change.type === 'sight') {
    if (change.op === 'renew' || change.user_id !== userId) return;
    for (const other of change.people) node.setKnown(userId, other, change.op === 'gain');
  } else if (change.op === 'add') {
    if (change.group.members.includes(userId)) node.setMember(change.group.id, userId, true);
  } else if (change.op === 'add_members' || change.op === 'remove_members') {
    if (change.user_ids.includes(userId)) {
      node.setMember(change.group_id, userId, change.op === 'add_members');
    }
  }
}

/** The people whose rights the change may touch. */
export function affectedBy(change: RightsChange): Iterable<number> | 'everybody' {
  if (change.type === 'realm_user') return [change.person.user_id];
  if (change.type === 'sight') return change.op === 'renew' ? [] : [change.user_id];
  if (change.type === 'channel_rights') return change.op === 'set' ? 'everybody' : change.user_ids;
  if (change.op === 'add') return change.group.members;
  if (change.op === 'add_members' || change.op === 'remove_members') return change.user_ids;
  return change.op === 'add_subgroups' || change.op === 'remove_subgroups' ? 'everybody' : [];
}

/** People whose queues end: they get no events any more, or must learn anew what they may see. */
export function goneBy(change: RightsChange, node: RightsOfNode): Iterable<number> {
  if (change.type === 'sight') {
    return change.op === 'renew' ? (change.user_ids ?? node.guestIds()) : [];
  }
  if (change.type !== 'realm_user') return [];
  const { person, delivery } = change;
  return person.is_active === false || delivery?.ends_queues === true ? [person.user_id] : [];
}
