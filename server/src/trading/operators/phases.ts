// Moves markets through their phases. One operator may do that, unless a broken rule has halted the
// market: then two must agree to let it trade again, knowing what was broken.
import type { Phase } from '@rialto/matching';
import type { Db } from '../../platform/db/pool.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { requireCovered } from '../custody/reconciliation/access.ts';
import { decodeCommand, type NewCommand } from '../engine/command.ts';
import { listOpenHalts } from '../halts/access.ts';
import { releaseHalts } from '../halts/actions.ts';
import type { InvariantHalt } from '../halts/halt.ts';
import { listMarketStates } from '../markets/access.ts';
import { setPhase } from './acts.ts';
import type { Act, CommandRow } from './command-row.ts';
import { haltedSince } from './errors.ts';
import { listTradingMarkets } from './store.ts';

/** In these phases a market takes orders. The table uses the same list. */
const OPENING: ReadonlySet<Phase> = new Set<Phase>(['post_only', 'continuous', 'auction']);

/**
 * The broken rules that halt the market. If there are none and it is halted, an operator or a price
 * did it.
 */
function haltOrigin(db: Db, symbol: string): Promise<InvariantHalt[]> {
  return listOpenHalts(db, symbol);
}

/** The act that moves a market into `phase`; it waits for a second operator where one is needed. */
export async function phaseAct(
  db: Db,
  symbol: string,
  phase: string,
  reason: string,
  until?: number,
): Promise<Act> {
  const act = setPhase(symbol, phase, reason, until);
  if (openedBy(act.command) === undefined) return act;
  await requireCovered(db, await coinsOf(db, symbol));
  const halts = await haltOrigin(db, symbol);
  if (halts.length === 0) return act;
  const rules = halts.slice(0, RULES_NOTED_MAX).map(({ rule, subject }) => `${rule}: ${subject}`);
  return { ...act, needsApproval: true, details: { halts: halts.length, rules } };
}

const RULES_NOTED_MAX = 20;

/** Halts everything that takes orders, or will by itself or because of waiting commands. */
export async function haltAllActs(db: Db, reason: string): Promise<Act[]> {
  const symbols = await listTradingMarkets(db);
  return symbols.map((symbol) => ({
    ...setPhase(symbol, 'halted', reason),
    details: { all: symbols.length },
  }));
}

/**
 * Ends the halts of the market that `command` opens, if it opens one, in the name of both
 * operators. A rule that was broken after the first operator's request is not part of their
 * agreement.
 */
export async function releaseApproved(
  tx: Tx,
  command: CommandRow,
  approvedById: number,
  at: Date,
): Promise<void> {
  const symbol = openedBy(decodeCommand(command.command, 0));
  if (symbol === undefined || command.requestedById === null) return;
  await requireCovered(tx, await coinsOf(tx, symbol));
  const newer = (await haltOrigin(tx, symbol)).filter((halt) => halt.at > command.createdAt);
  const [first] = newer;
  if (first !== undefined) throw haltedSince(command.id, symbol, `${first.rule}: ${first.subject}`);
  const { requestedById: releasedById, reason } = command;
  await releaseHalts(tx, { symbol, releasedById, approvedById, reason, at });
}

/** The two that are traded there. */
async function coinsOf(db: Db, symbol: string): Promise<string[]> {
  const market = (await listMarketStates(db)).find((one) => one.symbol === symbol);
  return market === undefined ? [] : [market.base, market.quote];
}

/** The market that starts to take orders through this command. */
function openedBy(command: NewCommand): string | undefined {
  const opens = command.type === 'set_phase' && OPENING.has(command.phase);
  return opens ? command.symbol : undefined;
}
