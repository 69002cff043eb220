// Compares the tables that readers see with the replayed journal.
import { listBalances, listOpenOrders, listVenueBalances } from '@rialto/matching';
import type { Machine } from '../../server/src/trading/engine/machine.ts';
import type { Context } from '../../server/src/platform/context.ts';
import { readWithin } from '../../server/src/platform/db/read-within.ts';
import { everyLineOf } from '../../server/src/trading/projections/ledger/derive.ts';
import { until } from './until.ts';

/** These statements read whole tables, on a machine that may be busy: the server's own limit is not for them. */
const STATEMENT_MS = 300_000;

export interface Replayed {
  readonly machine: Machine;
  readonly trades: number;
  /** Movements of money other than trades: what is expected in the table, by kind and reference. */
  readonly movements: ReadonlyMap<string, string>;
}

export async function compareProjections(
  ctx: Context,
  { machine, trades, movements }: Replayed,
  broken: string[],
): Promise<void> {
  const { pool } = ctx.database;
  const rows = async <R extends object>(statement: string): Promise<R[]> => {
    const untilMs = performance.now() + STATEMENT_MS;
    const found = await readWithin(pool, untilMs, (db) => db.query<R>(statement));
    if (found === undefined) throw new Error(`No answer within ${STATEMENT_MS} ms: ${statement}`);
    return found.rows;
  };
  await until('the projections have caught up with the journal', async () => {
    const [at] = await rows<{ seq: bigint }>('SELECT seq FROM projection_checkpoints');
    return Number(at?.seq ?? 0) >= machine.seq ? true : undefined;
  });
  const compare = (what: string, table: readonly string[], core: readonly string[]) => {
    const [inTable, inCore] = [new Set(table), new Set(core)];
    if (inTable.size !== table.length) broken.push(`${what}: a row occurs twice`);
    for (const line of inTable)
      if (!inCore.has(line)) broken.push(`${what}: only the table has ${line}`);
    for (const line of inCore)
      if (!inTable.has(line)) broken.push(`${what}: the table lacks ${line}`);
  };
  const { state } = machine;
  const accounts = state.accounts.map(({ id }) => id);

  compare(
    'balances',
    (
      await rows<{ line: string }>(
        `SELECT concat_ws(' ', account_id, coin, available, held, pending_withdraw) AS line FROM balances
          WHERE available <> 0 OR held <> 0 OR pending_withdraw <> 0`,
      )
    ).map(({ line }) => line),
    accounts.flatMap((account) =>
      listBalances(state, account)
        .filter((b) => b.available !== 0n || b.hold !== 0n || b.pendingWithdraw !== 0n)
        .map((b) => `${account} ${b.coin} ${b.available} ${b.hold} ${b.pendingWithdraw}`),
    ),
  );
  compare(
    'balances of the venue',
    (
      await rows<{ line: string }>(
        "SELECT concat_ws(' ', owner, coin, amount) AS line FROM venue_balances WHERE amount <> 0",
      )
    ).map(({ line }) => line),
    listVenueBalances(state)
      .filter(({ amount }) => amount !== 0n)
      .map(({ owner, coin, amount }) => `${owner} ${coin} ${amount}`),
  );
  compare(
    'open orders',
    (
      await rows<{ line: string }>(
        `SELECT concat_ws(' ', account_id, order_id, client_order_id, side, status, coalesce(price, 0),
                          coalesce(filled_volume, 0), coalesce(remaining_volume, 0), held, engine_seq) AS line
           FROM trading_live_orders`,
      )
    ).map(({ line }) => line),
    accounts.flatMap((account) =>
      listOpenOrders(state, account).map(
        (o) =>
          `${account} ${o.orderId} ${o.clientOrderId} ${o.side} ${o.status} ${o.price} ${o.filledVolume} ` +
          `${o.remainingVolume} ${o.held} ${o.engineSeq}`,
      ),
    ),
  );
  compare(
    'movements',
    (
      await rows<{ line: string }>(
        `SELECT concat_ws(' ', kind, reference, coin, amount,
                          CASE kind WHEN 'reversal' THEN missing END) AS line FROM trading_movements`,
      )
    ).map(({ line }) => line),
    [...movements].map(([cause, line]) => `${cause} ${line}`),
  );
  const [counts] = await rows<{ trades: number; off: number; torn: number }>(
    `SELECT (SELECT count(*)::int FROM trading_trades) AS trades,
            (SELECT count(*)::int FROM
              (SELECT coin FROM (SELECT coin, available + held + pending_withdraw AS amount FROM balances
                                 UNION ALL SELECT coin, amount FROM venue_balances) every_owner
                GROUP BY coin HAVING sum(amount) <> 0) uneven) AS off,
            (SELECT count(*)::int FROM
              (SELECT *, lag(balance_after, 1, 0::numeric) OVER w AS previous, lead(entry_id) OVER w AS next
                 FROM ${everyLineOf('public')} AS lines
               WINDOW w AS (PARTITION BY account_id, coin ORDER BY entry_id)) AS line
               LEFT JOIN balances b USING (account_id, coin)
              WHERE balance_before <> previous OR next IS NULL
                AND balance_after IS DISTINCT FROM b.available + b.held + b.pending_withdraw) AS torn`,
  );
  if (counts?.trades !== trades) {
    broken.push(`${counts?.trades} trades are in the table, ${trades} in the journal`);
  }
  if (counts?.torn !== 0) {
    broken.push(`${counts?.torn} lines of the ledger do not lead on to the next or to the balance`);
  }
  if (counts?.off !== 0) broken.push(`${counts?.off} coins do not add up to zero in the tables`);
}
