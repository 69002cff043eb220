// Default channels over the API: the channels that new people join.
import { expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import { eventNames, makeChannel, useCast } from '../../../testing/chat/cast-world.ts';

const world = useCast();
const { as, sureAs } = world;

it('are added and removed, and archiving one removes it [M119]', async () => {
  const { admin, member } = world.cast;
  const { id } = await makeChannel(world.server, member);
  const [, , seen, , guest] = await verifyEvents(world.server, world.all, async () => {
    await sureAs(admin).post('/default_streams', { stream_id: id });
    await sureAs(admin).post('/default_streams', { stream_id: id });
    await sureAs(admin).delete('/default_streams', { stream_id: id });
    await sureAs(admin).post('/default_streams', { stream_id: id });
    await sureAs(admin).delete(`/streams/${id}`);
  });
  const told = eventNames(seen).filter((name) => name === 'default_streams');
  // The second request changed nothing and sent no event.
  expect(told).toHaveLength(4);
  expect(guest).toEqual([]);
  const missing = await as(admin).post('/default_streams', {});
  expect(missing).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST', msg: "Missing 'stream_id' argument", var_name: 'stream_id' },
  });
  const text = await as(admin).post('/default_streams', { stream_id: '"7"' });
  expect(text.body).toMatchObject({ code: 'BAD_REQUEST', msg: 'stream_id is not an integer' });
});

it('cannot be private, and must exist [M120]', async () => {
  const { admin, member } = world.cast;
  const gone = await makeChannel(world.server, member);
  await sureAs(admin).delete(`/streams/${gone.id}`);
  const hidden = await makeChannel(world.server, member, { invite_only: true });
  for (const [stream_id, msg] of [
    [hidden.id, 'Private channels cannot be made default.'],
    [gone.id, 'Invalid channel ID'],
    [999_999, 'Invalid channel ID'],
  ]) {
    const { status, body } = await as(admin).post('/default_streams', { stream_id });
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
  }
});

it('are chosen by administrators only [M118]', async () => {
  const { owner, admin, member, guest } = world.cast;
  const { id } = await makeChannel(world.server, member);
  for (const person of [member, guest]) {
    for (const method of ['post', 'delete'] as const) {
      const { status, body } = await as(person)[method]('/default_streams', { stream_id: id });
      expect({ status, ...body }).toMatchObject({
        status: 400,
        code: 'UNAUTHORIZED_PRINCIPAL',
        msg: 'Must be an organization administrator',
      });
    }
  }
  for (const person of [admin, owner]) {
    await sureAs(person).post('/default_streams', { stream_id: id });
    await sureAs(person).delete('/default_streams', { stream_id: id });
  }
});
