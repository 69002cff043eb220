// Days of trades of a drawn venue leave the table for files: every reader shows what it showed before, and no crash, damage or
// stranger changes that.
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../platform/std/time.ts';
import type { TestContext } from '../../../testing/context.ts';
import { DrawnDays, EVER, type ArchiveOptions } from '../../../testing/trading/drawn-days.ts';
import { listTrades } from '../../orders/own-trades.ts';
import { fillFromTables } from '../../replica/fill.ts';
import { listTape } from '../../trades/access.ts';
import { planPage } from '../../trades/page.ts';
import { walkDays } from '../days.ts';
import { findBoundary, listLines } from '../ledger/pages.ts';
import { listTotalsBefore } from '../ledger/totals.ts';
import { rebuildProjections } from '../rebuild.ts';
import { ORDERS_NAME } from '../../order-tables.ts';
import { TRADES_NAME } from '../../trade-tables.ts';
import { queryArchive, verifyArchive } from './access.ts';
import { readHistoryExtent } from './overview.ts';
import { archiveWhenDue, type Step } from './run.ts';

let days: DrawnDays;
let test: TestContext;
let accounts: bigint[];
let symbols: string[];
let times: bigint[];

beforeEach(async () => {
  days = await DrawnDays.open();
  test = days.test;
});
afterEach(() => days.close());

const column = <T>(text: string): Promise<T[]> => days.column<T>(text);

/** Orders are in the part of all others, so trades alone leave. */
async function work(seed: bigint, commands: number): Promise<void> {
  await days.work(seed, commands, [TRADES_NAME]);
  ({ accounts, symbols, times } = days);
}

const partCount = () => days.partCount(TRADES_NAME);
const archive = (options: ArchiveOptions = {}) => days.archive(options);

const silent = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** What every reader shows, page by page, as texts. */
async function readAll(): Promise<Record<string, unknown>> {
  const { ctx } = test;
  const shown: Record<string, unknown> = {};
  const note = (name: string, value: unknown) => (shown[name] = JSON.stringify(value, silent));
  for (const accountId of accounts) {
    for (const sort of ['asc', 'desc'] as const) {
      note(`trades ${accountId} ${sort}`, await pagesOfTrades(accountId, sort));
      for (const filter of [{}, { kind: 'rebate' }]) {
        const name = `lines ${accountId} ${sort} ${JSON.stringify(filter)}`;
        note(name, await pagesOfLines(accountId, sort, filter));
      }
    }
    for (const n of [1, 4]) {
      const ms = (times[Math.floor((times.length * n) / 6)] ?? 0n) + 1n;
      for (const at of [ms, ms - (ms % BigInt(DAY_MS)), ms - (ms % BigInt(DAY_MS)) + 1n]) {
        const toId = await findBoundary(ctx, accountId, at);
        note(`totals ${accountId} ${at}`, [
          toId,
          await listTotalsBefore(ctx, accountId, { toId, toMs: at }),
        ]);
      }
    }
    const orders = await column<string>(
      `SELECT DISTINCT order_id AS value FROM trading_orders WHERE account_id = ${accountId} ORDER BY 1 LIMIT 4`,
    );
    for (const orderId of orders) {
      const query = {
        sort: 'asc',
        limit: 100,
        after: undefined,
        from: undefined,
        to: undefined,
      } as const;
      note(
        `order ${orderId}`,
        await listTrades(ctx, accountId, { orderId: BigInt(orderId) }, query),
      );
    }
  }
  for (const symbol of symbols) {
    const all = await listTape(ctx, { symbol, limit: 100_000, sort: 'desc' });
    note(`tape ${symbol}`, all);
    for (const [n, { tradeId }] of all.entries()) {
      if (n % 61 !== 0) continue;
      for (const sort of ['asc', 'desc'] as const) {
        note(
          `tape ${symbol} ${sort} ${tradeId}`,
          await listTape(ctx, { symbol, limit: 5, sort, fromId: tradeId }),
        );
      }
    }
  }
  return shown;
}

/** One by one: all of it is too long to print. */
async function expectShown(before: Record<string, unknown>): Promise<void> {
  const now = await readAll();
  for (const [name, shown] of Object.entries(before)) expect(now[name], name).toBe(shown);
}

async function pagesOfTrades(accountId: bigint, sort: 'asc' | 'desc') {
  const pages = [];
  let after: { ms: bigint; id: bigint } | undefined;
  for (;;) {
    const found = await listTrades(
      test.ctx,
      accountId,
      {},
      { sort, limit: 40, after, from: undefined, to: undefined },
    );
    const page = found.slice(0, 40);
    pages.push(page);
    const last = page.at(-1);
    if (found.length <= 40 || last === undefined) return pages;
    after = { ms: last.timeMs, id: last.tradeId };
  }
}

