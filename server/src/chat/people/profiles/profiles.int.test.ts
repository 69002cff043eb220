// Custom profile fields, which administrators create and people fill in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { castBot } from '../../../testing/chat/cast.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import { chatClient, type Answer, type FormInput } from '../../../testing/chat/client.ts';
import type { FieldObject } from './events.ts';

let server: TestServer;
let admin: Person;
let member: Person;
let guest: Person;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT: '100000' } });
  admin = await examplePerson(server.ctx, { role: ROLE.owner });
  member = await examplePerson(server.ctx);
  guest = await examplePerson(server.ctx, { role: ROLE.guest });
});
afterAll(async () => {
  await checkLoggedShapes(server);
  await server.close();
});

const as = (person: Person) => chatClient(server, person);
const message = async (answer: Promise<Answer>) => (await answer).body['msg'];
const create = (given: FormInput) => as(admin).post('/realm/profile_fields', given);

async function make(given: FormInput): Promise<number> {
  const { status, body } = await create(given);
  expect(status, JSON.stringify(body)).toBe(200);
  return Number(body['id']);
}

const fields = async () =>
  (await as(guest).get('/realm/profile_fields')).body['custom_fields'] as FieldObject[];

const profile = async (person: Person) => (await as(person).get('/users/me')).body['profile_data'];

