import {
  CORE_VERSION,
  listBalances,
  listOpenOrders,
  listVenueBalances,
  type Trade,
} from '@rialto/matching';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../../../packages/matching/sim/random.ts';
import { Workload } from '../../../../packages/matching/sim/workload.ts';
import { startRelay, type Relay } from '../../platform/events/relay.ts';
import { createLog } from '../../platform/observe/log.ts';
import { exampleMarket } from '../../testing/example-market.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { relayOptions } from '../../testing/server.ts';
import { awaitProjection, readCheckpoint } from './access.ts';
import { startProjector, type Projector } from './projector.ts';
import { raiseAlarm } from '../audit/alarm.ts';
import { auditProjections, startOfAudit } from './audit.ts';
import { everyLineOf } from './ledger/derive.ts';
import { everyClientOrder, everyOrder } from '../order-tables.ts';
import { rebuildProjections } from './rebuild.ts';
import { ZERO_IS_NULL } from './tables.ts';
import { TestJournal } from '../../testing/trading/journal.ts';
import { lookUp } from '../../testing/trading/look-up.ts';

let test: TestContext;
let relay: Relay;
let projector: Projector | undefined;
let journal: TestJournal;
beforeEach(async () => {
  test = await createTestContext();
  relay = startRelay(relayOptions(test.ctx));
  journal = new TestJournal(test.ctx);
});
afterEach(async () => {
  await projector?.stop();
  projector = undefined;
  await relay.stop();
  await test.close();
});

const rows = async <R extends object>(text: string): Promise<R[]> =>
  (await test.ctx.database.pool.query<R>(text)).rows;
/** As the owner: the server's role may do none of this. */
const tamper = (text: string) => test.owner.query(text);

let workload: Workload;
let random: Random;
let used: Set<string>;

/** Opens a drawn venue and runs it; returns every trade. */
function work(seed: bigint, commands: number): Promise<Trade[]> {
  workload = new Workload(seed);
  random = new Random(seed + 1n);
  used = new Set();
  return workOn(commands);
}

/** Continues, in batches of a drawn size. */
async function workOn(commands: number): Promise<Trade[]> {
  const trades: Trade[] = [];
  let left = 0;
  for (let n = 0; n < commands; n += 1) {
    if (left === 0) {
      await journal.commit();
      left = random.logBetween(1, 300);
    }
    left -= 1;
    const outcome = journal.apply(lookUp(workload.next(), used));
    workload.observe(outcome);
    for (const step of outcome.steps) trades.push(...step.trades);
  }
  await journal.commit();
  return trades;
}

/** Everything that the core itself knows must be in the tables. */
async function expectAgreement(trades: readonly Trade[]): Promise<void> {
  const { state } = journal.machine;
  const balances = new Map(
    (
      await rows<{ account_id: bigint; coin: string; b: string }>(
        "SELECT account_id, coin, concat_ws(' ', available, held, pending_withdraw) AS b FROM balances",
      )
    ).map((row) => [`${row.account_id} ${row.coin}`, row.b]),
  );
  const open = new Map(
    (
      await rows<Record<string, unknown>>(
        `SELECT order_id, account_id, symbol, status, held, filled_total, fee, filled_volume, engine_seq,
                remaining_volume * 10 ^ -volume_decimals::numeric AS remaining
           FROM trading_live_orders`,
      )
    ).map((row) => [String(row['order_id']), row]),
  );
  let live = 0;
  for (const { id } of state.accounts) {
    for (const { coin, available, hold, pendingWithdraw } of listBalances(state, id)) {
      const found = balances.get(`${id} ${coin}`) ?? '0 0 0';
      expect(found, `${id} ${coin}`).toBe(`${available} ${hold} ${pendingWithdraw}`);
    }
    for (const order of listOpenOrders(state, id)) {
      live += 1;
      expect(open.get(String(order.orderId))).toMatchObject({
        account_id: BigInt(order.account),
        symbol: order.symbol,
        status: order.status,
        held: String(order.held),
        filled_total: String(order.filledTotal),
        fee: String(order.fee),
        engine_seq: BigInt(order.engineSeq),
      });
    }
  }
  expect(open.size).toBe(live);
  const venue = await rows<{ owner: string; coin: string; amount: string }>(
    'SELECT owner, coin, amount FROM venue_balances WHERE amount <> 0 ORDER BY owner, coin',
  );
  expect(venue).toEqual(
    listVenueBalances(state)
      .filter(({ amount }) => amount !== 0n)
      .map((row) => ({ ...row, amount: String(row.amount) }))
      .sort((a, b) => (`${a.owner} ${a.coin}` < `${b.owner} ${b.coin}` ? -1 : 1)),
  );
  const written = await rows<{ trade_id: bigint; total: string; buyer_fee: string }>(
    'SELECT trade_id, total, buyer_fee FROM trading_trades ORDER BY trade_id',
  );
  expect(written).toEqual(
    trades.map(({ tradeId, total, buyer }) => ({
      trade_id: BigInt(tradeId),
      total: String(total),
      buyer_fee: String(buyer.fee),
    })),
  );
}

