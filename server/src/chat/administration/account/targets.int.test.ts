// Settings that administrators change for others, and the older names of the route.
import { expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import { ok, useMessageWorld, refused, type Actor } from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const settingsOf = async ({ client }: Actor) =>
  ok(await client.post('/register', { fetch_event_types: ['user_settings'] }))['user_settings'];
const rollOut = (target_users: unknown, more = {}, { client } = world.owner) =>
  client.patch('/settings', {
    target_users: JSON.stringify(target_users),
    color_scheme: 2,
    ...more,
  });

it('reach the named people and the members of the named groups, and nobody else', async () => {
  const { server, owner, ada, bob, stranger } = world;
  const group = ok(
    await owner.client.post('/user_groups/create', {
      name: 'desk',
      description: '',
      members: [bob.id],
    }),
  )['group_id'];
  const events = await verifyEvents(server, [ada, bob, stranger, owner], () =>
    rollOut({ user_ids: [ada.id], group_ids: [group] }),
  );
  const told = [{ type: 'user_settings', property: 'color_scheme', value: 2 }];
  expect(events).toMatchObject([told, told, [], []]);
});

it('leave a setting alone that somebody chose, if the administrator asks for that', async () => {
  const { ada, stranger } = world;
  ok(await stranger.client.patch('/settings/display', { color_scheme: 3 }));
  ok(await stranger.client.patch('/settings/notifications', { enable_sounds: false }));
  ok(await rollOut({ user_ids: [ada.id, stranger.id], skip_if_already_edited: true }));
  expect(await settingsOf(stranger)).toMatchObject({ color_scheme: 3, enable_sounds: false });
  ok(await rollOut({ user_ids: [stranger.id] }));
  expect(await settingsOf(stranger)).toMatchObject({ color_scheme: 2, enable_sounds: false });
});

it('are refused for other callers, for unknown people, and together with names and passwords', async () => {
  const { ada, bob } = world;
  expect(refused(await rollOut({ user_ids: [bob.id] }, {}, ada)).msg).toBe(
    'Must be an organization administrator',
  );
  expect(refused(await rollOut({ user_ids: [bob.id, 900_000] })).msg).toBe('No such user');
  expect(refused(await rollOut({ group_ids: [900_000] })).msg).toBe('Invalid user group');
  expect(refused(await rollOut({ user_ids: [bob.id] }, { full_name: 'X' }))).toMatchObject({
    msg: 'Unsupported parameter combination: full_name, target_users',
    parameters: 'full_name, target_users',
  });
  expect(refused(await rollOut({ user_ids: [bob.id], all: true })).msg).toBe(
    'Argument "all" at target_users["all"] is unexpected',
  );
  expect(refused(await rollOut({ user_ids: [bob.id] }, { color_scheme: 9 })).msg).toContain(
    'Invalid color_scheme',
  );
});
