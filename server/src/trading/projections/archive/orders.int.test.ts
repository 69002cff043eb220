// Days of orders of a drawn venue leave the table for files: every reader shows what it showed before, an order that has not ended
// keeps its day, and no crash, damage or stranger changes that.
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../platform/db/pool.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import type { TestContext } from '../../../testing/context.ts';
import {
  DrawnDays,
  EVER,
  type ArchiveOptions,
  type HistoryTable,
} from '../../../testing/trading/drawn-days.ts';
import { ORDERS_NAME } from '../../order-tables.ts';
import {
  findClientOrders,
  findOrderOfAnybody,
  listOrdersByName,
  recallFromFiles,
} from '../../orders/find.ts';
import { listOrders } from '../../orders/own-orders.ts';
import { listTrades } from '../../orders/own-trades.ts';
import { TRADES_NAME } from '../../trade-tables.ts';
import { rebuildProjections } from '../rebuild.ts';
import { queryArchivedOrders, verifyArchive } from './access.ts';
import { readHistoryExtent, readHistoryOverview } from './overview.ts';
import type { Step } from './run.ts';

const BOTH: readonly HistoryTable[] = [TRADES_NAME, ORDERS_NAME];
const DAY = BigInt(DAY_MS);
const PAGE = { from: undefined, to: undefined } as const;

let days: DrawnDays;
let test: TestContext;
let accounts: bigint[];
let orders: Row[];

interface Row {
  readonly orderId: bigint;
  readonly accountId: bigint;
  readonly clientOrderId: string;
  readonly createdMs: bigint;
  readonly isLive: boolean;
}

beforeEach(async () => {
  days = await DrawnDays.open();
  test = days.test;
});
afterEach(() => days.close());

/** Without the live orders of days that are to leave, unless they are to hold them. */
async function work(seed: bigint, commands: number, options: { isHeld?: boolean } = {}) {
  await days.work(seed, commands, BOTH);
  if (options.isHeld !== true) await endOld();
  orders = await listEvery();
  accounts = [...new Set([...days.accounts, orders[0]?.accountId ?? 0n])];
}

async function endOld(): Promise<void> {
  const old = (await listEvery()).filter(
    ({ isLive, createdMs }) => isLive && createdMs < days.firstKept(2),
  );
  await days.cancel(
    old.map(({ accountId, orderId }) => ({ account: Number(accountId), orderId: Number(orderId) })),
  );
}

async function listEvery(): Promise<Row[]> {
  const { rows } = await test.owner.query<
    Record<Exclude<keyof Row, 'isLive'>, string> & { isLive: boolean }
  >(
    `SELECT order_id::text AS "orderId", account_id::text AS "accountId", client_order_id AS "clientOrderId",
            created_ms::text AS "createdMs", is_live AS "isLive"
       FROM (SELECT order_id, account_id, client_order_id, created_ms, true AS is_live FROM trading_live_orders
             UNION ALL SELECT order_id, account_id, client_order_id, created_ms, false FROM trading_orders) AS o
      ORDER BY o.order_id`,
  );
  return rows.map(({ clientOrderId, isLive, ...row }) => ({
    orderId: BigInt(row.orderId),
    accountId: BigInt(row.accountId),
    createdMs: BigInt(row.createdMs),
    clientOrderId,
    isLive,
  }));
}

const dayOf = ({ createdMs }: Row): bigint => createdMs - (createdMs % DAY);
const archive = (options: ArchiveOptions = {}) => days.archive(options);
const archived = () => days.archived(ORDERS_NAME);
const silent = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** What every reader shows, as texts. */
async function readAll(): Promise<Record<string, string>> {
  const { ctx } = test;
  const shown: Record<string, string> = {};
  const note = (name: string, value: unknown) => (shown[name] = JSON.stringify(value, silent));
  for (const accountId of accounts) {
    for (const sort of ['asc', 'desc'] as const) {
      for (const filter of [{}, { status: 'canceled' }, { side: 'buy', symbol: days.symbols[0] }]) {
        const name = `orders ${accountId} ${sort} ${JSON.stringify(filter)}`;
        note(name, await pagesOf(accountId, sort, filter));
      }
      const page = { ...PAGE, sort, limit: 1000, after: undefined };
      note(`trades ${accountId} ${sort}`, await listTrades(ctx, accountId, {}, page));
    }
    const own = orders.filter((order) => order.accountId === accountId);
    const ids = own.map(({ orderId }) => ({ orderId }));
    note(`by id ${accountId}`, byId(await listOrdersByName(ctx, accountId, ids)));
    const named = own.filter(({ clientOrderId }) => clientOrderId !== '');
    const names = named.map(({ clientOrderId }) => ({ clientOrderId }));
    note(`by client id ${accountId}`, byId(await listOrdersByName(ctx, accountId, names)));
    note(`uses ${accountId}`, await recall(accountId, [...named.map((o) => o.clientOrderId), '?']));
    const others = orders.filter((order) => order.accountId !== accountId).slice(0, 50);
    const foreign = others.map(({ orderId }) => ({ orderId }));
    expect(await listOrdersByName(ctx, accountId, foreign)).toEqual([]);
  }
  for (const { orderId } of orders.filter((_, n) => n % 23 === 0)) {
    note(`of anybody ${orderId}`, await findOrderOfAnybody(ctx, { orderId }));
  }
  return shown;
}

