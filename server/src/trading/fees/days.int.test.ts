// The fee day, on a running venue whose calendar the test moves: who gets which tier, once, whatever happens meanwhile.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Permission } from '../../accounts/trading-keys/key.ts';
import type { Context } from '../../platform/context.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import { RICH } from '../../testing/live-venue.ts';
import { exampleTrader, type Trader } from '../../testing/trader.ts';
import { openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import { formatAmount } from '../amount.ts';
import { awaitCommand } from '../operators/actions.ts';
import { awaitProjection } from '../projections/access.ts';
import { createSubAccount } from '../sub-accounts/actions.ts';
import { defineFeeTier, setFamilyTier, unpinFamilyTier } from './actions.ts';
import { runFeeDay } from './days.ts';
import { decideTier } from './decide.ts';

const ALL: readonly Permission[] = ['read', 'trade', 'transfer'];
const WAIT_MS = 10_000;
const USDT = 10n ** 18n;
const TODAY = Math.floor(Date.now() / DAY_MS);

let desk: Desk;
let ctx: Context;
beforeAll(async () => {
  desk = await openDesk({}, { phase: 'continuous' });
  ({ ctx } = desk.server);
  for (const [tier, min] of [
    [1, 1000n],
    [2, 5000n],
    [3, 20_000n],
  ] as const) {
    const id = await defineFeeTier(ctx, desk.venue.operator, {
      tier,
      minVolume30d: min * USDT,
      makerMillionths: 1000 - tier * 100,
      takerMillionths: 1500 - tier * 100,
    });
    expect((await awaitCommand(ctx, id, WAIT_MS)).status).toBe('done');
  }
});
afterAll(() => desk.close());

beforeEach(async () => {
  await desk.server.owner.query('DELETE FROM fee_days');
});

async function openSub({ accountId, userId }: Trader, label: string): Promise<Trader> {
  const { account } = await createSubAccount(ctx, { id: accountId, userId }, label);
  return exampleTrader(ctx, { userId, accountId: account.id, permissions: ALL });
}

/** What an account traded on a day, counted from today. */
async function traded(of: Trader, daysAgo: number, usdt: bigint, symbol = 'btcusdt') {
  await desk.server.owner.query(
    `INSERT INTO account_volumes (account_id, symbol, day_ms, total) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id, symbol, day_ms) DO UPDATE SET total = account_volumes.total + excluded.total`,
    [of.accountId, symbol, (TODAY - daysAgo) * DAY_MS, (usdt * USDT).toString()],
  );
}

const tierOf = async (of: Trader): Promise<string> =>
  resultOf<{ feeTier: string }>(await desk.get(of, 'account/info')).feeTier;

/** Returns when the engine has answered everything that waits, and the tables show it. */
async function settled(): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await ctx.database.pool.query<{ n: number }>(
          "SELECT count(*)::int AS n FROM operator_commands WHERE status = 'waiting'",
        );
        return rows[0]?.n;
      },
      { timeout: WAIT_MS },
    )
    .toBe(0);
  await awaitProjection(ctx, { patienceMs: WAIT_MS });
}

async function feeCommands(): Promise<
  { day: number; tiers: { account: number; tier: number }[] }[]
> {
  const { rows } = await ctx.database.pool.query<{ command: string }>(
    `SELECT command FROM operator_commands
      WHERE requested_by = 'fee day' AND command LIKE '%set_fee_tiers%' ORDER BY id`,
  );
  return rows.map(
    ({ command }) => JSON.parse(command) as Awaited<ReturnType<typeof feeCommands>>[number],
  );
}

const trader = () => desk.trader({}, { permissions: ALL });

/** Runs until the day is finished: the first run may be too early for the projections. */
async function runToEnd(given: Context = ctx, familiesAtOnce = 500): Promise<void> {
  const day = Math.floor(given.clock.now() / DAY_MS);
  await expect
    .poll(
      async () => {
        await runFeeDay(given, { familiesAtOnce });
        const { rows } = await ctx.database.pool.query<{ done: boolean }>(
          'SELECT finished_at IS NOT NULL AS done FROM fee_days WHERE day = $1',
          [day],
        );
        return rows[0]?.done;
      },
      { timeout: WAIT_MS },
    )
    .toBe(true);
  await settled();
}