describe('[M149] POST /realm/profile_fields', () => {
  it('[M150] [M151] [M152] [M155] [M156] [M157] creates a field and tells everybody', async () => {
    let id = 0;
    const [seen] = await verifyEvents(server, [guest, member], async () => {
      id = await make({ field_type: 1, name: ' Phone ', hint: 'With country', required: true });
    });
    expect(seen).toMatchObject([{ type: 'custom_profile_fields' }]);
    expect((await fields()).find((field) => field.id === id)).toEqual({
      id,
      name: 'Phone',
      type: 1,
      hint: 'With country',
      field_data: '',
      order: id,
      required: true,
      editable_by_user: true,
    });
  });

  it('[M153] stores choices with their order, and known accounts with their names', async () => {
    const choice = await make({
      field_type: 3,
      name: 'Food',
      field_data: { a: { text: 'Rice', order: 1 }, b: { text: 'Bread', order: '2' } },
    });
    const account = await make({
      field_type: 7,
      name: 'ignored',
      field_data: { subtype: 'github' },
    });
    const own = await make({
      field_type: 7,
      name: 'Wiki',
      field_data: { subtype: 'custom', url_pattern: 'https://wiki.example/%(username)s' },
    });
    const all = new Map((await fields()).map((field) => [field.id, field]));
    expect(JSON.parse(all.get(choice)?.field_data ?? '')).toEqual({
      a: { text: 'Rice', order: '1' },
      b: { text: 'Bread', order: '2' },
    });
    expect(all.get(account)).toMatchObject({ name: 'GitHub username' });
    expect(all.get(own)?.field_data).toContain('wiki.example');
  });

  it('names a field without a name after its type', async () => {
    const first = await make({ field_type: 4 });
    const second = await make({ field_type: 4 });
    const names = new Map((await fields()).map(({ id, name }) => [id, name]));
    expect([names.get(first), names.get(second)]).toEqual(['Date picker', 'Date picker 2']);
  });

  it.each([
    [{ field_type: 9, name: 'x' }, 'Invalid field type.'],
    [{ field_type: 1, name: ' ' }, 'Label cannot be blank.'],
    [{ field_type: 1, name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
    [{ field_type: 1, name: 'h', hint: 'x'.repeat(81) }, 'hint is too long (limit: 80 characters)'],
    [{ field_type: 1, name: 'Phone' }, 'A field with that label already exists.'],
    [{ field_type: 3, name: 'c' }, 'Field must have at least one choice.'],
    [
      { field_type: 3, name: 'c', field_data: { ' ': { text: 'a', order: '1' } } },
      "'value' cannot be blank.",
    ],
    [
      {
        field_type: 3,
        name: 'c',
        field_data: { a: { text: 'x', order: '1' }, b: { text: 'x', order: '2' } },
      },
      'Field must not have duplicate choices.',
    ],
    [
      { field_type: 7, name: 'a', field_data: { subtype: 'nope' } },
      'Invalid external account type',
    ],
    [
      { field_type: 7, name: 'a', field_data: { subtype: 'custom', url_pattern: 'https://x.y' } },
      "URL pattern must contain '%(username)s'.",
    ],
    [
      { field_type: 2, name: 's', display_in_profile_summary: true },
      'Field type not supported for display in profile summary.',
    ],
    [
      { field_type: 6, name: 's', display_in_profile_summary: true },
      'Field type not supported for display in profile summary.',
    ],
    [
      { field_type: 4, name: 'm', use_for_user_matching: true },
      'Field type not supported for use for user matching.',
    ],
  ])('refuses %j', async (given, msg) => {
    const { status, body } = await create(given);
    expect(status).toBe(400);
    expect(body).toMatchObject({ msg, code: 'BAD_REQUEST' });
  });

  it('[M154] [M221] shows two fields in the summary and refuses a third', async () => {
    const ids = [];
    for (const name of ['One', 'Two']) {
      ids.push(await make({ field_type: 1, name, display_in_profile_summary: true }));
    }
    expect(
      await message(create({ field_type: 1, name: 'Three', display_in_profile_summary: true })),
    ).toBe('Only 2 custom profile fields can be displayed in the profile summary.');
    const shown = (await fields()).filter((field) => 'display_in_profile_summary' in field);
    expect(shown.map(({ id }) => id)).toEqual(ids);
    const third = await make({ field_type: 1, name: 'Three' });
    const raise = () =>
      as(admin).patch(`/realm/profile_fields/${third}`, { display_in_profile_summary: true });
    expect(await message(raise())).toContain('Only 2');
    await as(admin).patch(`/realm/profile_fields/${ids[0]}`, { display_in_profile_summary: false });
    expect((await raise()).status).toBe(200);
  });
});

describe('changing fields', () => {
  it('[M032] [M033] [M034] [M035] [M036] [M037] [M038] [M039] [M040] [M158] changes, orders and removes fields', async () => {
    const id = await make({ field_type: 1, name: 'Changing' });
    await verifyEvents(server, [member], () =>
      as(admin).patch(`/realm/profile_fields/${id}`, {
        name: 'Changed',
        hint: 'h',
        required: true,
        editable_by_user: false,
      }),
    );
    const all = (await fields()).map((field) => field.id);
    await verifyEvents(server, [member], () =>
      as(admin).patch('/realm/profile_fields', { order: all.toReversed() }),
    );
    expect((await fields()).map((field) => field.id)).toEqual(all.toReversed());
    for (const order of [[], [id], [...all, all[0]], [...all.slice(1), 999_999]]) {
      expect(await message(as(admin).patch('/realm/profile_fields', { order }))).toBe(
        'Invalid order mapping.',
      );
    }
    await as(admin).patch(`/users/${member.id}`, { profile_data: [{ id, value: 'kept' }] });
    expect(await profile(member)).toMatchObject({ [id]: { value: 'kept' } });
    const [seen] = await verifyEvents(server, [guest], () =>
      as(admin).delete(`/realm/profile_fields/${id}`),
    );
    expect(seen).toMatchObject([
      { person: { user_id: member.id, custom_profile_field: { id, value: null } } },
      { type: 'custom_profile_fields' },
    ]);
    expect(await profile(member)).not.toHaveProperty(String(id));
    expect(await message(as(admin).delete(`/realm/profile_fields/${id}`))).toBe(
      `Field id ${id} not found.`,
    );
  });

  it('refuses to change known accounts', async () => {
    const id = await make({ field_type: 7, field_data: { subtype: 'gitlab' } });
    expect(await message(as(admin).patch(`/realm/profile_fields/${id}`, { name: 'Mine' }))).toBe(
      'Default custom field cannot be updated.',
    );
    expect((await as(admin).patch(`/realm/profile_fields/${id}`, { required: true })).status).toBe(
      200,
    );
  });

  it('clears the value of people whose choice was removed', async () => {
    const id = await make({
      field_type: 3,
      name: 'Size',
      field_data: { s: { text: 'Small', order: '1' }, l: { text: 'Large', order: '2' } },
    });
    await as(member).patch('/users/me/profile_data', { data: [{ id, value: 's' }] });
    await verifyEvents(server, [guest], () =>
      as(admin).patch(`/realm/profile_fields/${id}`, {
        field_data: { l: { text: 'Large', order: '1' } },
      }),
    );
    expect(await profile(member)).not.toHaveProperty(String(id));
  });
});

describe('PATCH /users/me/profile_data', () => {
  it('sets values, shows them to everybody, and clears them', async () => {
    const text = await make({ field_type: 2, name: 'About' });
    const person = await make({ field_type: 6, name: 'Mentor' });
    const [seen] = await verifyEvents(server, [guest, member], async () => {
      const { body } = await as(member).patch('/users/me/profile_data', {
        data: [
          { id: text, value: ' I <3 bridges ' },
          { id: person, value: [admin.id] },
        ],
      });
      expect(body).toEqual({ result: 'success', msg: '' });
    });
    expect(seen).toMatchObject([
      {
        type: 'realm_user',
        op: 'update',
        person: { user_id: member.id, custom_profile_field: { id: text, value: 'I <3 bridges' } },
      },
      { person: { custom_profile_field: { id: person, value: `[${admin.id}]` } } },
    ]);
    const { body } = await as(guest).get(`/users/${member.id}`, {
      include_custom_profile_fields: true,
    });
    expect(body['user']).toMatchObject({
      profile_data: {
        [text]: { value: 'I <3 bridges', rendered_value: '<p>I &lt;3 bridges</p>' },
        [person]: { value: `[${admin.id}]` },
      },
    });
    const [again] = await verifyEvents(server, [guest], () =>
      as(member).patch('/users/me/profile_data', { data: [{ id: text, value: 'I <3 bridges' }] }),
    );
    expect(again).toEqual([]);
    const [gone] = await verifyEvents(server, [guest], () =>
      as(member).delete('/users/me/profile_data', { data: [text, person] }),
    );
    expect(gone).toHaveLength(2);
    expect(await profile(member)).not.toHaveProperty(String(text));
  });

  it('checks the value of each type, and sets all or nothing', async () => {
    const id = {
      short: await make({ field_type: 1, name: 'Short' }),
      date: await make({ field_type: 4, name: 'Born' }),
      link: await make({ field_type: 5, name: 'Site' }),
      people: await make({ field_type: 6, name: 'Friends' }),
      choice: await make({
        field_type: 3,
        name: 'Pick',
        field_data: { a: { text: 'A', order: '1' } },
      }),
    };
    const bot = await examplePerson(server.ctx, { botType: 1 });
    const gone = await examplePerson(server.ctx);
    await as(admin).delete(`/users/${gone.id}`);
    const before = await profile(member);
    for (const [field, value, msg] of [
      [id.short, 'x'.repeat(51), 'Short is too long (limit: 50 characters)'],
      [id.date, '2026-02-30', 'Born is not a date'],
      [id.date, 'tomorrow', 'Born is not a date'],
      [id.link, 'no link', 'Site is not a URL'],
      [id.link, 'javascript:alert(1)', 'Site is not a URL'],
      [id.choice, 'b', "'b' is not a valid choice for 'Pick'."],
      [id.people, [999_999], 'Invalid user IDs: 999999'],
      [id.people, [bot.id], `User with ID ${bot.id} is a bot`],
      [id.people, [gone.id], `User with ID ${gone.id} is deactivated`],
      [id.people, 'me', 'Friends is not a list'],
      [999_999, 'x', 'Field id 999999 not found.'],
    ] as const) {
      const data = [
        { id: id.short, value: 'fine' },
        { id: field, value },
      ];
      expect(await message(as(member).patch('/users/me/profile_data', { data }))).toBe(msg);
      expect(await profile(member)).toEqual(before);
    }
    const fine = [
      { id: id.short, value: 'fine' },
      { id: id.date, value: '2024-02-29' },
      { id: id.link, value: 'https://example.com/a?b' },
      { id: id.choice, value: 'a' },
      { id: id.people, value: [member.id, guest.id] },
    ];
    expect((await as(member).patch('/users/me/profile_data', { data: fine })).status).toBe(200);
  });

  it('leaves some fields to administrators, who set them for everybody except bots', async () => {
    const id = await make({ field_type: 1, name: 'Badge', editable_by_user: false });
    const data = [{ id, value: '7' }];
    expect(await message(as(member).patch('/users/me/profile_data', { data }))).toBe(
      'You are not allowed to change this field. Contact an administrator to update it.',
    );
    expect((await as(admin).patch('/users/me/profile_data', { data })).status).toBe(200);
    expect((await as(admin).patch(`/users/${member.id}`, { profile_data: data })).status).toBe(200);
    expect(await message(as(member).patch(`/users/${guest.id}`, { profile_data: data }))).toBe(
      'Insufficient permission',
    );
    const bot = await castBot(server.ctx, member);
    expect(await message(as(member).patch(`/users/${bot.id}`, { profile_data: data }))).toBe(
      'Insufficient permission',
    );
    expect(await message(as(bot).patch('/users/me/profile_data', { data }))).toBe(
      'This endpoint does not accept bot requests.',
    );
  });
});
