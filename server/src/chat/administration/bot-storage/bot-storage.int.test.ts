// The storage of bots, over HTTP.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FormInput } from '../../../testing/chat/client.ts';
import {
  ok,
  openMessageWorld,
  refused,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';

let world: MessageWorld;
let bot: Actor;
let other: Actor;
beforeAll(async () => {
  world = await openMessageWorld({ settings: { BOT_STORAGE_MAX: '100' } });
  bot = await world.person({ botType: 1, botOwnerId: world.ada.id });
  other = await world.person({ botType: 1, botOwnerId: world.ada.id });
});
afterAll(() => world.close());

const put = ({ client }: Actor, storage: unknown) =>
  client.raw('/bot_storage', {
    method: 'PUT',
    body: new URLSearchParams({ storage: JSON.stringify(storage) }),
  });
const read = async ({ client }: Actor, params: FormInput = {}) =>
  ok(await client.get('/bot_storage', params))['storage'];

it('stores, changes, reads and deletes values, separately for each bot', async () => {
  ok(await put(bot, { foo: 'a', bar: 'b', __proto__x: 'c' }));
  ok(await put(bot, { foo: 'changed' }));
  ok(await put(other, { foo: 'of another' }));
  expect(await read(bot)).toEqual({ foo: 'changed', bar: 'b', __proto__x: 'c' });
  expect(await read(bot, { keys: ['bar'] })).toEqual({ bar: 'b' });
  expect(await read(bot, { keys: [] })).toEqual({});
  expect(refused(await bot.client.get('/bot_storage', { keys: ['bar', 'none'] })).msg).toBe(
    'Key does not exist.',
  );
  expect(refused(await bot.client.delete('/bot_storage', { keys: ['bar', 'none'] })).msg).toBe(
    'Key does not exist.',
  );
  expect(await read(bot, { keys: ['bar'] })).toEqual({ bar: 'b' });
  ok(await bot.client.delete('/bot_storage', { keys: ['bar', 'bar'] }));
  expect(await read(bot)).toEqual({ foo: 'changed', __proto__x: 'c' });
  ok(await bot.client.delete('/bot_storage'));
  expect(await read(bot)).toEqual({});
  expect(await read(other)).toEqual({ foo: 'of another' });
});

it('has a limit, also for two requests at once', async () => {
  ok(await put(bot, { k: 'x'.repeat(50) }));
  expect(refused(await put(bot, { more: 'x'.repeat(50) })).msg).toBe(
    'Cannot set state. Request would require 105 bytes storage. The current storage limit is 100.',
  );
  expect(await read(bot)).toEqual({ k: 'x'.repeat(50) });
  const answers = await Promise.all([
    put(bot, { a: 'x'.repeat(40) }),
    put(bot, { b: 'x'.repeat(40) }),
  ]);
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
  ok(await put(bot, { k: '' }));
});

it('is only for bots, and only for texts', async () => {
  for (const answer of [
    await put(world.ada, { a: 'b' }),
    await world.owner.client.get('/bot_storage'),
    await world.ada.client.delete('/bot_storage'),
  ]) {
    expect([answer.status, refused(answer)]).toMatchObject([
      400,
      { code: 'PERMISSION_DENIED', msg: 'Must be a bot user' },
    ]);
  }
  expect(refused(await put(bot, { a: 1 })).msg).toBe('storage["a"] is not a string');
  expect(refused(await put(bot, ['a'])).msg).toBe('storage is not a dict');
});