describe('a fee day', () => {
  it('gives a family the tier of its volume of the 30 days before, and no other day counts', async () => {
    const [small, exact, rich, old] = [
      await trader(),
      await trader(),
      await trader(),
      await trader(),
    ];
    await traded(small, 1, 999n);
    await traded(exact, 30, 600n);
    await traded(exact, 1, 400n);
    await traded(rich, 7, 20_000n);
    // Too old, too new, and in a coin that does not count.
    await traded(old, 31, 50_000n);
    await traded(old, 0, 50_000n);
    await traded(old, 3, 50_000n, 'btcirt');
    await runToEnd();
    expect(await Promise.all([small, exact, rich, old].map(tierOf))).toEqual(['0', '1', '3', '0']);
    const info = resultOf<{ feeTierComputedAt: string; makerFee: string }>(
      await desk.get(rich, 'account/info'),
    );
    expect(Number(info.feeTierComputedAt)).toBeGreaterThan(Date.now() - 60_000);
    expect(info.makerFee).toBe('0.0007');
  });

  it('counts the whole family together, and every account of it gets the tier', async () => {
    const head = await trader();
    const [a, b] = [await openSub(head, 'a'), await openSub(head, 'b')];
    await traded(head, 2, 2000n);
    await traded(a, 3, 2000n);
    await traded(b, 4, 1000n);
    await runToEnd();
    expect(await Promise.all([head, a, b].map(tierOf))).toEqual(['2', '2', '2']);
    const late = await openSub(head, 'late');
    expect(await tierOf(late)).toBe('2');
    await settled();
    await desk.get(late, 'account/ledger');
    expect(await tierOf(late)).toBe('2');
    // And the engine takes the fees of that tier.
    await desk.venue.fund(late.accountId, RICH);
    const other = await desk.trader();
    await desk.place(other, { side: 'sell', price: '64000.00' });
    const order = await desk.place(late, { side: 'buy', price: '64000.00' });
    expect(order.fee).toBe(formatAmount(((USDT / 100n) * 1300n) / 1_000_000n));
  });

  it('takes a tier away when the volume is gone', async () => {
    const faded = await trader();
    await traded(faded, 30, 6000n);
    await runToEnd();
    expect(await tierOf(faded)).toBe('2');
    const tomorrow: Context = { ...ctx, clock: { now: () => Date.now() + DAY_MS } };
    // The engine's time is not there yet: the day before is not over, so nothing is computed.
    expect(await runFeeDay(tomorrow)).toBe(0);
    expect(await tierOf(faded)).toBe('2');
    await desk.server.owner.query('DELETE FROM account_volumes WHERE account_id = $1', [
      faded.accountId,
    ]);
    await desk.server.owner.query('DELETE FROM fee_days');
    await runToEnd();
    expect(await tierOf(faded)).toBe('0');
  });

  it('is done once: a second run, and a second worker at the same time, assign nothing again', async () => {
    const people = [];
    for (let n = 0; n < 9; n += 1) {
      const one = await trader();
      await traded(one, 1, BigInt(n) * 3000n);
      people.push(one);
    }
    const before = (await feeCommands()).length;
    // A few families at a time, by three workers.
    await expect
      .poll(
        async () => {
          await Promise.all([1, 2, 3].map(() => runFeeDay(ctx, { familiesAtOnce: 2 })));
          const { rows } = await ctx.database.pool.query<{ n: number }>(
            'SELECT count(*)::int AS n FROM fee_days WHERE finished_at IS NOT NULL',
          );
          return rows[0]?.n;
        },
        { timeout: WAIT_MS },
      )
      .toBe(1);
    await settled();
    const assigned = (await feeCommands()).slice(before).flatMap(({ tiers }) => tiers);
    const named = assigned.map(({ account }) => account);
    expect(new Set(named).size).toBe(named.length);
    const tiers = (await ctx.db.selectFrom('feeTiers').selectAll().execute()).map((row) => ({
      tier: row.tier,
      minVolume30d: BigInt(row.minVolume30d.split('.')[0] ?? '0') * USDT,
    }));
    for (const [n, one] of people.entries()) {
      expect(await tierOf(one)).toBe(String(decideTier(BigInt(n) * 3000n * USDT, tiers)));
    }
    expect(await runFeeDay(ctx)).toBe(0);
    expect((await feeCommands()).slice(before).flatMap((one) => one.tiers)).toHaveLength(
      named.length,
    );
  });

  it('that was cut off in the middle goes on where it was, with the same volumes', async () => {
    const people = [];
    for (let n = 0; n < 6; n += 1) {
      const one = await trader();
      await traded(one, 1, 5000n);
      people.push(one);
    }
    let steps = 0;
    const dying: Context = {
      ...ctx,
      inTransaction: (work, options) => {
        steps += 1;
        if (steps > 4) return Promise.reject(new Error('the worker died'));
        return ctx.inTransaction(work, options);
      },
    };
    await expect
      .poll(
        async () =>
          runFeeDay(dying, { familiesAtOnce: 2 }).then(String, (error: Error) => error.message),
        {
          timeout: WAIT_MS,
        },
      )
      .toBe('the worker died');
    await runToEnd(ctx, 2);
    for (const one of people) expect(await tierOf(one)).toBe('2');
  });

  it('leaves a pinned family alone, until it is unpinned; set-tier lasts until the next day', async () => {
    const { operator } = desk.venue;
    const friend = await trader();
    const sub = await openSub(friend, 'sub');
    const set = async (tier: number, isPinned: boolean) => {
      const account = Number(sub.accountId);
      const id = await setFamilyTier(ctx, operator, {
        account,
        tier,
        isPinned,
        reason: 'A friend.',
      });
      expect((await awaitCommand(ctx, id, WAIT_MS)).status).toBe('done');
      await desk.get(friend, 'account/ledger');
    };
    await set(3, true);
    expect(await Promise.all([friend, sub].map(tierOf))).toEqual(['3', '3']);
    await runToEnd();
    expect(await Promise.all([friend, sub].map(tierOf))).toEqual(['3', '3']);
    await expect(set(1, false)).rejects.toThrow('pinned');
    await expect(set(99, true)).rejects.toThrow('one that is defined');
    expect(await unpinFamilyTier(ctx, Number(friend.accountId), 'Over.')).toMatchObject({
      wasPinned: true,
    });
    await desk.server.owner.query('DELETE FROM fee_days');
    await runToEnd();
    expect(await Promise.all([friend, sub].map(tierOf))).toEqual(['0', '0']);
    await set(2, false);
    expect(await tierOf(sub)).toBe('2');
    await desk.server.owner.query('DELETE FROM fee_days');
    await runToEnd();
    expect(await tierOf(sub)).toBe('0');
  });
});