const byId = <O extends { orderId: number | bigint }>(found: readonly O[]): O[] =>
  found.toSorted((a, b) => Number(a.orderId) - Number(b.orderId));

async function pagesOf(accountId: bigint, sort: 'asc' | 'desc', filter: object) {
  const pages = [];
  let after: { ms: bigint; id: bigint } | undefined;
  for (;;) {
    const found = await listOrders(test.ctx, accountId, filter, {
      ...PAGE,
      sort,
      limit: 13,
      after,
    });
    pages.push(found.slice(0, 13));
    const last = found[12];
    if (found.length <= 13 || last === undefined) return pages;
    after = { ms: BigInt(last.createdAt), id: BigInt(last.orderId) };
  }
}

/** The earlier uses of client ids, as a repeated placement and a receipt see them. */
async function recall(accountId: bigint, clientOrderIds: readonly string[]) {
  const asked = { accountId, clientOrderIds };
  const [found] = await findClientOrders(test.ctx, [asked]);
  if (found === undefined) throw new Error('Nothing was answered.');
  return byId((await recallFromFiles(test.ctx, asked, found)).known);
}

/** Reads, and lets something happen after a statement. */
async function meeting<T>(
  when: number,
  happen: () => Promise<unknown>,
  read: (db: Db) => Promise<T>,
): Promise<T> {
  let statements = 0;
  const db = test.ctx.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements += 1;
      if (statements === when) await happen();
      return result;
    },
  });
  const value = await read(db);
  expect(statements).toBeGreaterThanOrEqual(when);
  return value;
}

/** One by one: all of it is too long to print. */
async function expectShown(before: Record<string, string>): Promise<void> {
  const now = await readAll();
  for (const [name, shown] of Object.entries(before)) expect(now[name], name).toBe(shown);
}

