import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestContext } from '../../testing/context.ts';
import { PLANNED_EACH_TIME } from './prepared.ts';

it('a repeated statement is prepared on its connection, and returns the same', async () => {
  const { ctx, close } = await createTestContext();
  try {
    await ctx.db.connection().execute(async (one) => {
      const ask = (n: number, mark = sql.raw('')) =>
        sql<{ twice: number }>`SELECT ${mark} ${n}::int * 2 AS twice, 'long enough' AS x`.execute(
          one,
        );
      for (let n = 1; n <= 8; n += 1) {
        expect((await ask(n)).rows[0]?.twice).toBe(2 * n);
        expect((await ask(n, PLANNED_EACH_TIME)).rows[0]?.twice).toBe(2 * n);
      }
      const { rows } = await sql<{ statement: string }>`
        SELECT statement FROM pg_prepared_statements`.execute(one);
      expect(rows).toEqual([{ statement: expect.stringContaining('AS twice') as string }]);
      expect(rows[0]?.statement).not.toContain('planned each time');
    });
  } finally {
    await close();
  }
});
