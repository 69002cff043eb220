// The endpoints of orders before and after the days on which they were placed went into files. The engine has forgotten them.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyPair } from '../../../accounts/audit/head.ts';
import { createLog } from '../../../platform/observe/log.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { carryOut } from '../../../testing/operator-rows.ts';
import type { Trader } from '../../../testing/trader.ts';
import { EVER } from '../../../testing/trading/drawn-days.ts';
import {
  codeOf,
  LIMIT,
  openDesk,
  resultOf,
  type Desk,
  type Params,
} from '../../../testing/trading/desk.ts';
import { ORDERS_NAME } from '../../order-tables.ts';
import type { Order } from '../../orders/order.ts';
import type { PageOf } from '../../pages.ts';
import { awaitProjection } from '../access.ts';
import { auditProjections, startOfAudit } from '../audit.ts';
import { listArchives } from './access.ts';
import { archiveOldDays } from './run.ts';

const AGO_MS = 30 * DAY_MS;
const now = () => Date.now() - AGO_MS;

let desk: Desk;
let buyer: Trader;
let seller: Trader;
let stranger: Trader;
/** Those of the buyer that have client ids. */
let named: Order[];

let lastMs = 0;
const tick = () => (lastMs = Math.max(lastMs + 1, now()));

const call = (trader: Trader, method: string, path: string, params: Params) =>
  trader.call(`${desk.server.baseUrl}/private/${path}`, {
    method,
    params: { ...params },
    atMs: tick(),
  });
const get = (trader: Trader, path: string, params: Params = {}) =>
  call(trader, 'GET', path, params);
const place = (trader: Trader, terms: Params) =>
  call(trader, 'POST', 'order/create', { ...LIMIT, ...terms });

/** Some orders of each kind, all of which end. */
async function placeSome(): Promise<void> {
  for (let n = 0; n < 8; n += 1) {
    const price = `${64000 + n * 100}.00`;
    resultOf(await place(seller, { side: 'sell', price, volume: '0.001000' }));
    resultOf(await place(buyer, { price, volume: '0.001000', clientOrderId: `buy-${n}` }));
    resultOf(await place(buyer, { price: '60000.00', volume: '0.002000' }));
    await call(buyer, 'DELETE', 'order/cancel_all', {});
  }
}

beforeAll(async () => {
  desk = await openDesk(
    {
      clock: { now },
      log: createLog('silent', {}),
      settings: { PUBLIC_SIGNING_KEY: createKeyPair().privateKey },
    },
    { phase: 'continuous' },
  );
  const first = Math.floor(now() / DAY_MS) * DAY_MS;
  for (let day = first - DAY_MS; day <= first + DAY_MS; day += DAY_MS) {
    for (const [table, id] of [
      ['trading_trades', 'trade_id'],
      [ORDERS_NAME, 'order_id'],
    ]) {
      await desk.server.owner.query(
        `CREATE TABLE ${table}_d${day / DAY_MS} (LIKE ${table} INCLUDING ALL, PRIMARY KEY (${id}));
         ALTER TABLE ${table} ATTACH PARTITION ${table}_d${day / DAY_MS} FOR VALUES FROM (${day}) TO (${day + DAY_MS})`,
      );
    }
  }
  buyer = await desk.trader({ usdt: '100000', btc: '1' });
  seller = await desk.trader();
  stranger = await desk.trader();
  await placeSome();
  const page = resultOf<PageOf<Order>>(await get(buyer, 'order/history', { limit: '100' }));
  named = page.items.filter(({ clientOrderId }) => clientOrderId !== '');
  // The engine forgets all that have ended but the last.
  await carryOut(desk.server.ctx, [{ type: 'set_memory', memory: 1 }]);
  resultOf(await place(seller, { side: 'sell', price: '64000.00', volume: '0.001000' }));
  resultOf(await place(buyer, { price: '64000.00', volume: '0.001000' }));
  await awaitProjection(desk.server.ctx, { patienceMs: 5000, orElse: 'refuse' });
}, 180_000);
afterAll(() => desk.close());

async function pagesOf(trader: Trader, path: string, params: Params): Promise<unknown[]> {
  const pages: unknown[] = [];
  let cursor: Params = {};
  for (;;) {
    const page = resultOf<PageOf<unknown>>(await get(trader, path, { ...params, ...cursor }));
    pages.push(page.items);
    if (page.nextCursor === '') return pages;
    cursor = { cursor: page.nextCursor };
  }
}