/** Runs until the cursor is back at the start, or a violation is found. */
async function audit(): Promise<string[]> {
  const cursor = startOfAudit();
  const violations = await auditProjections(test.ctx, cursor);
  // Alarms are for people; here they would only fill the screen.
  await raiseAlarm({ ...test.ctx, log: createLog('silent', {}) }, violations);
  return [...new Set(violations.map(({ rule }) => rule))];
}

/** What must hold among the tables themselves; every query lists violations. */
const INVARIANTS: Readonly<Record<string, string>> = {
  'a filled volume is the sum of the trades': `
    SELECT o.order_id FROM ${everyOrder('order_id, filled_total')} o LEFT JOIN trading_trades t
        ON o.order_id IN (t.buyer_order_id, t.seller_order_id)
     GROUP BY o.order_id, o.filled_total HAVING o.filled_total <> coalesce(sum(t.total), 0)`,
  'an account holds what its live orders hold': `
    SELECT b.account_id, b.coin FROM balances b LEFT JOIN (
      SELECT o.account_id, CASE o.side WHEN 'buy' THEN m.quote ELSE m.base END AS coin, sum(o.held) AS held
        FROM ${everyOrder('account_id, side, symbol, held')} o JOIN markets m USING (symbol) GROUP BY 1, 2) h USING (account_id, coin)
     WHERE b.held <> coalesce(h.held, 0)`,
  'the ledger leads from each balance to the next, and to the present': `
    SELECT account_id, coin FROM (
      SELECT *, lag(balance_after, 1, 0::numeric) OVER w AS previous, lead(entry_id) OVER w AS next
        FROM ${everyLineOf('public')} AS lines WINDOW w AS (PARTITION BY account_id, coin ORDER BY entry_id)) e
      LEFT JOIN balances b USING (account_id, coin)
     WHERE balance_before <> previous
        OR balance_after <> balance_before + CASE direction WHEN 'in' THEN amount ELSE -amount END
        OR (next IS NULL AND balance_after <> b.available + b.held + b.pending_withdraw)`,
  'a coin sums up to zero': `
    SELECT coin FROM (SELECT coin, available + held + pending_withdraw AS amount FROM balances
                      UNION ALL SELECT coin, amount FROM venue_balances) a
     GROUP BY coin HAVING sum(amount) <> 0`,
  'candles of every length count the same trades': `
    SELECT symbol, minutes FROM candles GROUP BY symbol, minutes
    HAVING (sum(trade_count)::bigint, sum(total)) IS DISTINCT FROM
           (SELECT (count(*), sum(total)) FROM trading_trades t WHERE t.symbol = candles.symbol)`,
  'an hour is its minutes': `
    SELECT h.start_ms FROM candles h WHERE h.minutes > 1 AND (h.open, h.high, h.low, h.close, h.volume)
      IS DISTINCT FROM (SELECT ((array_agg(m.open ORDER BY m.start_ms))[1], max(m.high), min(m.low),
                                (array_agg(m.close ORDER BY m.start_ms DESC))[1], sum(m.volume))
                          FROM candles m WHERE m.symbol = h.symbol AND m.minutes = 1
                           AND m.start_ms >= h.start_ms AND m.start_ms < h.start_ms + h.minutes * 60000)`,
  'a client id names the order that has it': `
    SELECT order_id FROM ${everyOrder('order_id, account_id, client_order_id')} o FULL JOIN ${everyClientOrder('public')} c USING (order_id)
     WHERE coalesce(o.client_order_id, '') <> coalesce(c.client_order_id, '')
        OR (c.order_id IS NOT NULL AND c.account_id IS DISTINCT FROM o.account_id)`,
  'an account’s volume is that of its trades': `
    SELECT account_id FROM account_volumes GROUP BY account_id HAVING sum(total) <>
      (SELECT sum(total) FROM trading_trades t
        WHERE account_volumes.account_id IN (t.buyer_account_id, t.seller_account_id))`,
};

