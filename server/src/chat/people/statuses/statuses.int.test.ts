// Statuses over HTTP.
import { describe, expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import { ok, useMessageWorld, refused, type Actor } from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const say = ({ client }: Actor, params: FormInput) => client.post('/users/me/status', params);
const statusOf = async ({ id }: Actor, by = world.bob) =>
  ok(await by.client.get(`/users/${id}/status`))['status'];

const SMILE = { emoji_name: 'smile', emoji_code: '1f604', reaction_type: 'unicode_emoji' };

describe('POST /users/me/status', () => {
  it('changes what is given, keeps the rest, and tells everybody', async () => {
    const { server, ada, bob, guest } = world;
    const [told] = await verifyEvents(server, [bob, guest, ada], async () => {
      ok(await say(ada, { status_text: '  at lunch ' }));
      // The name is enough: the server finds code and type.
      ok(await say(ada, { emoji_name: 'smile' }));
    });
    expect(told).toMatchObject([
      { type: 'user_status', user_id: ada.id, status_text: 'at lunch' },
      { type: 'user_status', user_id: ada.id, ...SMILE },
    ]);
    expect(told?.[1]).not.toHaveProperty('status_text');
    expect(await statusOf(ada)).toEqual({ status_text: 'at lunch', ...SMILE });
    const { user_status } = ok(await bob.client.post('/register', {}));
    expect(user_status).toEqual({ [ada.id]: { status_text: 'at lunch', ...SMILE } });
    await verifyEvents(server, [bob], () => say(ada, { status_text: '' }));
    expect(await statusOf(ada)).toEqual(SMILE);
    await verifyEvents(server, [bob], () => say(ada, { emoji_name: '' }));
    expect(await statusOf(ada)).toEqual({});
    expect(ok(await bob.client.post('/register', {}))['user_status']).toEqual({});
  });

  it('away is an older name for hiding', async () => {
    const { server, ada, bob } = world;
    const [own, told] = await verifyEvents(server, [ada, bob], async () => {
      ok(await say(ada, { away: true, status_text: 'gone' }));
    });
    expect(own?.map(({ type }) => type)).toContain('user_settings');
    expect(told).toMatchObject([
      { type: 'presence', user_id: ada.id },
      { type: 'user_status', away: true },
      { type: 'user_status', status_text: 'gone' },
    ]);
    expect(await statusOf(ada)).toEqual({ status_text: 'gone', away: true });
    await verifyEvents(server, [ada, bob], () => say(ada, { away: false, status_text: '' }));
    expect(await statusOf(ada)).toEqual({});
    const nothing = await verifyEvents(server, [bob], () => say(ada, { away: false }));
    expect(nothing).toEqual([[]]);
  });

  it.each<[FormInput, string]>([
    [{}, 'Client did not pass any new values.'],
    [
      { emoji_code: '1f642' },
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ],
    [
      { status_text: 'x', reaction_type: 'unicode_emoji' },
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ],
    [{ status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    [{ emoji_name: 'no_such_thing' }, "Emoji 'no_such_thing' does not exist"],
    [{ ...SMILE, emoji_name: 'car' }, 'Invalid emoji name.'],
    [{ ...SMILE, reaction_type: 'drawing' }, 'Invalid emoji type.'],
    [{ away: 'yes' }, 'away is not valid JSON'],
  ])('%j is refused, and changes nothing', async (params, message) => {
    const { ada } = world;
    const before = await statusOf(ada);
    expect(refused(await say(ada, params)).msg).toBe(message);
    expect(await statusOf(ada)).toEqual(before);
  });

  it('refuses bots', async () => {
    const bot = await world.person({ botType: 1 });
    expect(refused(await say(bot, { status_text: 'x' })).msg).toBe(
      'This endpoint does not accept bot requests.',
    );
    expect(refused(await world.ada.client.get(`/users/${bot.id}/status`)).msg).toBe('No such user');
    expect(refused(await world.ada.client.get('/users/999999/status')).msg).toBe('No such user');
  });
});

describe('POST /users/{user_id}/status', () => {
  it('lets administrators correct a status, but not hide somebody', async () => {
    const { server, owner, ada, bob } = world;
    const change = ({ client }: Actor, params: FormInput) =>
      client.post(`/users/${ada.id}/status`, params);
    ok(await say(ada, { status_text: 'rude' }));
    const [told] = await verifyEvents(server, [bob], async () => {
      const body = ok(await change(owner, { status_text: 'polite', away: true }));
      expect(body['ignored_parameters_unsupported']).toEqual(['away']);
    });
    expect(told).toMatchObject([{ user_id: ada.id, status_text: 'polite' }]);
    expect(await statusOf(ada)).toEqual({ status_text: 'polite' });
    expect(refused(await change(bob, { status_text: 'x' })).code).toBe('UNAUTHORIZED_PRINCIPAL');
    expect(refused(await owner.client.post('/users/999999/status', { status_text: 'x' })).msg).toBe(
      'No such user',
    );
  });
});
