// The endpoints of history before and after the day that they show went into a file.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../platform/observe/log.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import type { Trader } from '../../../testing/trader.ts';
import {
  codeOf,
  LIMIT,
  openDesk,
  resultOf,
  type Desk,
  type Params,
} from '../../../testing/trading/desk.ts';
import type { Order } from '../../orders/order.ts';
import type { PageOf } from '../../pages.ts';
import { auditProjections, startOfAudit } from '../audit.ts';
import { TRADES_NAME } from '../../trade-tables.ts';
import { listArchives } from './access.ts';
import { archiveOldDays } from './run.ts';

const AGO_MS = 30 * DAY_MS;
let aheadMs = 0;
const now = () => Date.now() - AGO_MS + aheadMs;

let desk: Desk;
let buyer: Trader;
let seller: Trader;
let stranger: Trader;
/** Before, between and after the trades. */
let bounds: number[];

let lastMs = 0;
const tick = () => (lastMs = Math.max(lastMs + 1, now()));

async function place(trader: Trader, terms: Params): Promise<void> {
  const params = { ...LIMIT, ...terms };
  const url = `${desk.server.baseUrl}/private/order/create`;
  resultOf(await trader.call(url, { method: 'POST', params, atMs: tick() }));
}

beforeAll(async () => {
  desk = await openDesk(
    {
      clock: { now },
      log: createLog('silent', {}),
      // So that older trades are in the table alone.
      settings: { MARKET_TRADES_MAX: '10' },
    },
    { phase: 'continuous' },
  );
  const first = Math.floor(now() / DAY_MS) * DAY_MS;
  for (const day of [first - DAY_MS, first, first + DAY_MS]) {
    await desk.server.owner.query(
      `CREATE TABLE trading_trades_d${day / DAY_MS} (LIKE trading_trades INCLUDING ALL, PRIMARY KEY (trade_id));
       ALTER TABLE trading_trades ATTACH PARTITION trading_trades_d${day / DAY_MS} FOR VALUES FROM (${day}) TO (${day + DAY_MS})`,
    );
  }
  buyer = await desk.trader({ usdt: '100000', btc: '1' });
  seller = await desk.trader();
  stranger = await desk.trader();
  bounds = [Math.floor(now()) - 1000];
  for (let n = 0; n < 16; n += 1) {
    const price = `${64000 + (n % 5) * 100}.00`;
    await place(seller, { side: 'sell', price, volume: '0.001000' });
    await place(buyer, { side: 'buy', price, volume: '0.001000' });
    if (n % 8 === 7) bounds.push(Math.floor(now()) + 1);
  }
  // It lives on, and has traded on the day.
  await place(buyer, { side: 'buy', price: '63000.00', volume: '0.002000' });
  await place(seller, { side: 'sell', price: '63000.00', volume: '0.001000' });
  aheadMs = 10 * 60_000;
}, 180_000);
afterAll(() => desk.close());

const get = (trader: Trader, path: string, params: Params) =>
  trader.call(`${desk.server.baseUrl}/private/${path}`, { params: { ...params }, atMs: tick() });

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
    for (const sort of who === 'buyer' ? ['asc', 'desc'] : ['desc']) {
      note(`${who} trades ${sort}`, await pagesOf(trader, 'order/trades', { sort, limit: '5' }));
      note(`${who} ledger ${sort}`, await pagesOf(trader, 'account/ledger', { sort, limit: '7' }));
      const coin = { coin: 'btc', sort, limit: '7' };
      note(`${who} btc ${sort}`, await pagesOf(trader, 'account/ledger', coin));
    }
    const some = { fromId: '9', sort: 'asc', limit: '4' };
    note(`${who} trades from 9`, await pagesOf(trader, 'order/trades', some));
    for (const [n, from] of bounds.entries()) {
      for (const to of bounds.slice(n + 1)) {
        for (const format of who === 'buyer' ? ['json', 'csv'] : ['json']) {
          const stretch = { from: String(from), to: String(to), format };
          const { status, text } = await get(trader, 'account/statement', stretch);
          note(`${who} statement ${from} ${to} ${format}`, [status, text]);
        }
      }
    }
  }
  const orders = resultOf<PageOf<Order>>(await get(buyer, 'order/history', { limit: '5' })).items;
  for (const { orderId } of orders) {
    note(`order ${orderId}`, resultOf(await get(buyer, 'order/get', { orderId })));
    const own = await pagesOf(buyer, 'order/trades', { orderId });
    note(`trades of ${orderId}`, own);
    note(`to a stranger ${orderId}`, await pagesOf(stranger, 'order/trades', { orderId }));
  }
  for (const query of [
    'limit=100',
    'fromId=1&limit=7',
    'fromId=3&limit=100',
    `from=${bounds[0]}`,
  ]) {
    const answer = await fetch(`${desk.server.baseUrl}/public/last_trades?symbol=btcusdt&${query}`);
    const body = (await answer.json()) as { result: unknown };
    note(`public ${query}`, body.result);
  }
  return shown;
}

describe('the endpoints of history', () => {
  it('show an archived day as before, to whom it belongs, and nothing of a day that cannot be read', async () => {
    const { ctx } = desk.server;
    const before = await readAll();
    expect(JSON.parse(before['buyer trades asc'] ?? '')).toHaveLength(4);
    expect(JSON.parse(before['public fromId=1&limit=7'] ?? '')).toHaveLength(7);
    expect(before['stranger trades desc']).toBe('[[]]');

    const report = await archiveOldDays(ctx, { keepDays: 8, nowMs: Date.now(), rowsPerBlock: 6 });
    expect(report?.rows).toBe(17n);
    const left = await desk.server.owner.query('SELECT 1 FROM trading_trades');
    expect(left.rows).toEqual([]);
    const after = await readAll();
    for (const [name, shown] of Object.entries(before)) expect(after[name], name).toBe(shown);
    expect(await auditProjections(ctx, startOfAudit())).toEqual([]);

    for (const { fileKey } of await listArchives(ctx.db, TRADES_NAME, {
      fromMs: 0n,
      toMs: 10n ** 16n,
    })) {
      await rm(join(ctx.config.UPLOADS_DIR, fileKey));
    }
    const refused = await get(buyer, 'order/trades', { sort: 'asc' });
    expect([refused.status, codeOf(refused)]).toEqual([503, '1001']);
    expect(refused.text).toContain('nothing is shown instead of too little');
    expect((await get(buyer, 'account/ledger', { sort: 'asc' })).status).toBe(503);
    // Nobody reads a file for somebody who has no trades in it.
    expect((await get(stranger, 'order/trades', { sort: 'asc' })).status).toBe(200);
  }, 180_000);
});
