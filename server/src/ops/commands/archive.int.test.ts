// What an operator types about old days: real processes, on the tables and files of a drawn venue.
import { execFile } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testEnvironment } from '../../testing/context.ts';
import { RIALTO_BINARY } from '../../testing/rialto-process.ts';
import { DrawnDays } from '../../testing/trading/drawn-days.ts';
import { ORDERS_NAME } from '../../trading/order-tables.ts';
import { TRADES_NAME } from '../../trading/trade-tables.ts';

const SEED = 11n;
const COMMANDS = 1500;
const PATIENCE_MS = 400_000;

let days: DrawnDays;
beforeAll(async () => {
  days = await DrawnDays.open();
  await days.work(SEED, COMMANDS, [TRADES_NAME, ORDERS_NAME]);
});
afterAll(() => days.close());

interface Ran {
  readonly ok: boolean;
  readonly out: string;
  readonly err: string;
}

const archive = (...args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const { DATABASE_URL, UPLOADS_DIR } = days.test.config;
    const env = { PATH: process.env['PATH'], ...testEnvironment(DATABASE_URL), UPLOADS_DIR };
    execFile(
      process.execPath,
      [RIALTO_BINARY, 'archive', ...args],
      { env, cwd: '/' },
      (error, out, err) => resolve({ ok: error === null, out, err }),
    );
  });

const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));

/** Rows of the tables, in the order in which a file has those of an account. */
const rowsOf = async (table: string, where: string, order: string): Promise<unknown[]> =>
  linesOf(
    (
      await days.column<string>(
        `SELECT row_to_json(t)::text AS value FROM ${table} AS t WHERE ${where} ORDER BY ${order}`,
      )
    ).join('\n'),
  );

const dayText = (ms: bigint): string => new Date(Number(ms)).toISOString().slice(0, 10);

it(
  'moves days, lists them, checks them, and prints what they have',
  async () => {
    expect(await archive('list')).toMatchObject({ ok: true, out: 'No day is in a file.\n' });
    const account = days.accounts[0] ?? 0n;
    const orders = () => rowsOf(ORDERS_NAME, `account_id = ${account}`, 'created_ms, order_id');
    const [symbol = ''] = await days.column<string>(
      'SELECT symbol AS value FROM trading_trades GROUP BY 1 ORDER BY count(*) DESC LIMIT 1',
    );
    const ofMarket = `symbol = '${symbol}'`;
    const [ordersBefore, tradesBefore] = [
      await orders(),
      await rowsOf(TRADES_NAME, ofMarket, 'time_ms, trade_id'),
    ];
    expect(tradesBefore.length).toBeGreaterThan(3);

    const ran = await archive('run', '--keep-days', '8', '--json');
    expect(ran).toMatchObject({ ok: true });
    expect(JSON.parse(ran.out)).toMatchObject({ rows: expect.any(Number) });
    const files = [...(await days.archived(TRADES_NAME)), ...(await days.archived(ORDERS_NAME))];
    expect(files.length).toBeGreaterThan(4);

    const listed = JSON.parse((await archive('list', '--json')).out) as unknown[];
    expect(listed).toHaveLength(files.length);
    expect((await archive('verify')).out).toContain(
      `${files.length} files are right, 0 are wrong.`,
    );

    expect(await rowsOf(TRADES_NAME, ofMarket, 'time_ms, trade_id')).toEqual([]);
    const trades = await archive('query', '--symbol', symbol);
    expect(linesOf(trades.out)).toEqual(tradesBefore);
    // Days with a live order are still in the table.
    const filed = linesOf((await archive('query', '--account', String(account), '--orders')).out);
    const stayed = await orders();
    expect(filed.length).toBeGreaterThan(0);
    expect(new Set([...filed, ...stayed].map((row) => JSON.stringify(row)))).toEqual(
      new Set(ordersBefore.map((row) => JSON.stringify(row))),
    );
  },
  PATIENCE_MS,
);

it(
  'says what is wrong with a file, and with what was asked',
  async () => {
    const [first, second] = await days.archived(TRADES_NAME);
    const [from, to] = [first?.dayMs ?? 0n, second?.dayMs ?? 0n].map(dayText);
    await appendFile(days.pathOf(first?.fileKey ?? ''), 'more');
    const verified = await archive('verify', '--from', `${from}`, '--to', `${to}`);
    expect(verified).toMatchObject({ ok: false });
    expect(verified.out).toContain(`${TRADES_NAME} of ${from}: WRONG.`);

    const wrong = [
      [['query'], '--account'],
      [['query', '--symbol', 'btcusdt', '--orders'], 'Orders are found by the account'],
      [['query', '--account', 'me'], '--account'],
      [['list', '--from', 'yesterday'], 'must be a day such as'],
      [['run'], 'HISTORY_KEEP_DAYS is 0'],
      [['run', '--keep-days', '-1'], '--keep-days'],
    ] as const;
    for (const [args, said] of wrong) {
      const answer = await archive(...args);
      expect(answer, args.join(' ')).toMatchObject({ ok: false });
      expect(answer.err).toContain(said);
    }
  },
  PATIENCE_MS,
);
