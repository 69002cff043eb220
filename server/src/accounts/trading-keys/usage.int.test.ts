import { expect, it } from 'vitest';
import { createTestContext } from '../../testing/context.ts';
import { examplePerson } from '../../testing/example.ts';
import { createTradingKey } from './actions.ts';
import { trackUsage } from './usage.ts';

it('the last use of many keys is written in one statement, at the latest at the stop', async () => {
  const { ctx, close } = await createTestContext();
  try {
    const { id: userId } = await examplePerson(ctx);
    const keys = [1, 2, 3].map(() => createTradingKey(ctx, { userId, permissions: ['read'] }));
    const [first, second, third] = (await Promise.all(keys)).map(({ keyId }) => keyId);
    const usage = trackUsage(ctx.database.pool, (error) => {
      throw error;
    });
    usage.note(first ?? '', 1_760_000_000_000);
    usage.note(first ?? '', 1_760_000_000_500);
    usage.note(second ?? '', 1_760_000_000_250);
    const read = async () => {
      const rows = await ctx.db.selectFrom('tradingKeys').select(['keyId', 'lastUsedAt']).execute();
      return Object.fromEntries(rows.map((row) => [row.keyId, row.lastUsedAt?.getTime()]));
    };
    expect(Object.values(await read())).toEqual([undefined, undefined, undefined]);
    await usage.stop();
    expect(await read()).toEqual({
      [first ?? '']: 1_760_000_000_500,
      [second ?? '']: 1_760_000_000_250,
      [third ?? '']: undefined,
    });
  } finally {
    await close();
  }
});
