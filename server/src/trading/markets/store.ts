import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { amountFromNumeric } from '../amount.ts';
import type { MarketDefinition, Phase } from './market.ts';

/**
 * The words of the operator who brought about the phase that a market stands in. A phase with an end is the engine's own,
 * and what the auditor halts has a reason for operators alone.
 */
const PHASE_REASON = sql<string>`
  CASE WHEN phase IN ('halted', 'cancel_only', 'post_only') AND phase_until_ms = 0 THEN coalesce((
    SELECT CASE WHEN c.requested_by_id IS NOT NULL AND c.command::json ->> 'phase' = markets.phase
                THEN c.reason END
      FROM operator_commands c
     WHERE c.subject = markets.symbol AND c.act = 'market phase' AND c.status = 'done'
     ORDER BY c.journal_seq DESC NULLS LAST LIMIT 1), '') ELSE '' END`;

/** Every market that is not delisted, by symbol. */
export async function listMarkets(db: Db): Promise<MarketDefinition[]> {
  const rows = await db
    .selectFrom('markets')
    .select(['symbol', 'base', 'quote', 'basePrecision', 'quotePrecision', 'phase'])
    .select(['minimumQuoteSize', 'maxMarketOrderAsk', 'maxMarketOrderBid', 'minimumVolume'])
    .select(['maximumVolume', 'minimumPrice', 'maximumPrice', 'listingPrice', 'lastPrice'])
    .select(['priceBandMillionths', 'marketSlippageMillionths', 'defaultStpMode', 'icebergParts'])
    .select(['maxOpenOrders', 'maxConditionalOrders', 'lastTradeMs', 'createdAt'])
    .select(['phaseUntilMs', PHASE_REASON.as('phaseReason')])
    .where('phase', '<>', 'delisted')
    .orderBy(sql`symbol COLLATE "C"`)
    .execute();
  return rows.map((row) => ({
    ...row,
    // The table's check constraint guarantees the names.
    phase: row.phase as Phase,
    minimumQuoteSize: amountFromNumeric(row.minimumQuoteSize),
    maxMarketOrderAsk: amountFromNumeric(row.maxMarketOrderAsk),
    maxMarketOrderBid: amountFromNumeric(row.maxMarketOrderBid),
    minimumVolume: amountFromNumeric(row.minimumVolume),
    maximumVolume: amountFromNumeric(row.maximumVolume),
    minimumPrice: amountFromNumeric(row.minimumPrice),
    maximumPrice: amountFromNumeric(row.maximumPrice),
    listingPrice: amountFromNumeric(row.listingPrice),
    lastPrice: amountFromNumeric(row.lastPrice),
    // Today's milliseconds are exact as numbers.
    lastTradeMs: Number(row.lastTradeMs),
    phaseUntilMs: Number(row.phaseUntilMs),
  }));
}

export interface MarketState {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Halted without an end time. */
  readonly stands: boolean;
}

/** Whether each market that is not delisted stands still, by symbol. */
export async function listMarketStates(db: Db): Promise<MarketState[]> {
  const { rows } = await sql<MarketState>`
    SELECT symbol, base, quote, phase = 'halted' AND phase_until_ms = 0 AS stands
      FROM markets WHERE phase <> 'delisted' ORDER BY symbol`.execute(db);
  return rows;
}
