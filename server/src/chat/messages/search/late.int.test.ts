import { expect, it } from 'vitest';
import { ok, refused, send, useMessageWorld } from '../../../testing/chat/world.ts';

const world = useMessageWorld({ settings: { SEARCH_MS: '300' } });

it('a search that takes too long is cancelled, and its refusal says what to do', async () => {
  await send(world.ada, world.publicId, 'late', 'a needle');
  const page = (narrow: readonly unknown[]) => ({ anchor: 'newest', num_before: 10, narrow });
  const needle = page([{ operator: 'search', operand: 'needle' }]);
  const blocker = await world.server.ctx.database.pool.connect();
  await blocker.query('BEGIN; LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
  const answer = await world.ada.client.get('/messages', needle);
  await blocker.query('ROLLBACK');
  blocker.release();
  expect(answer.status).toBe(503);
  expect(refused(answer).msg).toContain('took longer than 0.3 seconds');
  ok(await world.ada.client.get('/messages', needle));
});
