import { expect, it } from 'vitest';
import { createLog } from '../../../platform/observe/log.ts';
import { EngineFailure } from '../../engine/door.ts';
import { refuse } from '../../http/errors.ts';
import { afterActing } from './submit.ts';

const ctx = { log: createLog('silent') };

it.each([
  ['a database that is away', new Error('timeout exceeded when trying to connect')],
  ['an engine that is away', new EngineFailure('unavailable', 'gone')],
  ['a projection that is behind', refuse('UNAVAILABLE', 'Ask again.')],
])('after the engine has acted, %s never answers that nothing was done', async (_what, error) => {
  await expect(afterActing(ctx, () => Promise.reject(error))).rejects.toMatchObject({
    code: '1003',
    status: 504,
  });
});

it('what the engine itself refused stays what it is', async () => {
  const refusal = refuse('ORDER_NOT_FOUND', 'The account has no such order.');
  await expect(afterActing(ctx, () => Promise.reject(refusal))).rejects.toBe(refusal);
  await expect(afterActing(ctx, () => Promise.resolve(7))).resolves.toBe(7);
});