/** What everybody is shown, as texts. */
async function readAll(): Promise<Record<string, string>> {
  const shown: Record<string, string> = {};
  const note = (name: string, value: unknown) => (shown[name] = JSON.stringify(value));
  for (const [who, trader] of Object.entries({ buyer, seller, stranger })) {
    for (const sort of ['asc', 'desc']) {
      note(`${who} orders ${sort}`, await pagesOf(trader, 'order/history', { sort, limit: '5' }));
      note(`${who} trades ${sort}`, await pagesOf(trader, 'order/trades', { sort, limit: '5' }));
    }
    const filled = { status: 'filled', sort: 'asc', limit: '4' };
    note(`${who} filled`, await pagesOf(trader, 'order/history', filled));
    for (const { orderId, clientOrderId } of named) {
      for (const name of [{ orderId }, { clientOrderId }]) {
        for (const path of ['order/get', 'order/receipt']) {
          const { status, body } = await get(trader, path, name);
          note(`${who} ${path} ${JSON.stringify(name)}`, [status, body.result, body.error?.code]);
        }
      }
      note(`${who} trades of ${orderId}`, await pagesOf(trader, 'order/trades', { orderId }));
    }
  }
  for (const order of named) {
    const terms = { price: order.price, volume: order.volume, clientOrderId: order.clientOrderId };
    const again = await place(buyer, terms);
    note(`again ${order.orderId}`, [
      again.headers.get('x-svc-idempotent-replay'),
      resultOf<Order>(again),
    ]);
    const other = await place(buyer, { ...terms, price: '1000.00' });
    note(`with other terms ${order.orderId}`, [other.status, codeOf(other)]);
    const canceled = await call(buyer, 'DELETE', 'order/cancel', { orderId: order.orderId });
    note(`cancel ${order.orderId}`, [canceled.status, codeOf(canceled)]);
  }
  return shown;
}

describe('the endpoints of orders', () => {
  it('show an archived day as before, to whom it belongs, and nothing of a day that cannot be read', async () => {
    const { ctx } = desk.server;
    const before = await readAll();
    expect(named.length).toBe(8);
    const [{ orderId, clientOrderId } = { orderId: '', clientOrderId: '' }] = named;
    const ofFirst = (name: string) => JSON.parse(before[name] ?? '') as unknown[];
    expect(ofFirst(`buyer order/get {"orderId":"${orderId}"}`)[0]).toBe(200);
    expect(ofFirst(`buyer order/receipt {"orderId":"${orderId}"}`)[0]).toBe(200);
    expect(ofFirst(`stranger order/get {"orderId":"${orderId}"}`)[0]).toBe(404);
    expect(ofFirst(`again ${orderId}`)[0]).toBe('true');
    expect(ofFirst(`with other terms ${orderId}`)[1]).toBe('4012');
    expect(before['stranger orders desc']).toBe('[[]]');

    await awaitProjection(ctx, { patienceMs: 5000, orElse: 'refuse' });
    await archiveOldDays(ctx, { keepDays: 8, nowMs: Date.now(), rowsPerBlock: 6 });
    const files = await listArchives(ctx.db, ORDERS_NAME, EVER);
    expect(files.length).toBeGreaterThan(0);
    const left = await desk.server.owner.query('SELECT 1 FROM trading_orders');
    expect(left.rows).toEqual([]);
    const after = await readAll();
    for (const [name, shown] of Object.entries(before)) expect(after[name], name).toBe(shown);
    expect(await auditProjections(ctx, startOfAudit())).toEqual([]);

    for (const { fileKey } of files) await rm(join(ctx.config.UPLOADS_DIR, fileKey));
    const refused = await get(buyer, 'order/history', { sort: 'asc' });
    expect([refused.status, codeOf(refused)]).toEqual([503, '1001']);
    expect(refused.text).toContain('nothing is shown instead of too little');
    expect((await get(buyer, 'order/get', { orderId })).status).toBe(503);
    expect((await get(buyer, 'order/get', { clientOrderId })).status).toBe(503);
    // The id may have been used, so no order is taken with it.
    expect((await place(buyer, { price: '50000.00', clientOrderId })).status).toBe(503);
    // Nobody reads a file for somebody who has no orders in it, or whose ids are new.
    expect((await get(stranger, 'order/history', { sort: 'asc' })).status).toBe(200);
    expect((await place(buyer, { price: '50000.00', clientOrderId: 'new' })).status).toBe(200);
    expect((await place(stranger, { price: '50000.00', clientOrderId })).status).toBe(200);
  }, 180_000);
});
