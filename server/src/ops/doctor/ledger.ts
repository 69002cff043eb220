// The venue's money: whether the books balance, whether there is evidence for what is owed, which markets a
// broken rule has halted, and whether the fee tiers of today are computed.
import type pg from 'pg';
import { formatAmount } from '../../trading/amount.ts';
import { listUnbacked, readSolvency } from '../../trading/audit/solvency.ts';
import { broken, ok, warning, type Finding } from './finding.ts';

/** How many of a kind are named. */
const NAMED_MAX = 5;

export async function checkLedger(client: pg.Client): Promise<Finding[]> {
  return [
    await checkSums(client),
    await checkSolvency(client),
    await checkHalts(client),
    await checkFeeDay(client),
  ];
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

/** The tiers of a day are due at 00:00 UTC; within this time a worker has computed them. */
const FEE_DAY_MINUTES = 60;

async function checkFeeDay(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{
    day: string | null;
    isLate: boolean;
    hasFamilies: boolean;
    refused: string | null;
  }>(
    `SELECT (SELECT max(day) FROM fee_days WHERE finished_at IS NOT NULL)::text AS day,
            now() - make_interval(mins => $1) >= date_trunc('day', now(), 'UTC')
              AND NOT EXISTS (SELECT FROM fee_days WHERE finished_at IS NOT NULL
                                 AND day = floor(extract(epoch FROM now()) / 86400)) AS "isLate",
            EXISTS (SELECT FROM trading_accounts
                     WHERE created_at < date_trunc('day', now(), 'UTC')) AS "hasFamilies",
            (SELECT max(id) FROM operator_commands
              WHERE requested_by = 'fee day' AND status = 'refused'
                AND created_at > now() - interval '1 day')::text AS refused`,
    [FEE_DAY_MINUTES],
  );
  const { day = null, isLate = false, hasFamilies = false, refused = null } = rows[0] ?? {};
  if (refused !== null) {
    return broken('fee tiers', {
      what: `The engine refused command ${refused}, with the fee tiers of today.`,
      why: 'Some accounts pay the rates of yesterday.',
      fix: 'Look at its result in operator_commands. If a tier is missing, define it with `rialto admin fees define`; the next fee day assigns it.',
    });
  }
  if (isLate && hasFamilies) {
    return warning('fee tiers', {
      what: `They were not computed today${day === null ? '' : `; last for day ${day}`}.`,
      why: 'Accounts pay the rates of the day before.',
      fix: 'Let a process with the role worker run, and an engine; it then catches up within a minute or two.',
    });
  }
  return ok('fee tiers', day === null ? 'No day was due yet.' : `Computed for day ${day}.`);
}
