// What follows when a rule of the ledger is broken: people are told, and the markets concerned are halted by the
// engine's own command.
import { sql } from 'kysely';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import { encodeCommand } from '../engine/command.ts';
import { recordInvariantHalts } from '../halts/actions.ts';
import type { Violation } from './violation.ts';

/** Violations of one rule in one coin or market that are told at once: the first few are as good as all. */
const TOLD_MAX = 20;

/** Tells people, and has the engine halt what is concerned. Telling twice halts once. */
export async function raiseAlarm(ctx: Context, all: readonly Violation[]): Promise<void> {
  if (all.length === 0) return;
  const violations = firstOfEach(all);
  if (violations.length < all.length) {
    ctx.log.error({ violations: all.length }, 'AUDIT: there are more violations than are told.');
  }
  for (const { rule, subject, symbol, coin } of violations) {
    ctx.metrics.auditViolated(rule);
    ctx.log.error({ rule, subject, symbol, coin }, 'AUDIT: a rule of the ledger is broken.');
  }
  const halted = await ctx.inTransaction(async (tx) => {
    const markets = await listMarkets(tx);
    const halts = violations.flatMap(({ rule, subject, isEvent = false, ...concerned }) =>
      markets
        .filter((market) => isConcerned(market, concerned))
        .map(({ symbol }) => ({ symbol, rule, subject, isEvent, foundBy: 'auditor' as const })),
    );
    const inForce = new Set((await recordInvariantHalts(tx, halts)).map(({ symbol }) => symbol));
    const trading = markets.filter(({ symbol, stands }) => inForce.has(symbol) && !stands);
    const asked: string[] = [];
    for (const { symbol } of trading) if (await askForHalt(tx, symbol)) asked.push(symbol);
    return asked;
  });
  if (halted.length === 0) return;
  ctx.bus.publish(SUBJECTS.operatorBell, '');
  ctx.log.error({ markets: halted }, 'AUDIT: markets are being halted.');
}

function firstOfEach(violations: readonly Violation[]): Violation[] {
  const counts = new Map<string, number>();
  return violations.filter(({ rule, symbol = '', coin = '' }) => {
    const key = [rule, symbol, coin].join('\n');
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= TOLD_MAX;
  });
}

interface Market {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Halted with no end of its own. */
  readonly stands: boolean;
}

async function listMarkets(db: Db): Promise<Market[]> {
  const { rows } = await sql<Market>`
    SELECT symbol, base, quote, phase = 'halted' AND phase_until_ms = 0 AS stands
      FROM markets WHERE phase <> 'delisted' ORDER BY symbol`.execute(db);
  return rows;
}

function isConcerned(
  { symbol, base, quote }: Market,
  concerned: Pick<Violation, 'symbol' | 'coin'>,
): boolean {
  if (concerned.symbol !== undefined) return concerned.symbol === symbol;
  return concerned.coin === undefined || concerned.coin === base || concerned.coin === quote;
}

/** Once, as long as the engine has not answered. */
async function askForHalt(db: Db, symbol: string): Promise<boolean> {
  const command = encodeCommand({ type: 'set_phase', symbol, phase: 'halted' });
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO operator_commands (command, requested_by, act, subject, reason)
    SELECT ${command}::text, 'auditor', 'market phase', ${symbol}::text, 'a rule of the ledger is broken'
     WHERE NOT EXISTS (SELECT FROM operator_commands
                        WHERE status = 'waiting' AND requested_by = 'auditor' AND command = ${command})`.execute(
    db,
  );
  return numAffectedRows > 0n;
}
