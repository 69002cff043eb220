import { expect, it } from 'vitest';
import { createLog } from '../../../platform/observe/log.ts';
import { EngineFailure } from '../../engine/door.ts';
import { refuse } from '../../http/errors.ts';
import { afterActing } from './submit.ts';

const ctx = { log: createLog('silent') };

it.each([
  ['an unavailable database', new Error('timeout exceeded when trying to connect')],
  ['an unavailable engine', new EngineFailure('unavailable', 'gone')],
  ['a lagging projection', refuse('UNAVAILABLE', 'Ask again.')],
])('after the engine has acted, %s never answers that nothing was done', async (_what, error) => {
  await expect(afterActing(ctx, () => Promise.reject(error))).rejects.toMatchObject({
    code: '1003',
    status: 504,
  });
});

it('the engine’s own refusal stays unchanged', async () => {
  const refusal = refuse('ORDER_NOT_FOUND', 'The account has no such order.');
  await expect(afterActing(ctx, () => Promise.reject(refusal))).rejects.toBe(refusal);
  await expect(afterActing(ctx, () => Promise.resolve(7))).resolves.toBe(7);
});
