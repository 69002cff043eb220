// Channel folders over the API.
import { expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import { eventNames as names, makeChannel, useCast } from '../../../testing/chat/cast-world.ts';

const world = useCast();
const { as, sureAs } = world;

it('are created by administrators only, and everybody is told [M114] [M117] [M237]', async () => {
  const { owner, admin, member, guest } = world.cast;
  const asked = { name: 'Markets', description: 'All **pairs**' };
  for (const person of [member, guest]) {
    const { status, body } = await as(person).post('/channel_folders/create', asked);
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'UNAUTHORIZED_PRINCIPAL' });
  }
  let id = 0;
  const told = await verifyEvents(world.server, world.all, async () => {
    const body = await sureAs(admin).post('/channel_folders/create', asked);
    id = Number(body['channel_folder_id']);
    expect(Object.keys(body).sort()).toEqual(['channel_folder_id', 'msg', 'result']);
  });
  expect(id).toBeGreaterThan(0);
  for (const events of told) {
    expect(events).toMatchObject([
      { op: 'add', channel_folder: { id, creator_id: admin.id, is_archived: false, ...asked } },
    ]);
  }
  await sureAs(owner).post('/channel_folders/create', { name: 'By the owner', description: '' });
});

it('have a name that is neither empty nor too long [M115] [M226]', async () => {
  const { admin } = world.cast;
  const { max_channel_folder_name_length: max } = await sureAs(admin).post('/register');
  const make = (name: unknown) =>
    as(admin).post('/channel_folders/create', { description: '', name });
  const longest = 'n'.repeat(Number(max));
  expect((await make(longest)).status).toBe(200);
  const { channel_folders: folders } = await sureAs(admin).get('/channel_folders');
  expect(folders).toContainEqual(expect.objectContaining({ name: longest }));
  for (const [name, msg] of [
    [`${longest}n`, `name is too long (limit: ${String(max)} characters)`],
    ['', "Channel folder name can't be empty."],
    ['  ', "Channel folder name can't be empty."],
    ['a\u0007b', 'Invalid character in channel folder name, at position 2.'],
    [longest.toUpperCase(), 'Channel folder name already in use'],
    [undefined, "Missing 'name' argument"],
  ]) {
    const { status, body } = await make(name);
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
  }
});

it('have a description, which is required and may be empty [M116] [M226]', async () => {
  const { admin } = world.cast;
  const { max_channel_folder_description_length: max } = await sureAs(admin).post('/register');
  let count = 0;
  const make = (description: unknown) => {
    count += 1;
    return as(admin).post('/channel_folders/create', { name: `Described ${count}`, description });
  };
  const longest = 'd'.repeat(Number(max));
  for (const description of ['', longest]) {
    const { body } = await make(description);
    const { channel_folders: folders } = await sureAs(admin).get('/channel_folders');
    const id = body['channel_folder_id'];
    expect(folders).toContainEqual(expect.objectContaining({ id, description }));
  }
  for (const [description, msg] of [
    [undefined, "Missing 'description' argument"],
    [`${longest}d`, `description is too long (limit: ${String(max)} characters)`],
  ]) {
    const { status, body } = await make(description);
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
  }
});

it('are created, changed, ordered and archived', async () => {
  const ids: number[] = [];
  await verifyEvents(world.server, world.all, async () => {
    for (const name of ['First', 'Second']) {
      const body = await sureAs(world.cast.admin).post('/channel_folders/create', {
        name,
        description: `The ${name}`,
      });
      ids.push(Number(body['channel_folder_id']));
    }
  });
  const [first, second] = ids as [number, number];
  const twin = await as(world.cast.admin).post('/channel_folders/create', {
    name: ' FIRST ',
    description: '',
  });
  expect(twin.body['msg']).toBe('Channel folder name already in use');
  const { id } = await makeChannel(world.server, world.cast.member, { folder_id: first });
  const { channel_folders } = await sureAs(world.cast.guest).get('/channel_folders');
  const order = (channel_folders as { id: number }[]).map((folder) => folder.id).reverse();
  const [owner] = await verifyEvents(world.server, world.all, async () => {
    await sureAs(world.cast.admin).patch('/channel_folders', { order });
    await sureAs(world.cast.admin).patch(`/channel_folders/${second}`, {
      name: 'Renamed',
      description: 'Other',
      is_archived: true,
    });
    await sureAs(world.cast.member).patch(`/streams/${id}`, { folder_id: null });
    await sureAs(world.cast.member).patch(`/streams/${id}`, { folder_id: first });
  });
  expect(names(owner)).toEqual([
    'channel_folder/reorder',
    'channel_folder/update',
    'channel_folder/update',
    'channel_folder/update',
    'stream/update',
    'stream/update',
  ]);
  for (const [path, params, msg] of [
    ['/channel_folders', { order: [first] }, 'Invalid order mapping.'],
    [
      `/channel_folders/${first}`,
      { is_archived: true },
      'You need to remove all the channels from this folder to archive it.',
    ],
    ['/channel_folders/99999', { name: 'x' }, 'Invalid channel folder ID'],
    [`/channel_folders/${first}`, { name: ' ' }, "Channel folder name can't be empty."],
  ] as const) {
    const { body } = await as(world.cast.admin).patch(path, params);
    expect(body['msg']).toBe(msg);
  }
  const intoArchived = await as(world.cast.member).patch(`/streams/${id}`, { folder_id: second });
  expect(intoArchived.body['msg']).toBe('Invalid channel folder ID');
});
