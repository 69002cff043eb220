// The settings of the organization: they are checked, stored, sent to everybody, and have their effect.
import { beforeAll, describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import type { TestServer } from '../../../testing/server.ts';
import { useCast } from '../../../testing/chat/cast-world.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import { chatClient, type FormInput } from '../../../testing/chat/client.ts';
import { settingNames } from '../../rights/permissions/definitions.ts';
import { admitFullMembers } from './actions.ts';

const world = useCast();
const { as } = world;
let server: TestServer;
let owner: Person;
let admin: Person;
let member: Person;
let guest: Person;

beforeAll(() => {
  ({ server } = world);
  ({ owner, admin, member, guest } = world.cast);
});

const patch = (by: Person, params: FormInput) => as(by).patch('/realm', params);
const realm = async (by = member) =>
  (await as(by).post('/register', { fetch_event_types: ['realm', 'realm_user'] })).body;

describe('PATCH /realm', () => {
  it('changes settings of every kind, answers with what changed, and tells everybody', async () => {
    const changes = {
      name: 'Bridge',
      description: 'A <b>place</b>',
      allow_message_editing: false,
      message_content_edit_limit_seconds: 300,
      message_content_delete_limit_seconds: 'unlimited',
      message_edit_history_visibility_policy: 'none',
      topics_policy: 'disable_empty_topic',
      default_language: 'fa',
      digest_weekday: 3,
      media_preview_size: 150,
      presence_disabled: true,
      gif_rating_policy: 2,
    };
    let answer: unknown;
    const [seen] = await verifyEvents(server, [guest, admin], async () => {
      answer = (await patch(admin, changes)).body;
    });
    expect(answer).toEqual({
      result: 'success',
      msg: '',
      ...changes,
      name: 'updated',
      description: 'updated',
      message_content_delete_limit_seconds: null,
      message_edit_history_visibility_policy: 'updated',
      topics_policy: 'updated',
      default_language: 'updated',
    });
    expect(seen).toContainEqual(
      expect.objectContaining({ op: 'update', property: 'name', value: 'Bridge' }),
    );
    expect(seen).toContainEqual(
      expect.objectContaining({
        op: 'update_dict',
        property: 'default',
        data: {
          description: 'A <b>place</b>',
          rendered_description: '<p>A &lt;b&gt;place&lt;/b&gt;</p>',
        },
      }),
    );
    expect(seen).toContainEqual(
      expect.objectContaining({
        data: { topics_policy: 'disable_empty_topic', mandatory_topics: true },
      }),
    );
    expect(await realm()).toMatchObject({
      realm_name: 'Bridge',
      realm_message_content_delete_limit_seconds: null,
      realm_allow_edit_history: false,
      realm_mandatory_topics: true,
      realm_giphy_rating: 2,
    });
    const { body } = await chatClient(server).get('/server_settings');
    expect(body).toMatchObject({
      realm_name: 'Bridge',
      realm_description: '<p>A &lt;b&gt;place&lt;/b&gt;</p>',
    });
    const [again] = await verifyEvents(server, [guest], async () => {
      expect((await patch(admin, changes)).body).toEqual({ result: 'success', msg: '' });
    });
    expect(again).toEqual([]);
  });

  it('stores only what differs from the defaults', async () => {
    await patch(admin, {
      presence_disabled: false,
      allow_message_editing: true,
      message_content_edit_limit_seconds: 600,
      message_content_delete_limit_seconds: 600,
      message_edit_history_visibility_policy: 'all',
      topics_policy: 'allow_empty_topic',
      default_language: 'en',
      digest_weekday: 1,
      media_preview_size: 100,
      gif_rating_policy: 1,
      description: '',
    });
    const row = await server.ctx.db
      .selectFrom('organization')
      .select('settings')
      .executeTakeFirstOrThrow();
    expect(row.settings).toEqual({ name: 'Bridge' });
  });

  it.each([
    [{ name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
    [{ name: ' ' }, 'name cannot be blank'],
    [{ description: 'x'.repeat(1001) }, 'description is too long (limit: 1000 characters)'],
    [{ default_language: 'xx' }, "Invalid language 'xx'"],
    [{ video_chat_provider: 3 }, 'Invalid video_chat_provider 3'],
    [{ topics_policy: 'chaos' }, 'Invalid topics_policy'],
    [{ allow_message_editing: 'yes' }, 'allow_message_editing is not valid JSON'],
    [
      { media_preview_size: 7 },
      'Invalid media_preview_size: Value error, Not in the list of possible values',
    ],
    [{ signup_announcements_stream_id: 999_999 }, 'Invalid channel ID'],
    [{ can_manage_all_groups: roleGroupId('role:members') }, 'can_manage_all_groups is not a dict'],
    [
      { can_manage_all_groups: { new: roleGroupId('role:nobody') } },
      "'can_manage_all_groups' setting cannot be set to 'role:nobody' group.",
    ],
    [
      { authentication_methods: { Email: false } },
      'At least one authentication method must be enabled.',
    ],
    [{ waiting_period_threshold: -1 }, 'waiting_period_threshold is too small'],
    // These would have no effect here.
    [
      { inline_url_embed_preview: true },
      'This server does not fetch pages that messages link to, so it has no previews of them.',
    ],
    [{ digest_emails_enabled: true }, 'This server sends no digest emails.'],
    [
      { enable_spectator_access: true },
      'Web-public channels are not enabled on this server. Its operators can allow them (WEB_PUBLIC_STREAMS_ENABLED).',
    ],
  ])('refuses %j and then changes nothing', async (wrong, msg) => {
    const before = await realm();
    const { status, body } = await patch(owner, { presence_disabled: true, ...wrong });
    expect(status).toBe(400);
    expect(body).toMatchObject({ msg, code: 'BAD_REQUEST' });
    expect(await realm()).toEqual({
      ...before,
      queue_id: expect.any(String),
      last_event_id: expect.any(Number),
    });
  });

  it('accepts a value without effect if it is set already, and shows it to clients', async () => {
    const sent = {
      inline_url_embed_preview: false,
      digest_emails_enabled: false,
      enable_spectator_access: false,
    };
    expect((await patch(owner, sent)).body).toEqual({ result: 'success', msg: '' });
    // A value from before the server refused it: it may be sent again, and changed back.
    const before = { digest_emails_enabled: true };
    await server.owner.query('UPDATE organization SET settings = settings || $1::jsonb', [before]);
    expect((await patch(owner, before)).body).toEqual({ result: 'success', msg: '' });
    const { status } = await patch(owner, { digest_emails_enabled: false });
    expect(status).toBe(200);
    expect((await patch(owner, before)).status).toBe(400);
    expect(await realm()).toMatchObject({
      realm_digest_emails_enabled: false,
      realm_inline_url_embed_preview: false,
      realm_enable_spectator_access: false,
      server_inline_url_embed_preview: false,
    });
  });

  it('notifications by email do not exist, so they are off and nobody can switch them on', async () => {
    const name = 'enable_offline_email_notifications';
    const reason = 'This server does not send notifications of messages by email.';
    for (const path of ['/settings', '/realm/user_settings_defaults']) {
      expect((await as(admin).patch(path, { [name]: true })).body).toMatchObject({ msg: reason });
      expect((await as(admin).patch(path, { [name]: false })).status, path).toBe(200);
    }
    const { body } = await as(member).post('/register');
    expect((body['user_settings'] as Record<string, unknown>)[name]).toBe(false);
  });

  it.each([
    ['message_content_edit_limit_seconds', 0],
    ['message_content_delete_limit_seconds', -5],
    ['move_messages_within_stream_limit_seconds', 0],
    ['message_retention_days', 0],
  ])('names the bad value of %s', async (name, value) => {
    expect((await patch(owner, { [name]: value })).body).toEqual({
      result: 'error',
      msg: `Bad value for '${name}': ${value}`,
      code: 'BAD_REQUEST',
      var_name: name,
      bad_value: value,
    });
  });

  it.each([
    { message_retention_days: 30 },
    { disallow_disposable_email_addresses: false },
    { waiting_period_threshold: 3 },
    { authentication_methods: { Email: true } },
    { can_create_groups: { new: roleGroupId('role:members') } },
    { can_invite_users_group: { new: roleGroupId('role:members') } },
    { can_manage_all_groups: { new: roleGroupId('role:owners') } },
    { create_multiuse_invite_group: { new: roleGroupId('role:owners') } },
  ])('lets only owners set %j', async (params) => {
    expect((await patch(admin, params)).body).toMatchObject({
      msg: 'Must be an organization owner',
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect((await patch(owner, params)).status).toBe(200);
  });

  it('lets owners change these settings back', async () => {
    const undone = {
      message_retention_days: 'unlimited',
      disallow_disposable_email_addresses: true,
    };
    expect((await patch(owner, { ...undone, waiting_period_threshold: 0 })).status).toBe(200);
    expect(
      (
        await patch(owner, {
          create_multiuse_invite_group: { new: roleGroupId('role:administrators') },
        })
      ).status,
    ).toBe(200);
    expect(await realm()).toMatchObject({ realm_message_retention_days: -1 });
  });

  it('sets every permission to a group or to people, and clients can follow by events', async () => {
    for (const setting of settingNames('realm')) {
      if (setting === 'can_access_all_users_group') continue;
      const value =
        setting === 'can_create_web_public_channel_group'
          ? roleGroupId('role:moderators')
          : { direct_members: [member.id], direct_subgroups: [roleGroupId('role:administrators')] };
      const [seen] = await verifyEvents(server, [member], async () => {
        const { status, body } = await patch(owner, { [setting]: { new: value } });
        expect(status, JSON.stringify(body)).toBe(200);
        expect(body[setting]).toEqual(value);
      });
      expect(seen).toMatchObject([
        { type: 'realm', op: 'update_dict', property: 'default', data: { [setting]: value } },
      ]);
    }
  });

  it('limits whom guests know to the two values that there are', async () => {
    const set = (group: 'role:members' | 'role:everyone' | 'role:moderators') =>
      patch(owner, { can_access_all_users_group: { new: roleGroupId(group) } });
    expect(await set('role:moderators')).toMatchObject({ status: 400 });
    for (const group of ['role:members', 'role:everyone'] as const) {
      const [seen] = await verifyEvents(server, [member], () => set(group));
      expect(seen).toMatchObject([
        { type: 'realm', data: { can_access_all_users_group: roleGroupId(group) } },
      ]);
      expect(await realm()).toMatchObject({ realm_can_access_all_users_group: roleGroupId(group) });
    }
  });

  it('refuses a change whose expected old value is wrong', async () => {
    const { body } = await patch(owner, {
      can_create_bots_group: { new: roleGroupId('role:members'), old: roleGroupId('role:owners') },
    });
    expect(body).toMatchObject({ code: 'EXPECTATION_MISMATCH', field_name: 'old' });
    const old = {
      direct_members: [member.id],
      direct_subgroups: [roleGroupId('role:administrators')],
    };
    expect(
      (await patch(owner, { can_create_bots_group: { new: roleGroupId('role:members'), old } }))
        .status,
    ).toBe(200);
  });

  it('changes what clients read about their own rights', async () => {
    await patch(owner, {
      can_create_public_channel_group: { new: roleGroupId('role:nobody') },
      can_create_private_channel_group: { new: roleGroupId('role:moderators') },
      can_invite_users_group: { new: roleGroupId('role:administrators') },
    });
    expect(await realm(member)).toMatchObject({
      can_create_public_streams: false,
      can_create_private_streams: false,
      can_create_streams: false,
      can_invite_others_to_realm: false,
      realm_create_public_stream_policy: 6,
      realm_create_private_stream_policy: 4,
    });
    expect(await realm(admin)).toMatchObject({
      can_create_public_streams: false,
      can_create_private_streams: true,
      can_create_streams: true,
      can_invite_others_to_realm: true,
    });
    // A promotion changes these rights too, and events alone tell the client.
    const one = await examplePerson(server.ctx);
    await verifyEvents(server, [one, member], () =>
      as(admin).patch(`/users/${one.id}`, { role: 200 }),
    );
    expect(await realm(one)).toMatchObject({ can_create_private_streams: true, is_admin: true });
  });
});

describe('the waiting period', () => {
  const fullMembers = async () => {
    const { body } = await as(admin).get(
      `/user_groups/${roleGroupId('role:fullmembers')}/members`,
      { direct_member_only: true },
    );
    return body['members'] as number[];
  };

  it('removes people from the full members, and adds them again', async () => {
    expect(await fullMembers()).toContain(member.id);
    const [seen] = await verifyEvents(server, [guest, member], () =>
      patch(owner, { waiting_period_threshold: 2 }),
    );
    expect(seen).toMatchObject([
      { type: 'realm', property: 'waiting_period_threshold', value: 2 },
      { type: 'user_group', op: 'remove_members', group_id: roleGroupId('role:fullmembers') },
    ]);
    expect(await fullMembers()).not.toContain(member.id);
    const fresh = await examplePerson(server.ctx);
    expect(await fullMembers()).not.toContain(fresh.id);
    await verifyEvents(server, [guest, fresh], () =>
      as(admin).patch(`/users/${fresh.id}`, { role: 300 }),
    );
    await server.ctx.database.pool.query(
      "UPDATE users SET date_joined = now() - interval '3 days' WHERE id = $1",
      [member.id],
    );
    // Time alone makes people full members.
    const [waited] = await verifyEvents(server, [guest], async () => {
      expect(await admitFullMembers(server.ctx)).toBe(1);
    });
    expect(waited).toMatchObject([{ op: 'add_members', user_ids: [member.id] }]);
    expect(await admitFullMembers(server.ctx)).toBe(0);
    await verifyEvents(server, [guest], () => patch(owner, { waiting_period_threshold: 0 }));
    expect(await fullMembers()).not.toContain(fresh.id);
    expect(await fullMembers()).toContain(member.id);
  });
});

describe('PATCH /realm/user_settings_defaults', () => {
  it('changes the settings that new people start with, and nobody else’s', async () => {
    const [seen] = await verifyEvents(server, [member], () =>
      as(admin).patch('/realm/user_settings_defaults', {
        enter_sends: true,
        color_scheme: 2,
        starred_message_counts: true,
      }),
    );
    expect(seen).toMatchObject([
      { type: 'realm_user_settings_defaults', op: 'update', property: 'enter_sends', value: true },
      { property: 'color_scheme', value: 2 },
    ]);
    const fresh = await examplePerson(server.ctx);
    const settings = async (person: Person) =>
      (await as(person).post('/register', { fetch_event_types: ['user_settings'] })).body[
        'user_settings'
      ];
    expect(await settings(fresh)).toMatchObject({ enter_sends: true, color_scheme: 2 });
    expect(await settings(member)).toMatchObject({ enter_sends: false, color_scheme: 1 });
    const { body } = await as(admin).patch('/realm/user_settings_defaults', {
      notification_sound: 'moo',
    });
    expect(body['msg']).toBe("Invalid notification sound 'moo'");
  });
});

describe('settings that have their effect', () => {
  it('where people may not change names, their changes are ignored; administrators still can', async () => {
    await patch(admin, { name_changes_disabled: true });
    expect((await as(member).patch('/settings', { full_name: 'Other' })).status).toBe(200);
    expect((await as(member).get('/users/me')).body['full_name']).toBe(member.fullName);
    expect((await as(admin).patch('/settings', { full_name: 'The Admin' })).status).toBe(200);
    expect((await as(admin).get('/users/me')).body['full_name']).toBe('The Admin');
    await patch(admin, { name_changes_disabled: false });
  });

  it('where names must be unique, spelling does not get around it', async () => {
    await patch(admin, { require_unique_names: true });
    const { body } = await as(member).patch('/settings', { full_name: ' the ADMIN ' });
    expect(body['msg']).toBe('Unique names required in this organization.');
    const byAdmin = await as(admin).patch(`/users/${member.id}`, { full_name: 'The Admin' });
    expect(byAdmin.body['msg']).toBe('Unique names required in this organization.');
    await patch(admin, { require_unique_names: false });
  });
});
