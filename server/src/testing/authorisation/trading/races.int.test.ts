// The right to trade is taken away while an order is on its way: its key has been checked, and a lock of the test
// keeps it waiting to claim its signature.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteTradingKey } from '../../../accounts/trading-keys/actions.ts';
import { ROLE } from '../../../accounts/roles.ts';
import { examplePerson } from '../../example.ts';
import type { Trader, TradingAnswer } from '../../trader.ts';
import { pause } from '../../../platform/std/wait.ts';
import { suspendAccount } from '../../../trading/operators/acts.ts';
import type { Order } from '../../../trading/orders/order.ts';
import { everyOrder } from '../../../trading/order-tables.ts';
import { codeOf, LIMIT, openDesk, type Desk } from '../../trading/desk.ts';

const ROUNDS = 12;

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk({}, { phase: 'continuous' });
});
afterAll(() => desk.close());

const place = (trader: Trader): Promise<TradingAnswer> =>
  desk.post(trader, 'order/create', { ...LIMIT, price: '6000.00' });

const countOpen = async ({ accountId }: Trader): Promise<number> => {
  const { rows } = await desk.server.owner.query<{ count: string }>(
    `SELECT count(*) FROM trading_live_orders WHERE account_id = $1 AND status = 'open'`,
    [accountId],
  );
  return Number(rows[0]?.count);
};

const statusOf = async (orderId: string): Promise<string | undefined> => {
  const found = `SELECT status FROM ${everyOrder('status', 'order_id = $1')} AS o`;
  const { rows } = await desk.server.owner.query<{ status: string }>(found, [orderId]);
  return rows[0]?.status;
};

/** Holds `act` between the check of its key and its use, until `take` is done. */
async function during<T>(act: () => Promise<T>, take: () => Promise<unknown>): Promise<T> {
  const { owner } = desk.server;
  const holder = await owner.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE request_claims IN SHARE ROW EXCLUSIVE MODE');
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const acting = act();
    const waiting = async () => {
      const blocked = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
      return (await owner.query(blocked, [rows[0]?.pid])).rows.length > 0;
    };
    let isHeld = false;
    for (let look = 0; look < 250 && !isHeld; look += 1) {
      isHeld = await waiting();
      if (!isHeld) await pause(4);
    }
    expect(isHeld).toBe(true);
    await take();
    await holder.query('COMMIT');
    return await acting;
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

it('an account is suspended while its order is on its way: the engine handles both in turn, and refuses the order', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const trader = await desk.trader();
    const account = Number(trader.accountId);
    const answer = await during(
      () => place(trader),
      () => desk.venue.perform(suspendAccount(account, true, 'For the test.')),
    );
    expect(codeOf(answer)).toBe('3011');
    expect(await countOpen(trader)).toBe(0);
  }
});

it('the owner is deactivated: the order is refused, or canceled with the others', async () => {
  const { ctx, chatUrl } = desk.server;
  const owner = await examplePerson(ctx, { role: ROLE.owner });
  const headers = { authorization: owner.basic };
  for (let round = 0; round < ROUNDS; round += 1) {
    const trader = await desk.trader();
    const answer = await during(
      () => place(trader),
      async () => {
        const url = `${chatUrl}/users/${trader.userId}`;
        expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(200);
      },
    );
    if (answer.body.status === 'true') {
      const { orderId } = answer.body.result as Order;
      await expect.poll(() => statusOf(orderId), { timeout: 10_000 }).toBe('canceled');
    }
    expect(codeOf(await place(trader))).toBe('3002');
    expect(await countOpen(trader)).toBe(0);
  }
});

it('the key is deleted: at most that order is placed, and nothing after it', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const trader = await desk.trader();
    const answer = await during(
      () => place(trader),
      () => deleteTradingKey(desk.server.ctx, trader.keyId),
    );
    expect(['', '3002']).toContain(codeOf(answer));
    const later = await Promise.all([place(trader), place(trader), place(trader)]);
    expect(later.map(codeOf)).toEqual(['3002', '3002', '3002']);
  }
});