describe('archived days of orders', { timeout: 180_000 }, () => {
  it('are shown by every reader as before, and audits and rebuilds agree', async () => {
    await work(70n, 1200);
    const before = await readAll();
    expect(orders.filter(({ isLive }) => isLive).length).toBeGreaterThan(3);
    await days.expectSound();
    const [parts, count] = [await days.partCount(ORDERS_NAME), await days.count(ORDERS_NAME)];

    await archive();
    const files = await archived();
    expect(files.length).toBeGreaterThan(2);
    expect(await days.partCount(ORDERS_NAME)).toBeLessThan(parts);
    const left = await days.count(ORDERS_NAME);
    expect(left).toBeGreaterThan(0);
    const inFiles = files.reduce((sum, { manifest }) => sum + (manifest?.rows ?? 0n), 0n);
    expect(BigInt(count - left)).toBe(inFiles);
    await expectShown(before);
    await days.expectSound();
    for (const file of files) await verifyArchive(test.ctx, file);

    const check = await rebuildProjections(test.ctx, { compare: true, swap: false });
    expect(check.tables.filter(({ isSame }) => isSame !== true)).toEqual([]);
    expect(check.tables.find(({ table }) => table === ORDERS_NAME)?.liveRows).toBe(count);

    // A rebuild brings every day back, and the next run makes the same files.
    expect((await rebuildProjections(test.ctx, { compare: true })).isSame).toBe(true);
    expect(await archived()).toEqual([]);
    expect(await days.count(ORDERS_NAME)).toBe(count);
    await archive();
    const again = await archived();
    expect(again.map(({ manifest }) => manifest)).toEqual(files.map(({ manifest }) => manifest));
    await expectShown(before);
    const all = [...again, ...(await days.archived(TRADES_NAME))];
    expect(await days.filesInStore()).toEqual(all.map(({ fileKey }) => fileKey).sort());
  });

  it('are lines by order and by account that other programs read, and are asked for by account', async () => {
    await work(27n, 1200);
    await archive();
    const files = await archived();
    const [file] = files;
    const lines = gunzipSync(await readFile(days.pathOf(file?.fileKey ?? '')))
      .toString()
      .trimEnd()
      .split('\n');
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const { manifest } = rows.at(-1) as { manifest: Record<string, unknown> };
    const ofDay = orders.filter((order) => dayOf(order) === file?.dayMs);
    expect(manifest).toMatchObject({
      table: ORDERS_NAME,
      rows: String(ofDay.length),
      firstId: String(ofDay[0]?.orderId),
      lastId: String(ofDay.at(-1)?.orderId),
    });
    const ids = ofDay.map(({ orderId }) => Number(orderId));
    expect(rows.slice(0, ids.length).map((row) => row['order_id'])).toEqual(ids);
    expect(rows.length).toBe(2 * ids.length + 1);

    const inFiles = new Set(files.map(({ dayMs }) => dayMs));
    for (const accountId of accounts) {
      const found: bigint[] = [];
      for await (const line of queryArchivedOrders(test.ctx, accountId, EVER)) {
        const row = JSON.parse(line) as Record<string, number>;
        expect(row['account_id']).toBe(Number(accountId));
        found.push(BigInt(row['order_id'] ?? 0));
      }
      const own = orders.filter(
        (order) => order.accountId === accountId && inFiles.has(dayOf(order)),
      );
      expect(found).toEqual(own.map(({ orderId }) => orderId));
    }
  });

  it('stay in the table while one of their orders is live, and later days leave before them', async () => {
    await work(58n, 1200, { isHeld: true });
    const old = orders.filter(({ createdMs }) => createdMs < days.firstKept(2));
    const kept = old.find(({ isLive }) => isLive);
    if (kept === undefined) throw new Error('No order lives on.');
    // Of the old days this one alone has a live order.
    const others = old.filter((order) => order.isLive && order !== kept);
    const toCancel = (order: Row) => ({
      account: Number(order.accountId),
      orderId: Number(order.orderId),
    });
    await days.cancel(others.map(toCancel));
    orders = await listEvery();
    const before = await readAll();
    const oldDays = [...new Set(old.map(dayOf))];
    expect(oldDays.length).toBeGreaterThan(2);
    await archive();
    const wanted = oldDays.filter((day) => day !== dayOf(kept));
    expect((await archived()).map(({ dayMs }) => dayMs)).toEqual(wanted);
    expect(wanted.some((day) => day > dayOf(kept))).toBe(true);
    await expectShown(before);
    await days.expectSound();
    expect(await readHistoryExtent(test.ctx.database.pool, { name: ORDERS_NAME })).toEqual({
      archived: wanted.length,
      oldestDay: Number(dayOf(kept) / DAY),
    });
    const overview = await readHistoryOverview(test.ctx.database.pool, 8);
    expect(overview.find(({ name }) => name === ORDERS_NAME)?.held).toBeGreaterThan(0);
    const [part] = await days.column<string>(
      `SELECT tableoid::regclass::text AS value FROM trading_orders WHERE created_ms / ${DAY} = ${dayOf(kept) / DAY} LIMIT 1`,
    );
    await expect(
      test.ctx.database.pool.query('SELECT drop_history_part($1, $2)', [ORDERS_NAME, part]),
    ).rejects.toThrow(/orders that are still live/);

    // It ends: its row goes into the part that was kept for it, and the next run takes the day.
    await days.cancel([toCancel(kept)]);
    const after = await readAll();
    await archive();
    expect((await archived()).map(({ dayMs }) => dayMs)).toEqual(oldDays);
    await expectShown(after);
    await days.expectSound();
    expect((await rebuildProjections(test.ctx, { compare: true, swap: false })).isSame).toBe(true);
  });

  it('are not dropped while the projector is about to end an order of them', async () => {
    await work(58n, 1200);
    const [first] = orders;
    if (first === undefined) throw new Error('There are no orders.');
    const projector = await test.owner.connect();
    /** Lets the projector do something after the file of the first day was read back. */
    const runMeeting = (statement: string) =>
      archive({
        async onStep(step, dayMs, table) {
          if (table !== ORDERS_NAME || dayMs !== dayOf(first) || step !== 'verified') return;
          await projector.query(`BEGIN; ${statement}`);
        },
      });
    const isGone = async () => (await archived()).some(({ dayMs }) => dayMs === dayOf(first));
    try {
      // As if it had been live when its day was looked at, and its end is not committed yet.
      const steps: string[] = [];
      const copy = `FROM trading_orders WHERE order_id = ${first.orderId}`;
      await test.owner.query(`INSERT INTO trading_live_orders SELECT * ${copy}`);
      const onStep = (_: Step, dayMs: bigint, table: string) =>
        void steps.push(`${table} ${dayMs}`);
      await archive({ onStep });
      expect(steps).not.toContain(`${ORDERS_NAME} ${dayOf(first)}`);
      await test.owner.query(`DELETE FROM trading_live_orders WHERE order_id = ${first.orderId}`);
      // It came in between: nothing of its end is committed, so it is still live for all others.
      await expect(
        runMeeting(`INSERT INTO trading_live_orders SELECT * ${copy}; COMMIT; BEGIN;
        DELETE FROM trading_live_orders WHERE order_id = ${first.orderId}`),
      ).rejects.toThrow(/still live/);
      await projector.query('COMMIT');
      // It is written into the part, and nobody else knows: the run waits for the part, and gives up.
      const other = `INSERT INTO trading_orders SELECT (jsonb_populate_record(NULL::trading_orders, to_jsonb(o) || '{"order_id": 0}')).* FROM (SELECT * ${copy}) AS o`;
      await expect(runMeeting(other)).rejects.toThrow(/lock timeout/);
      expect(await isGone()).toBe(false);
      await projector.query('ROLLBACK');
      // The file has one row fewer than the part.
      await expect(runMeeting(`${other}; COMMIT`)).rejects.toThrow(/the files of its days have/);
      expect(await isGone()).toBe(false);
      await test.owner.query('DELETE FROM trading_orders WHERE order_id = 0');
    } finally {
      projector.release(true);
    }
    await archive();
    expect(await isGone()).toBe(true);
  });

  it('are never half of a page: a damaged, shortened or missing file is refused by name', async () => {
    await work(27n, 1200);
    await archive();
    const [file] = await archived();
    if (file === undefined) throw new Error('Nothing was archived.');
    const own = orders.find((o) => dayOf(o) === file.dayMs && o.clientOrderId !== '');
    if (own === undefined) throw new Error('No order of that day has a client id.');
    const { accountId, orderId, clientOrderId } = own;
    const path = days.pathOf(file.fileKey);
    const whole = await readFile(path);
    const everything = { ...PAGE, sort: 'asc', limit: 1000, after: undefined } as const;
    const reads: readonly (() => Promise<unknown>)[] = [
      () => findOrderOfAnybody(test.ctx, { orderId }),
      () => listOrdersByName(test.ctx, accountId, [{ orderId }]),
      () => listOrdersByName(test.ctx, accountId, [{ clientOrderId }]),
      () => recall(accountId, [clientOrderId]),
      () => listOrders(test.ctx, accountId, {}, everything),
    ];
    const good = await Promise.all(reads.map((read) => read()));
    const expectRefused = async (reason: RegExp) => {
      for (const read of reads) {
        await expect(read()).rejects.toMatchObject({
          status: 503,
          message: expect.stringContaining('nothing is shown instead of too little') as unknown,
        });
      }
      await expect(verifyArchive(test.ctx, file)).rejects.toThrow(reason);
      await expect(rebuildProjections(test.ctx, { compare: true, swap: false })).rejects.toThrow(
        reason,
      );
      // Placements of others, and of the same account with a new id, are as before.
      expect(await recall(accountId, ['never used'])).toEqual([]);
      const younger = { ...everything, from: file.dayMs + DAY };
      await listOrders(test.ctx, accountId, {}, younger);
    };
    const flipped = Buffer.from(whole);
    for (let at = 20; at < flipped.length; at += 97) flipped[at] = (flipped[at] ?? 0) ^ 1;
    await writeFile(path, flipped);
    await expectRefused(/not those that were written/);
    await truncate(path, 30);
    await expectRefused(/ends too early|not those that were written/);
    await rm(path);
    await expectRefused(/missing in the file store.*rebuild-projections/);
    await writeFile(path, whole);
    expect(await Promise.all(reads.map((read) => read()))).toEqual(good);
    await appendFile(path, 'x');
    await expect(verifyArchive(test.ctx, file)).rejects.toThrow(/bytes instead of/);
    // Without the file all rows come back from the journal.
    await rm(path);
    await rebuildProjections(test.ctx);
    expect(await Promise.all(reads.map((read) => read()))).toEqual(good);
  });

  it('lose nothing and double nothing when a run is killed between any two steps', async () => {
    await work(31n, 1200);
    accounts = accounts.slice(0, 1);
    const before = await readAll();
    class Killed extends Error {}
    const steps: string[] = [];
    for (let attempt = 0; attempt < 200; attempt += 1) {
      let isKilled = false;
      const seen = new Set(steps);
      const onStep = (step: Step, dayMs: bigint, table: string) => {
        const name = `${step} ${table} ${dayMs}`;
        if (table !== ORDERS_NAME || seen.has(name)) return;
        steps.push(name);
        isKilled = true;
        throw new Killed();
      };
      await archive({ onStep }).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      if (steps.length % 6 === 0) await expectShown(before);
      if (!isKilled) break;
    }
    for (const step of ['began', 'written', 'verified', 'dropped']) {
      expect(steps.filter((name) => name.startsWith(step)).length).toBeGreaterThan(1);
    }
    await expectShown(before);
    await days.expectSound();
    const all = [...(await archived()), ...(await days.archived(TRADES_NAME))];
    expect(await days.filesInStore()).toEqual(all.map(({ fileKey }) => fileKey).sort());
  });

  it('may leave the table, and come back, between two statements of a read', async () => {
    await work(78n, 1200);
    const before = await readAll();
    const old = orders.filter(({ createdMs }) => createdMs < days.firstKept(2));
    const accountId = old[0]?.accountId ?? 0n;
    const ids = old.filter((o) => o.accountId === accountId).map(({ orderId }) => ({ orderId }));
    const whole = byId(await listOrdersByName(test.ctx, accountId, ids));
    expect(whole.length).toBe(ids.length);
    const everything = { ...PAGE, sort: 'desc', limit: 1000, after: undefined } as const;
    const pages = await listOrders(test.ctx, accountId, {}, everything);
    const bringBack = () => rebuildProjections(test.ctx);
    const byName = (db: Db) => listOrdersByName({ ...test.ctx, db }, accountId, ids);
    const byPage = (db: Db) => listOrders({ ...test.ctx, db }, accountId, {}, everything);
    for (const when of [1, 2, 3]) {
      // With everything in the tables it has two.
      expect(byId(await meeting(Math.min(when, 2), archive, byName))).toEqual(whole);
      expect((await archived()).length).toBeGreaterThan(2);
      expect(byId(await meeting(when, bringBack, byName))).toEqual(whole);
      expect(await archived()).toEqual([]);
      expect(await meeting(when, archive, byPage)).toEqual(pages);
      expect((await archived()).length).toBeGreaterThan(2);
      await bringBack();
    }
    await expectShown(before);
  });
});

