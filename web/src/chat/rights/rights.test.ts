import { describe, expect, it } from 'vitest';
import type { Group } from '../../state/entities.ts';
import { channel, OWN_ID, person, stateOf } from '../testing/state.ts';
import { allows, isInGroup, mayAdminister, topicRights } from './rights.ts';

const group = (id: number, memberIds: number[], subgroupIds: number[] = []): Group => ({
  id,
  name: `group ${id}`,
  description: '',
  creatorId: null,
  dateCreated: null,
  memberIds,
  subgroupIds,
  isSystem: false,
  isDeactivated: false,
  permissions: {},
});

function stateWith(...groups: Group[]) {
  const state = stateOf({ channels: [channel(1, 'desk')], people: [person(OWN_ID, 'Mia')] });
  for (const one of groups) state.groups.set(one.id, one);
  return state;
}

describe('membership', () => {
  it('goes through groups in groups', () => {
    const state = stateWith(group(10, [], [11]), group(11, [], [12]), group(12, [8]));
    expect(isInGroup(state, 10, 8)).toBe(true);
    expect(isInGroup(state, 10, 9)).toBe(false);
    expect(isInGroup(state, 99, 8)).toBe(false);
  });

  it('ends where groups contain each other', () => {
    const state = stateWith(group(10, [], [11]), group(11, [], [10]));
    expect(isInGroup(state, 10, 8)).toBe(false);
  });

  it('is nobody in a deactivated group', () => {
    const state = stateWith({ ...group(10, [8]), isDeactivated: true });
    expect(isInGroup(state, 10, 8)).toBe(false);
  });

  it('may be of people and groups without a name', () => {
    const state = stateWith(group(10, [8]));
    const setting = { direct_members: [9], direct_subgroups: [10] };
    expect([8, 9, 7].map((id) => allows(state, setting, id))).toEqual([true, true, false]);
  });
});

describe('rights in a topic', () => {
  it('come from the organization or from the channel', () => {
    const state = stateWith(group(1, []), group(10, [OWN_ID]));
    expect(topicRights(state, 1).mayResolve).toBe(false);
    state.organization = { ...state.organization, settings: { can_resolve_topics_group: 10 } };
    expect(topicRights(state, 1)).toMatchObject({ mayResolve: true, mayDelete: false });
    const { permissions } = channel(1, 'desk');
    const opened = { ...permissions, can_delete_any_message_group: 10 };
    state.channels.set(1, channel(1, 'desk', { permissions: opened }));
    expect(topicRights(state, 1).mayDelete).toBe(true);
  });

  it('are none in an archived or unknown channel', () => {
    const state = stateWith(group(10, [OWN_ID]));
    state.organization = { ...state.organization, settings: { can_resolve_topics_group: 10 } };
    state.channels.set(1, channel(1, 'desk', { isArchived: true }));
    expect(topicRights(state, 1).mayResolve).toBe(false);
    expect(topicRights(state, 99).mayResolve).toBe(false);
  });

  it('of administrators include every channel', () => {
    const state = stateWith(group(1, []));
    expect(mayAdminister(state, 1)).toBe(false);
    state.people.set(OWN_ID, person(OWN_ID, 'Mia', { role: 200 }));
    expect(mayAdminister(state, 1)).toBe(true);
  });
});
