// Which channels people see or lose when roles and groups change; clients follow by events alone.
import { beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import type { TestServer } from '../../../testing/server.ts';
import { useCast } from '../../../testing/chat/cast-world.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { FormInput } from '../../../testing/chat/client.ts';

const world = useCast();
const { as } = world;
let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let guest: Person;

beforeAll(() => {
  ({ server } = world);
  ({ owner, member, other, guest } = world.cast);
});

let count = 0;
async function makeChannel(given: FormInput = {}): Promise<number> {
  const { status, body } = await as(owner).post('/channels/create', {
    name: `channel ${(count += 1)}`,
    subscribers: [owner.id],
    ...given,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return Number(body['id']);
}

async function makeGroup(given: FormInput = {}): Promise<number> {
  const { body } = await as(owner).post('/user_groups/create', {
    name: `group ${(count += 1)}`,
    description: '',
    members: [],
    ...given,
  });
  return Number(body['group_id']);
}

const sees = async (person: Person, channelId: number) =>
  (await as(person).get(`/streams/${channelId}`)).status === 200;

describe('channels', () => {
  it('appear to somebody who joins a permitted group, and disappear again', async () => {
    const group = await makeGroup();
    const outer = await makeGroup({ subgroups: [group] });
    const id = await makeChannel({ invite_only: true, can_subscribe_group: outer });
    expect(await sees(member, id)).toBe(false);
    const [mine, theirs] = await verifyEvents(server, [member, other, owner], () =>
      as(owner).post(`/user_groups/${group}/members`, { add: [member.id] }),
    );
    expect(mine).toContainEqual(expect.objectContaining({ type: 'stream', op: 'create' }));
    expect(theirs).toMatchObject([{ op: 'add_members' }]);
    expect(await sees(member, id)).toBe(true);
    const [left] = await verifyEvents(server, [member, other], () =>
      as(owner).post(`/user_groups/${outer}/subgroups`, { delete: [group] }),
    );
    expect(left).toContainEqual(
      expect.objectContaining({ type: 'stream', op: 'delete', stream_ids: [id] }),
    );
    expect(await sees(member, id)).toBe(false);
    await verifyEvents(server, [member, other], () =>
      as(owner).post(`/user_groups/${outer}/subgroups`, { add: [group] }),
    );
    expect(await sees(member, id)).toBe(true);
    await verifyEvents(server, [member], () =>
      as(owner).post(`/user_groups/${group}/members`, { delete: [member.id] }),
    );
    expect(await sees(member, id)).toBe(false);
  });

  it('appear to a guest who becomes a member, and disappear when the member becomes a guest', async () => {
    const id = await makeChannel();
    const kept = await makeChannel({ subscribers: [owner.id, guest.id] });
    await makeChannel({ invite_only: true });
    await as(owner).post('/default_streams', { stream_id: id });
    // The queues of somebody who stops being a guest end: other people and addresses are theirs to see.
    await verifyEvents(server, [member], () =>
      as(owner).patch(`/users/${guest.id}`, { role: 400 }),
    );
    expect(await sees(guest, id)).toBe(true);
    await verifyEvents(server, [member], () =>
      as(owner).patch(`/users/${guest.id}`, { role: 200 }),
    );
    await verifyEvents(server, [member], () =>
      as(owner).patch(`/users/${guest.id}`, { role: 600 }),
    );
    expect(await sees(guest, id)).toBe(false);
    expect(await sees(guest, kept)).toBe(true);
    await as(owner).delete('/default_streams', { stream_id: id });
  });

  it('count active people only: a deactivated person leaves the count and comes back into it', async () => {
    const one = await examplePerson(server.ctx);
    const id = await makeChannel({
      subscribers: [owner.id, one.id],
      can_administer_channel_group: { direct_members: [one.id], direct_subgroups: [] },
      can_send_message_group: { direct_members: [one.id, member.id], direct_subgroups: [] },
    });
    const [seen] = await verifyEvents(server, [member, owner], () =>
      as(owner).delete(`/users/${one.id}`),
    );
    expect(seen).toContainEqual(
      expect.objectContaining({ type: 'subscription', op: 'peer_remove', stream_ids: [id] }),
    );
    expect(seen).toContainEqual(
      expect.objectContaining({
        type: 'stream',
        op: 'update',
        stream_id: id,
        property: 'can_send_message_group',
        value: { direct_members: [member.id], direct_subgroups: [] },
      }),
    );
    const [back] = await verifyEvents(server, [member, owner], () =>
      as(owner).post(`/users/${one.id}/reactivate`),
    );
    expect(back).toContainEqual(
      expect.objectContaining({ type: 'subscription', op: 'peer_add', user_ids: [one.id] }),
    );
  });

  it('that are default channels get every new member, but no guest', async () => {
    const id = await makeChannel();
    await as(owner).post('/default_streams', { stream_id: id });
    let made: Person | undefined;
    const [seen] = await verifyEvents(server, [member], async () => {
      made = await examplePerson(server.ctx);
    });
    expect(seen).toContainEqual(
      expect.objectContaining({
        op: 'peer_add',
        stream_ids: [id],
        user_ids: [made?.id],
      }),
    );
    await examplePerson(server.ctx, { role: ROLE.guest });
    const { body } = await as(owner).get(`/streams/${id}/members`);
    expect(body['subscribers']).toEqual([owner.id, made?.id]);
  });
});
