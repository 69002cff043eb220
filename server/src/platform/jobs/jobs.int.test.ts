import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { defineJob } from './define.ts';
import { pause } from '../std/wait.ts';
import { startJobRunner } from './runner.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test.close());

it('a job runs if and only if its transaction committed; a key replaces; a failure is retried', async () => {
  const ran: string[] = [];
  let failures = 1;
  const note = defineJob({
    name: 'note',
    input: Type.Object({ text: Type.String() }),
    run: async (_ctx, { text }) => {
      if (text === 'flaky' && failures > 0) {
        failures -= 1;
        throw new Error('not yet');
      }
      ran.push(text);
    },
  });
  const { ctx } = test;
  await ctx.inTransaction(async (tx) => tx.enqueue(note, { text: 'kept' }));
  await ctx
    .inTransaction(async (tx) => {
      await tx.enqueue(note, { text: 'lost' });
      throw new Error('rolled back');
    })
    .catch(() => {});
  await ctx.inTransaction((tx) =>
    tx.enqueue(note, { text: 'old' }, { key: 'one', runAt: new Date(Date.now() + 1500) }),
  );
  await ctx.inTransaction((tx) =>
    tx.enqueue(note, { text: 'new' }, { key: 'one', runAt: new Date(Date.now() + 500) }),
  );
  await ctx.inTransaction((tx) => tx.enqueue(note, { text: 'flaky' }));
  const runner = startJobRunner(ctx, [note], []);
  await expect.poll(() => [...ran].sort(), { timeout: 15_000 }).toEqual(['flaky', 'kept', 'new']);
  await runner.stop();
});

it('continues after the database has disconnected it', async () => {
  const ran: string[] = [];
  const note = defineJob({
    name: 'after-loss',
    input: Type.Object({ text: Type.String() }),
    run: async (_ctx, { text }) => void ran.push(text),
  });
  const { ctx } = test;
  ctx.log.level = 'silent';
  const runner = startJobRunner(
    ctx,
    [note],
    [
      {
        cron: '0 0 1 1 *',
        job: defineJob({ name: 'never', input: Type.Object({}), run: async () => {} }),
      },
    ],
  );
  for (let round = 0; round < 2; round += 1) {
    await ctx.database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rialto jobs' AND datname = current_database()",
    );
    await ctx.inTransaction((tx) => tx.enqueue(note, { text: `round ${round}` }));
    await expect.poll(() => ran.at(-1), { timeout: 20_000 }).toBe(`round ${round}`);
  }
  await runner.stop();
});

it('a job that cannot be marked as done ends neither the process nor the runner', async () => {
  const ran: string[] = [];
  const note = defineJob({
    name: 'unmarked',
    input: Type.Object({ text: Type.String() }),
    run: async (_ctx, { text }) => void ran.push(text),
  });
  const { ctx } = test;
  await test.owner.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END';
    CREATE TRIGGER refuse BEFORE DELETE ON graphile_worker._private_jobs EXECUTE FUNCTION refuse()`);
  ctx.log.level = 'silent';
  const runner = startJobRunner(ctx, [note], []);
  await ctx.inTransaction((tx) => tx.enqueue(note, { text: 'done, but not marked' }));
  await expect.poll(() => ran.length, { timeout: 20_000 }).toBe(1);
  // Long enough for the marking to have failed: an unhandled rejection would fail this file.
  await pause(300);
  await test.owner.query('DROP TRIGGER refuse ON graphile_worker._private_jobs');
  await ctx.inTransaction((tx) => tx.enqueue(note, { text: 'after' }));
  await expect.poll(() => ran.at(-1), { timeout: 20_000 }).toBe('after');
  await runner.stop();
});

it('a job that never ends does not keep the runner from stopping, and is free for another', async () => {
  const { ctx } = test;
  const begun = Promise.withResolvers<void>();
  const endless = defineJob({
    name: 'endless',
    input: Type.Object({}),
    run: () => {
      begun.resolve();
      return new Promise(() => {});
    },
  });
  ctx.log.level = 'silent';
  const runner = startJobRunner(ctx, [endless], []);
  await ctx.inTransaction((tx) => tx.enqueue(endless, {}));
  await begun.promise;
  await runner.stop();
  const isFree = async () => {
    const { rows } = await ctx.database.pool.query<{ free: boolean }>(
      `SELECT locked_at IS NULL AS free FROM graphile_worker._private_jobs j
         JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'endless'`,
    );
    return rows[0]?.free;
  };
  await expect.poll(isFree, { timeout: 20_000 }).toBe(true);
});

it('an input of the wrong shape is refused when it is enqueued', async () => {
  const job = defineJob({
    name: 'typed',
    input: Type.Object({ n: Type.Integer() }),
    run: async () => {},
  });
  const wrong = { n: 'five' } as unknown as { n: number };
  await expect(test.ctx.inTransaction((tx) => tx.enqueue(job, wrong))).rejects.toThrow(
    'wrong shape',
  );
});