async function expectInvariants(): Promise<void> {
  for (const [name, query] of Object.entries(INVARIANTS)) {
    expect(await rows(query), name).toEqual([]);
  }
}

const tableNames = async () =>
  (
    await rows<{ name: string }>(
      "SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname",
    )
  ).map(({ name }) => name);

describe('a rebuild', () => {
  it('gives identical tables, and swaps them while the journal grows', async () => {
    projector = startProjector(test.ctx);
    const before = await work(5n, 1500);
    await awaitProjection(test.ctx, { patienceMs: 8000 });
    await tamper("INSERT INTO balances (account_id, coin, pending_deposit) VALUES (77, 'btc', 5)");
    const indexes = await tableNames();
    let isDone = false;
    const rebuilding = rebuildProjections(test.ctx, { compare: true }).finally(() => {
      isDone = true;
    });
    const more: Trade[] = [];
    while (!isDone) more.push(...(await workOn(40)));
    const report = await rebuilding;
    expect(report).toMatchObject({ isSame: true, isSwapped: true });
    for (const { table, rows: count, liveRows, isSame } of report.tables) {
      expect({ table, count, isSame }).toEqual({ table, count: liveRows, isSame: true });
    }
    expect(report.tables.find(({ table }) => table === 'trading_orders')?.rows).toBeGreaterThan(
      100,
    );
    more.push(...(await workOn(400)));
    await awaitProjection(test.ctx, { patienceMs: 8000 });
    await expectAgreement([...before, ...more]);
    await expectInvariants();
    expect(await tableNames()).toEqual(indexes);
    expect(await rows('SELECT pending_deposit FROM balances WHERE account_id = 77')).toEqual([
      { pending_deposit: '5' },
    ]);
    expect(
      await rows("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'projections%'"),
    ).toEqual([]);
  });

  it('finds faults of the live tables, and repairs them', async () => {
    projector = startProjector(test.ctx);
    const trades = await work(6n, 800);
    await awaitProjection(test.ctx, { patienceMs: 8000 });
    await tamper('UPDATE trading_orders SET filled_total = filled_total + 1 WHERE order_id = 3');
    await tamper('DELETE FROM candles WHERE minutes = 60');
    const check = await rebuildProjections(test.ctx, { compare: true, swap: false });
    expect(check.isSame).toBe(false);
    expect(check.tables.filter(({ isSame }) => isSame === false).map(({ table }) => table)).toEqual(
      ['trading_orders', 'candles'],
    );
    expect((await rebuildProjections(test.ctx)).isSwapped).toBe(true);
    expect(
      await rows("SELECT reloptions FROM pg_class WHERE oid = 'trading_live_orders'::regclass"),
    ).toEqual([{ reloptions: ['fillfactor=60'] }]);
    await expectAgreement(trades);
    await expectInvariants();
    expect((await rebuildProjections(test.ctx, { compare: true, swap: false })).isSame).toBe(true);
  });

  it('takes rows of an older release for the same: stored lines of trades, and zeros', async () => {
    projector = startProjector(test.ctx);
    await work(6n, 800);
    await awaitProjection(test.ctx, { patienceMs: 8000 });
    await tamper(`INSERT INTO ledger_entries SELECT * FROM ${everyLineOf('public')} AS l
                   WHERE reference_type = 'trade'`);
    await tamper('UPDATE trading_trades SET first_entry_id = 0, seller_quote_after = 0');
    const zeros = ZERO_IS_NULL.map((column) => `${column} = coalesce(${column}, 0)`).join(', ');
    await tamper(`UPDATE trading_orders SET ${zeros}`);
    await tamper(`UPDATE trading_live_orders SET ${zeros}`);
    expect(await audit()).toEqual([]);
    await expectInvariants();
    expect((await rebuildProjections(test.ctx, { compare: true })).isSame).toBe(true);
    expect(await rows("SELECT FROM ledger_entries WHERE reference_type = 'trade'")).toEqual([]);
    await expectInvariants();
    await tamper('UPDATE trading_trades SET seller_quote_after = seller_quote_after + 1');
    const { tables } = await rebuildProjections(test.ctx, { compare: true, swap: false });
    expect(tables.filter(({ isSame }) => isSame === false).map(({ table }) => table)).toEqual([
      'ledger_entries',
    ]);
  });
});

