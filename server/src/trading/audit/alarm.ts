// What happens when a rule of the ledger is broken: operators are alerted, and the engine halts the
// affected markets by its own command.
import { ringEngine } from '../../platform/bus/bells.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import { encodeCommand } from '../engine/command.ts';
import { recordInvariantHalts } from '../halts/actions.ts';
import { listMarketStates, type MarketState } from '../markets/access.ts';
import { insertHaltCommand } from '../operators/access.ts';
import type { Violation } from './violation.ts';

/**
 * Violations of one rule in one coin or market that are reported at once: the first few are enough.
 */
const TOLD_MAX = 20;

/** Alerts people, and makes the engine halt what is affected. A repeated alarm halts once. */
export async function raiseAlarm(ctx: Context, all: readonly Violation[]): Promise<void> {
  if (all.length === 0) return;
  const violations = firstOfEach(all);
  if (violations.length < all.length) {
    ctx.log.error({ violations: all.length }, 'AUDIT: there are more violations than are listed.');
  }
  for (const { rule, subject, symbol, coin } of violations) {
    ctx.metrics.auditViolated(rule);
    ctx.log.error({ rule, subject, symbol, coin }, 'AUDIT: a rule of the ledger is broken.');
  }
  const halted = await ctx.inTransaction(async (tx) => {
    const markets = await listMarketStates(tx);
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
  ringEngine(ctx);
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

function isConcerned(
  { symbol, base, quote }: MarketState,
  concerned: Pick<Violation, 'symbol' | 'coin'>,
): boolean {
  if (concerned.symbol !== undefined) return concerned.symbol === symbol;
  return concerned.coin === undefined || concerned.coin === base || concerned.coin === quote;
}

const askForHalt = (db: Db, symbol: string): Promise<boolean> =>
  insertHaltCommand(db, {
    symbol,
    command: encodeCommand({ type: 'set_phase', symbol, phase: 'halted' }),
    by: 'auditor',
    reason: 'a rule of the ledger is broken',
  });
