// The venue's money: whether the books balance, whether there is evidence for what is owed, and which markets a
// broken rule has halted.
import type pg from 'pg';
import { formatAmount } from '../../trading/amount.ts';
import { listUnbacked, readSolvency } from '../../trading/audit/solvency.ts';
import { broken, ok, type Finding } from './finding.ts';

/** How many of a kind are named. */
const NAMED_MAX = 5;

export async function checkLedger(client: pg.Client): Promise<Finding[]> {
  return [await checkSums(client), await checkSolvency(client), await checkHalts(client)];
}

async function checkSums(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ coin: string; sum: string }>(
    `SELECT coin, sum(amount)::text AS sum FROM (
       SELECT coin, available + held + pending_withdraw AS amount FROM balances
       UNION ALL SELECT coin, amount FROM venue_balances) AS a GROUP BY coin ORDER BY coin`,
  );
  const wrong = rows.filter(({ sum }) => BigInt(sum) !== 0n);
  if (wrong.length === 0) return ok('ledger', `${rows.length} coins, each adds up to zero.`);
  return broken('ledger', {
    what: `It does not add up to zero: ${nameSome(wrong.map(({ coin, sum }) => `${coin} to ${formatAmount(BigInt(sum))}`))}.`,
    why: 'Money was made or lost on the way into the tables, or the tables were changed by hand.',
    fix: 'Run `rialto admin rebuild-projections`: it rebuilds them from the journal. If they are still wrong then, keep the markets halted and follow docs/operating/engine.md, "A rule of the ledger is broken".',
  });
}

async function checkSolvency(client: pg.Client): Promise<Finding> {
  const coins = await readSolvency(client);
  const short = coins.filter(({ assets, liabilities }) => assets < liabilities);
  const unbacked = await listUnbacked(client, NAMED_MAX);
  if (short.length === 0 && unbacked.length === 0) {
    return ok('solvency', `${coins.length} coins, each covered by evidence of what came in.`);
  }
  const parts = [
    ...short.map(
      ({ coin, assets, liabilities }) =>
        `${coin} is short of ${formatAmount(liabilities - assets)}`,
    ),
    ...unbacked.map(({ cause, coin }) => `${cause} (${coin}) has no evidence`),
  ];
  return broken('solvency', {
    what: `The ledger owes more than there is evidence for: ${nameSome(parts)}.`,
    why: 'Somebody was credited with coins that nobody brought, or coins left without being booked.',
    fix: 'Keep the markets halted and find out who asked for it: docs/operating/solvency.md says how.',
  });
}

async function checkHalts(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ symbol: string; rule: string; subject: string }>(
    `SELECT symbol, rule, subject FROM invariant_halts WHERE released_at IS NULL ORDER BY id`,
  );
  if (rows.length === 0) return ok('halts', 'No market is stopped by a broken rule.');
  const named = rows.map(({ symbol, rule, subject }) => `${symbol}: "${rule}" (${subject})`);
  return broken('halts', {
    what: `Broken rules have stopped markets: ${nameSome(named)}.`,
    why: 'They do not trade until two operators have looked into it and released them.',
    fix: 'Find the cause with docs/operating/engine.md, "A rule of the ledger is broken"; then release each market as it says there.',
  });
}

const nameSome = (parts: readonly string[]): string =>
  parts.length <= NAMED_MAX
    ? parts.join('; ')
    : `${parts.slice(0, NAMED_MAX).join('; ')}; and ${parts.length - NAMED_MAX} more`;