describe('the auditor', () => {
  it('does not halt a market whose coin came in on one network and left on another', async () => {
    projector = startProjector(test.ctx);
    const coins = { btc: ['BTC'], usdt: ['ETH', 'TRX'] };
    for (const [coin, networks] of Object.entries(coins)) {
      journal.apply({ type: 'list_coin', coin, networks, time: 1000 });
    }
    journal.apply({ type: 'create_market', config: exampleMarket() });
    journal.apply({ type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' });
    journal.apply({ type: 'open_account', account: 1, parent: 1 });
    const usdt = { coin: 'usdt', amount: 100n } as const;
    journal.apply({ type: 'credit_deposit', depositId: 'd', network: 'ETH', to: 1, ...usdt });
    const withdrawalId = 'w';
    const terms = { account: 1, coin: 'usdt', network: 'TRX', amount: 60n, fee: 1n } as const;
    journal.apply({ type: 'request_withdrawal', withdrawalId, ...terms });
    const { result } = journal.apply({ type: 'settle_withdrawal', withdrawalId });
    expect(result.kind).toBe('moved');
    await journal.commit();
    await awaitProjection(test.ctx, { patienceMs: 8000 });
    expect(await rows("SELECT amount FROM venue_balances WHERE owner = 'custody:TRX'")).toEqual([
      { amount: '59' },
    ]);
    expect(await audit()).toEqual([]);
    // A real shortage is still found: more has left than ever came in.
    await tamper("UPDATE venue_balances SET amount = amount + 42 WHERE owner = 'custody:TRX'");
    expect(await audit()).toContain('only custody is below zero');
  });

  it('accepts what the engine did, and finds every planted fault', async () => {
    projector = startProjector(test.ctx);
    await work(9n, 1200);
    await awaitProjection(test.ctx, { patienceMs: 8000 });
    expect(await audit()).toEqual([]);
    const waiting = () =>
      rows<{ subject: string }>(
        "SELECT subject FROM operator_commands WHERE requested_by = 'auditor' ORDER BY subject",
      );
    expect(await waiting()).toEqual([]);
    const faults: ReadonlyArray<[statement: string, rule: string]> = [
      [
        "UPDATE venue_balances SET amount = amount + 1 WHERE owner = 'fees'",
        'the sum of a coin over all accounts is zero',
      ],
      ["UPDATE venue_balances SET amount = -1 WHERE owner = 'fees'", 'only custody is below zero'],
      [
        'UPDATE balances SET held = held + 1, available = available - 1 WHERE available > 0',
        'an account holds what its live orders hold',
      ],
      [
        `DELETE FROM ledger_entries l USING balances b WHERE l.account_id = b.account_id
            AND l.coin = b.coin AND b.available > 0`,
        'the ledger ends at the balance',
      ],
      [
        'UPDATE trading_trades SET buyer_base_after = buyer_base_after + 1',
        'the ledger ends at the balance',
      ],
      [
        'UPDATE trading_orders SET filled_total = filled_total + 1',
        'an order was filled by its trades, and paid their fees',
      ],
      [
        "UPDATE trading_orders SET held = 1 WHERE status = 'filled'",
        'a final order holds nothing, and a live one is not finished',
      ],
      [
        "UPDATE trading_live_orders SET status = 'filled'",
        'a final order holds nothing, and a live one is not finished',
      ],
      [
        `UPDATE trading_orders AS o SET client_order_id = u.client_order_id
           FROM (SELECT account_id, min(client_order_id) AS client_order_id FROM trading_orders
                  WHERE asked IS NOT NULL GROUP BY 1 HAVING count(*) > 1) AS u
          WHERE o.account_id = u.account_id AND o.asked IS NOT NULL`,
        'a client id names one order',
      ],
    ];
    for (const [statement, rule] of faults) {
      await tamper(statement);
      expect(await audit()).toContain(rule);
      await rebuildProjections(test.ctx);
      expect(await audit()).toEqual([]);
    }
    // By now every market that could still trade is affected, and its halt is requested once.
    const trading = await rows<{ subject: string }>(
      `SELECT symbol AS subject FROM markets
        WHERE phase <> 'delisted' AND NOT (phase = 'halted' AND phase_until_ms = 0) ORDER BY symbol`,
    );
    expect(trading.length).toBeGreaterThan(0);
    expect(await waiting()).toEqual(trading);
  });
});

describe('the projections', () => {
  it('catch up from the journal when the log no longer reaches back', async () => {
    const trades = await work(7n, 600);
    // As if the events had been trimmed before a projector ever ran.
    await expect.poll(async () => (await rows('SELECT FROM outbox')).length).toBe(0);
    await tamper('UPDATE event_head SET trimmed_through = position');
    await tamper('DELETE FROM event_log');
    projector = startProjector(test.ctx);
    await awaitProjection(test.ctx, { patienceMs: 8000 });
    trades.push(...(await workOn(300)));
    await awaitProjection(test.ctx, { patienceMs: 8000 });
    await expectAgreement(trades);
    await expectInvariants();
  });

  it('are written by one of several projectors, whichever is alive', async () => {
    const first = startProjector(test.ctx);
    projector = startProjector(test.ctx);
    const trades = await work(8n, 500);
    await first.stop();
    trades.push(...(await workOn(500)));
    await awaitProjection(test.ctx, { patienceMs: 8000 });
    await expectAgreement(trades);
    await expectInvariants();
  });

  it('take a row of the journal whole, however many events it has', async () => {
    projector = startProjector(test.ctx);
    // More outcomes than one event holds: the row is cut into two.
    for (let n = 0; n < 4200; n += 1) {
      journal.apply({ type: 'list_coin', coin: `c${n % 40}`, networks: ['ONE'] });
    }
    const trades = await work(10n, 300);
    const parts = await rows<{ parts: number }>(
      `SELECT count(*)::int AS parts FROM (SELECT payload FROM outbox UNION ALL SELECT payload FROM event_log) e
        WHERE payload LIKE '%"seq":1,%'`,
    );
    expect(parts[0]?.parts).toBeGreaterThan(1);
    await awaitProjection(test.ctx, { patienceMs: 8000 });
    await expectAgreement(trades);
  });

  it('are waited for; if they do not come, a reader reads what is there or is refused', async () => {
    journal.apply({ type: 'list_coin', coin: 'btc', networks: ['BTC'] });
    await journal.commit();
    const late = { patienceMs: 60 };
    await expect(awaitProjection(test.ctx, { ...late, orElse: 'refuse' })).rejects.toMatchObject({
      code: '1001',
      status: 503,
      headers: { 'Retry-After': '1' },
    });
    expect(await awaitProjection(test.ctx, late)).toBe(0);
    // What is there already is not waited for.
    await awaitProjection(test.ctx, { through: 0, patienceMs: 0, orElse: 'refuse' });
    const waiting = Promise.all(Array.from({ length: 50 }, () => awaitProjection(test.ctx)));
    projector = startProjector(test.ctx);
    expect(new Set(await waiting)).toEqual(new Set([1]));
    expect(await readCheckpoint(test.ctx)).toEqual({ seq: 1, engineSeq: 1 });
  });

  it.each([1n, 2n, 3n])('of drawn venue %s agree with the core', async (seed) => {
    projector = startProjector(test.ctx);
    const trades = await work(seed, 1500);
    await awaitProjection(test.ctx, { patienceMs: 8000 });
    await expectAgreement(trades);
    await expectInvariants();
  });
});

describe('what a network undoes and charges', () => {
  it('is on record: a line of the account for what it lost, and a movement even if nothing moved', async () => {
    projector = startProjector(test.ctx);
    const hashKey = '0'.repeat(32);
    journal.apply({ type: 'upgrade', version: CORE_VERSION, hashKey, time: 1000 });
    journal.apply({ type: 'list_coin', coin: 'ltc', networks: ['LTC'] });
    journal.apply({ type: 'open_account', account: 1, parent: 1 });
    const terms = { network: 'LTC', coin: 'ltc' } as const;
    const deposit = (depositId: string, to: 1 | 'adjustments', amount: bigint) =>
      journal.apply({ type: 'credit_deposit', depositId, to, amount, ...terms });
    deposit('tx:0', 1, 10n);
    journal.apply({
      type: 'adjust',
      adjustmentId: 'a',
      from: 1,
      to: 'fees',
      coin: 'ltc',
      amount: 4n,
    });
    const reverse = (part: number, amount: bigint, cover: boolean) =>
      journal.apply({
        type: 'reverse_deposit',
        depositId: 'tx:0',
        part,
        account: 1,
        amount,
        cover,
        ...terms,
      }).result;
    expect(reverse(0, 10n, false)).toMatchObject({ kind: 'moved', taken: 6n, missing: 4n });
    expect(reverse(1, 4n, true)).toMatchObject({ kind: 'moved', taken: 0n, missing: 4n });
    deposit('tx:1', 'adjustments', 5n);
    expect(reverse(2, 4n, true)).toMatchObject({ kind: 'moved', taken: 4n, missing: 0n });
    journal.apply({ type: 'book_chain_cost', costId: 'P1', amount: 1n, ...terms });
    await journal.commit();
    await awaitProjection(test.ctx, { patienceMs: 8000 });
    expect(
      await rows(`SELECT kind, reference, amount, missing, cover, from_owner, to_owner, status
                    FROM trading_movements WHERE kind IN ('reversal', 'chain_cost') ORDER BY engine_seq`),
    ).toEqual(
      [
        ['reversal', 'LTC:tx:0:0', '10', '4', false, '1'],
        ['reversal', 'LTC:tx:0:1', '4', '4', true, '1'],
        ['reversal', 'LTC:tx:0:2', '4', '0', true, '1'],
        ['chain_cost', 'P1', '1', '0', false, 'adjustments'],
      ].map(([kind, reference, amount, missing, cover, from]) => ({
        kind,
        reference,
        amount,
        missing,
        cover,
        from_owner: from,
        to_owner: 'custody:LTC',
        status: 'settled',
      })),
    );
    // An account sees a deposit go out; what the venue paid for it is no line of its own.
    expect(
      await rows(`SELECT kind, direction, amount, balance_after, reference_type, reference_id, network
                    FROM ledger_entries WHERE reference_type = 'reversal'`),
    ).toEqual([
      {
        kind: 'deposit',
        direction: 'out',
        amount: '6',
        balance_after: '0',
        reference_type: 'reversal',
        reference_id: 'tx:0:0',
        network: 'LTC',
      },
    ]);
    expect(await rows("SELECT amount FROM venue_balances WHERE owner = 'custody:LTC'")).toEqual([
      { amount: '-4' },
    ]);
    expect((await rebuildProjections(test.ctx, { compare: true, swap: false })).isSame).toBe(true);
  });
});