async function pagesOfLines(accountId: bigint, sort: 'asc' | 'desc', filter: object) {
  const pages = [];
  let range: object = {};
  for (;;) {
    const page = await listLines(test.ctx, accountId, { ...filter, ...range, sort, limit: 120 });
    pages.push(page);
    const last = page.at(-1);
    if (page.length < 120 || last === undefined) return pages;
    range =
      sort === 'asc'
        ? { fromId: last.entryId + 1n, fromMs: last.timeMs }
        : { toId: last.entryId, toMs: last.timeMs + 1n };
  }
}

const expectSound = () => days.expectSound();
const archived = () => days.archived(TRADES_NAME);
const pathOf = (key: string) => days.pathOf(key);
const filesInStore = () => days.filesInStore();

describe('archived days', { timeout: 180_000 }, () => {
  it('are shown by every reader as before, and audits and rebuilds agree', async () => {
    await work(70n, 1200);
    expect(times.length).toBeGreaterThan(50);
    const before = await readAll();
    await expectSound();
    const parts = await partCount();
    const count = Number((await column<string>('SELECT count(*) AS value FROM trading_trades'))[0]);

    const report = await archive();
    const files = await archived();
    expect(files.length).toBeGreaterThan(2);
    expect(await partCount()).toBe(parts - (report?.parts ?? 0));
    const left = Number((await column<string>('SELECT count(*) AS value FROM trading_trades'))[0]);
    expect(left).toBeGreaterThan(0);
    expect(BigInt(count - left)).toBe(report?.rows);
    // Some orders outlive the day of a trade, so the audit of fills needs what was kept of it.
    expect(await column('SELECT order_id AS value FROM archived_fills')).not.toEqual([]);
    await expectShown(before);
    await expectSound();
    for (const file of files) await verifyArchive(test.ctx, file);
    expect(await filesInStore()).toEqual(files.map(({ fileKey }) => fileKey).sort());

    const check = await rebuildProjections(test.ctx, { compare: true, swap: false });
    expect(check.tables.filter(({ isSame }) => isSame !== true)).toEqual([]);
    expect(check.tables.find(({ table }) => table === TRADES_NAME)?.liveRows).toBe(count);

    // A rebuild brings every day back, and the next run makes the same files.
    expect((await rebuildProjections(test.ctx, { compare: true })).isSame).toBe(true);
    expect(await archived()).toEqual([]);
    await archive();
    const again = await archived();
    expect(again.map(({ manifest }) => manifest)).toEqual(files.map(({ manifest }) => manifest));
    await expectShown(before);
    expect(await filesInStore()).toEqual(again.map(({ fileKey }) => fileKey).sort());
  });

  it('are compressed lines that other programs read, the manifest last', async () => {
    await work(27n, 1500);
    await archive();
    const [file] = await archived();
    const lines = gunzipSync(await readFile(pathOf(file?.fileKey ?? '')))
      .toString()
      .trimEnd()
      .split('\n');
    const { manifest } = JSON.parse(lines.at(-1) ?? '') as { manifest: Record<string, unknown> };
    expect(manifest).toMatchObject({
      table: TRADES_NAME,
      day: new Date(Number(file?.dayMs)).toISOString().slice(0, 10),
      rows: String(file?.manifest?.rows),
      firstId: String(file?.manifest?.firstId),
    });
    expect(JSON.parse(lines[0] ?? '')).toHaveProperty('trade_id');
  });

  it('are asked for by account, and rows of others never come', async () => {
    await work(58n, 1500);
    const before = new Map<bigint, unknown[]>();
    const whose = (accountId: bigint) =>
      column<string>(
        `SELECT trade_id AS value FROM trading_trades WHERE ${accountId} IN (buyer_account_id, seller_account_id) ORDER BY 1`,
      );
    for (const accountId of accounts) before.set(accountId, (await whose(accountId)).map(String));
    await archive();
    for (const accountId of accounts) {
      const found: unknown[] = [];
      for await (const line of queryArchive(test.ctx, { accountId }, EVER)) {
        const row = JSON.parse(line) as Record<string, number>;
        expect([row['buyer_account_id'], row['seller_account_id']]).toContain(Number(accountId));
        found.push(String(row['trade_id']));
      }
      const left = (await whose(accountId)).map(String);
      expect([...found, ...left]).toEqual(before.get(accountId));
    }
  });

  it('are never half of a page: a damaged, shortened or missing file is refused by name', async () => {
    await work(27n, 1500);
    const accountId =
      (
        await column<string>(
          'SELECT buyer_account_id AS value FROM trading_trades ORDER BY time_ms, trade_id LIMIT 1',
        )
      ).map(BigInt)[0] ?? 0n;
    await archive();
    const [file] = await archived();
    if (file === undefined) throw new Error('Nothing was archived.');
    const path = pathOf(file.fileKey);
    const whole = await readFile(path);
    const read = () =>
      listTrades(
        test.ctx,
        accountId,
        {},
        { sort: 'asc', limit: 100_000, after: undefined, from: undefined, to: undefined },
      );
    const good = (await read()).length;
    const expectRefused = async (reason: RegExp) => {
      await expect(read()).rejects.toMatchObject({
        status: 503,
        message: expect.stringContaining('nothing is shown instead of too little'),
      });
      await expect(
        listLines(test.ctx, accountId, { sort: 'asc', limit: 10 }),
      ).rejects.toMatchObject({ status: 503 });
      await expect(verifyArchive(test.ctx, file)).rejects.toThrow(reason);
      await expect(rebuildProjections(test.ctx, { compare: true, swap: false })).rejects.toThrow(
        reason,
      );
      // Other days are readable.
      const toMs = file.dayMs + BigInt(DAY_MS);
      await listLines(test.ctx, accountId, { sort: 'desc', limit: 10, fromMs: toMs });
    };
    const flipped = Buffer.from(whole);
    for (let at = 20; at < flipped.length; at += 997) flipped[at] = (flipped[at] ?? 0) ^ 1;
    await writeFile(path, flipped);
    await expectRefused(/not those that were written/);
    await truncate(path, 30);
    await expectRefused(/ends too early/);
    await rm(path);
    await expectRefused(/missing in the file store.*rebuild-projections/);
    await writeFile(path, whole);
    expect((await read()).length).toBe(good);
    // Bytes after the end change nothing that is shown, but the file is not the one that was written.
    await appendFile(path, 'x');
    expect((await read()).length).toBe(good);
    await expect(verifyArchive(test.ctx, file)).rejects.toThrow(/bytes instead of/);
    // Without the file all rows come back from the journal.
    await rm(path);
    await rebuildProjections(test.ctx);
    expect((await read()).length).toBe(good);
  });

  it('lose nothing and double nothing when a run is killed between any two steps', async () => {
    await work(31n, 1500);
    accounts = accounts.slice(0, 1);
    const before = await readAll();
    class Killed extends Error {}
    const steps: string[] = [];
    for (let attempt = 0; attempt < 200; attempt += 1) {
      let isKilled = false;
      const seen = new Set(steps);
      const onStep = (step: Step, dayMs: bigint) => {
        const name = `${step} ${dayMs}`;
        if (seen.has(name)) return;
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
    await expectSound();
    const files = await archived();
    expect(await filesInStore()).toEqual(files.map(({ fileKey }) => fileKey).sort());
  });

  it('leave a file of a killed write to the next run, which removes it', async () => {
    await work(72n, 1500);
    const before = await readAll();
    const put = test.ctx.files.put.bind(test.ctx.files);
    test.ctx.files.put = async (key, bytes, max) => {
      await put(key, bytes, max);
      throw new Error('killed');
    };
    await expect(archive()).rejects.toThrow('killed');
    expect(await archived()).toEqual([]);
    expect((await filesInStore()).length).toBe(1);
    // What the store gives back is not what went in: nothing is dropped.
    test.ctx.files.put = async (key, bytes, max) => {
      const count = await put(key, bytes, max);
      await truncate(pathOf(key), count - 1);
      return count;
    };
    await expect(archive()).rejects.toThrow('bytes instead of');
    expect(await archived()).toEqual([]);
    await expectShown(before);
    test.ctx.files.put = put;
    await archive();
    await expectShown(before);
    expect((await filesInStore()).length).toBe((await archived()).length);
  });

  it('may leave the table between two statements of a page', async () => {
    await work(78n, 1500);
    const symbol =
      (
        await column<string>(
          'SELECT symbol AS value FROM trading_trades GROUP BY 1 ORDER BY count(*) DESC LIMIT 1',
        )
      )[0] ?? '';
    const whole = await listTape(test.ctx, { symbol, limit: 100_000, sort: 'asc' });
    for (const when of ['before', 'after'] as const) {
      let isDone = false;
      const run = async (now: string) => {
        if (isDone || now !== when) return;
        isDone = true;
        await archive();
      };
      // Every statement of the table meets a run right before it or right after it.
      const ids = await walkDays(
        test.ctx,
        { symbol },
        { sort: 'asc', limit: 100_000 },
        async ({ fromMs, toMs, archived: lines }) => {
          if (lines === undefined) await run('before');
          const { rows: found } = await test.owner.query<{ id: string }>(
            `SELECT trade_id::text AS id FROM ${lines === undefined ? 'trading_trades' : 'json_populate_recordset(NULL::trading_trades, $4::json)'}
            WHERE symbol = $1 AND time_ms >= $2 AND time_ms < $3 ORDER BY time_ms, trade_id`,
            [symbol, fromMs, toMs, ...(lines === undefined ? [] : [lines])],
          );
          if (lines === undefined) await run('after');
          return found.map(({ id }) => id);
        },
      );
      expect(isDone).toBe(true);
      expect((await archived()).length).toBeGreaterThan(2);
      expect(ids).toEqual(whole.map(({ tradeId }) => String(tradeId)));
      await rebuildProjections(test.ctx);
    }
  });

  it('stay in the table while a statement reads it with one snapshot, and are no job of two', async () => {
    await work(20n, 1500);
    const holder = await test.owner.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE ONLY trading_trades IN ACCESS SHARE MODE');
      await expect(archive()).rejects.toThrow(/lock timeout/);
      expect(await archived()).toEqual([]);
      await holder.query('ROLLBACK');
      await holder.query("SELECT pg_advisory_lock(hashtext('rialto.archive'))");
      expect(await archive()).toBeUndefined();
      await expect(rebuildProjections(test.ctx)).rejects.toMatchObject({ code: 'ARCHIVE_RUNS' });
    } finally {
      holder.release(true);
    }
    expect(await archiveWhenDue(test.ctx)).toBe(0);
    await archive();
    const count = (await archived()).length;
    expect(count).toBeGreaterThan(2);
    const oldest = await column<number>(
      `SELECT (min(time_ms) / ${DAY_MS})::integer AS value FROM trading_trades`,
    );
    expect(await readHistoryExtent(test.ctx.database.pool, { name: TRADES_NAME })).toEqual({
      archived: count,
      oldestDay: oldest[0] ?? undefined,
    });
    expect(await archiveWhenDue(test.ctx)).toBe(0);
    const { body } = await test.ctx.metrics.render();
    const told = body
      .split('\n')
      .filter((line) => line.startsWith('rialto_history_archived_days{'))
      .map((line) => [/table="(\w+)"/.exec(line)?.[1], line.split(' ').at(-1)]);
    expect(told).toEqual([
      [TRADES_NAME, String(count)],
      [ORDERS_NAME, '0'],
    ]);
  });

  it('need no file for the memory of a process that starts', async () => {
    await work(31n, 1500);
    await archive({ keepTraded: 1 });
    for (const { fileKey } of await archived()) await rm(pathOf(fileKey));
    const limits = { tradesMax: 1000, tradesMs: DAY_MS };
    const reached = { engineSeq: 1, seq: 1, logPosition: 0 };
    const memory = await fillFromTables(test.ctx, limits, reached, Number(times.at(-1)));
    for (const symbol of symbols) {
      const market = memory.market(symbol);
      const inTable = (
        await column<string>(
          `SELECT trade_id AS value FROM trading_trades WHERE symbol = '${symbol}' ORDER BY time_ms, trade_id`,
        )
      ).map(BigInt);
      expect(market.trades.map(({ tradeId }) => tradeId)).toEqual(inTable);
      const { older } = planPage(market, { symbol, limit: 1000, sort: 'desc' });
      const hasOlder =
        (
          await column<string>(
            `SELECT 1 AS value FROM candles WHERE symbol = '${symbol}' AND minutes = 1440`,
          )
        ).length > (inTable.length > 0 ? 1 : 0);
      expect(older !== undefined).toBe(hasOlder);
    }
  });
});

describe('dropping a part', () => {
  it('is refused to whoever has no files of all its rows, and for the last week', async () => {
    await work(6n, 1500);
    const server = test.ctx.database.pool;
    const first = (
      await column<string>(
        'SELECT tableoid::regclass::text AS value FROM trading_trades ORDER BY time_ms LIMIT 1',
      )
    )[0];
    const drop = (part: string | undefined) =>
      server.query('SELECT drop_history_part($1, $2)', [TRADES_NAME, part]);
    await expect(drop(first)).rejects.toThrow(/the files of its days have 0/);
    await expect(drop('trading_trades_rest')).rejects.toThrow(/no part/);
    await expect(drop('users')).rejects.toThrow(/no part/);
    await expect(drop(undefined)).rejects.toThrow(/no part/);
    const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    await expect(drop(`trading_trades_${today}`)).rejects.toThrow(/last week/);
    await expect(server.query(`DROP TABLE ${first}`)).rejects.toThrow(/must be owner/);
  });
});
