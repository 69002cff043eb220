// A drawn venue whose commands lie on some days, each with a part of its own in the tables of history, and runs of the archive over it.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Random } from '../../../../packages/matching/sim/random.ts';
import { Workload } from '../../../../packages/matching/sim/workload.ts';
import { startRelay, type Relay } from '../../platform/events/relay.ts';
import { createLog } from '../../platform/observe/log.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import { awaitProjection } from '../../trading/projections/access.ts';
import { listArchives, type Archive } from '../../trading/projections/archive/access.ts';
import {
  archiveOldDays,
  type RunReport,
  type Step,
} from '../../trading/projections/archive/run.ts';
import { auditProjections, startOfAudit } from '../../trading/projections/audit.ts';
import { startProjector, type Projector } from '../../trading/projections/projector.ts';
import { createTestContext, type TestContext } from '../context.ts';
import { relayOptions } from '../server.ts';
import { TestJournal } from './journal.ts';
import { lookUp } from './look-up.ts';

const DAYS = 6;

/** Every time. */
export const EVER = { fromMs: 0n, toMs: 10n ** 16n };

/** Tables, by name, with the id of their rows. */
const IDS = { trading_trades: 'trade_id', trading_orders: 'order_id' } as const;
export type HistoryTable = keyof typeof IDS;

export interface ArchiveOptions {
  /** The last days that have trades, and that stay. */
  readonly keepTraded?: number;
  onStep?(step: Step, dayMs: bigint, table: string): Promise<void> | void;
}

export class DrawnDays {
  readonly test: TestContext;
  readonly #relay: Relay;
  readonly #projector: Projector;
  readonly #journal: TestJournal;
  /** Those who trade most and least, and somebody who is not there. */
  accounts: bigint[] = [];
  symbols: string[] = [];
  /** Of trades. */
  times: bigint[] = [];

  private constructor(test: TestContext) {
    this.test = test;
    this.#relay = startRelay(relayOptions(test.ctx));
    this.#projector = startProjector(test.ctx);
    this.#journal = new TestJournal(test.ctx);
  }

  static async open(): Promise<DrawnDays> {
    return new DrawnDays(await createTestContext({}, { log: createLog('silent', {}) }));
  }

  async close(): Promise<void> {
    await this.#projector.stop();
    await this.#relay.stop();
    await this.test.close();
  }

  /** Values of the column `value`. */
  async column<T>(text: string): Promise<T[]> {
    const { rows } = await this.test.owner.query<{ value: T }>(text);
    return rows.map(({ value }) => value);
  }

  async count(table: HistoryTable): Promise<number> {
    return Number((await this.column<string>(`SELECT count(*) AS value FROM ${table}`))[0]);
  }

  /** The days of these tables get parts; rows of the others are in the part of all others, which stays. */
  async work(seed: bigint, commands: number, tables: readonly HistoryTable[]): Promise<void> {
    const workload = new Workload(seed);
    const random = new Random(seed + 1n);
    const journal = this.#journal;
    const used = new Set<string>();
    let [shift, last] = [0, 0];
    for (let n = 0; n < commands; n += 1) {
      const command = lookUp(workload.next(), used);
      if (n > 0 && n % Math.ceil(commands / DAYS) === 0) shift += DAY_MS;
      if (n === 0) for (const table of tables) await this.#makeParts(table, command.time);
      last = Math.max(last, command.time + shift);
      const outcome = journal.apply({ ...command, time: last });
      workload.observe(outcome);
      if (random.chance(0.02)) await journal.commit();
    }
    await journal.commit();
    await awaitProjection(this.test.ctx, { patienceMs: 20_000 });
    const traders = await this.column<string>(
      `SELECT account_id AS value FROM account_volumes GROUP BY 1 ORDER BY count(*) DESC, sum(total) DESC`,
    );
    this.accounts = [...new Set([...traders.slice(0, 2), ...traders.slice(-1), '9999999'])].map(
      BigInt,
    );
    this.symbols = await this.column<string>('SELECT symbol AS value FROM markets ORDER BY 1');
    this.times = (
      await this.column<string>('SELECT DISTINCT time_ms AS value FROM trading_trades ORDER BY 1')
    ).map(BigInt);
  }

  /** Cancels these orders now, after everything else. */
  async cancel(orders: readonly { readonly account: number; readonly orderId: number }[]) {
    for (const order of orders) this.#journal.apply({ type: 'cancel', ...order });
    await this.#journal.commit();
    await awaitProjection(this.test.ctx, { patienceMs: 20_000 });
  }

  /** The first of the last days that have trades: everything before it leaves. */
  firstKept(keepTraded: number): bigint {
    const tradedDays = [...new Set(this.times.map((ms) => ms / BigInt(DAY_MS)))];
    return (tradedDays.at(-keepTraded) ?? 0n) * BigInt(DAY_MS);
  }

  async #makeParts(table: HistoryTable, fromMs: number): Promise<void> {
    const first = Math.floor(fromMs / DAY_MS) * DAY_MS;
    for (let day = first; day < first + (DAYS + 20) * DAY_MS; day += DAY_MS) {
      const part = `${table}_d${day / DAY_MS}`;
      await this.test.owner.query(
        `CREATE TABLE ${part} (LIKE ${table} INCLUDING ALL, PRIMARY KEY (${IDS[table]}));
         ALTER TABLE ${table} ATTACH PARTITION ${part} FOR VALUES FROM (${day}) TO (${day + DAY_MS})`,
      );
    }
  }

  async partCount(table: HistoryTable): Promise<number> {
    const [count] = await this.column<string>(
      `SELECT count(*) AS value FROM pg_inherits WHERE inhparent = '${table}'::regclass`,
    );
    return Number(count);
  }

  /** Archives everything but the last days that have trades. */
  async archive(options: ArchiveOptions = {}): Promise<RunReport | undefined> {
    const { keepTraded = 2, ...rest } = options;
    // So many days stay, seen from such a moment.
    return archiveOldDays(this.test.ctx, {
      keepDays: 10,
      nowMs: Number(this.firstKept(keepTraded)) + 10 * DAY_MS,
      // So that a day has several, and accounts and markets share them.
      rowsPerBlock: 15,
      ...rest,
    });
  }

  archived(table: HistoryTable): Promise<Archive[]> {
    return listArchives(this.test.ctx.db, table, EVER);
  }

  pathOf(key: string): string {
    return join(this.test.config.UPLOADS_DIR, key);
  }

  /** Every file in the store. */
  async filesInStore(): Promise<string[]> {
    const names = await readdir(this.test.config.UPLOADS_DIR, { recursive: true }).catch(() => []);
    return names.filter((name) => /^[0-9a-f]{2}\/[0-9a-f]{32}$/.test(name)).sort();
  }

  async expectSound(): Promise<void> {
    const cursor = startOfAudit();
    do expect(await auditProjections(this.test.ctx, cursor)).toEqual([]);
    while (cursor.orders > 0 || cursor.accounts > 0);
  }
}