describe('dropping a part of orders', () => {
  it('is refused to whoever has no files of all its rows, and for the last week', async () => {
    await work(6n, 1200);
    const server = test.ctx.database.pool;
    const [first] = await days.column<string>(
      'SELECT tableoid::regclass::text AS value FROM trading_orders ORDER BY created_ms LIMIT 1',
    );
    const drop = (part: string | undefined) =>
      server.query('SELECT drop_history_part($1, $2)', [ORDERS_NAME, part]);
    await expect(drop(first)).rejects.toThrow(/the files of its days have 0/);
    await expect(drop('trading_orders_rest')).rejects.toThrow(/no part/);
    await expect(drop('trading_live_orders')).rejects.toThrow(/no part/);
    const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    await expect(drop(`trading_orders_${today}`)).rejects.toThrow(/last week/);
    await expect(server.query(`DROP TABLE ${first}`)).rejects.toThrow(/must be owner/);
    // A file with fewer rows than the part is not enough.
    const day = orders[0] === undefined ? 0n : dayOf(orders[0]);
    await test.owner.query(
      `INSERT INTO history_archives (name, day_ms, file_key, state, columns, format, rows, file_bytes, file_sha256, content_sha256)
       VALUES ('${ORDERS_NAME}', ${day}, 'k', 'written', '{}', 1, 1, 1, '', '')`,
    );
    await expect(drop(first)).rejects.toThrow(/has \d+ rows, and the files of its days have 1/);
  });
});
