// Statements of the caller's account, within bounds of time and size.
import { createHash } from 'node:crypto';
import { DAY_MS } from '../../platform/std/time.ts';
import type { TradingContext } from '../context.ts';
import type { PrivateCaller } from '../http/authenticate.ts';
import { Answer, FileContent } from '../http/envelope.ts';
import { refuse } from '../http/errors.ts';
import {
  awaitProjectedTime,
  findBoundary,
  historyIn,
  holdTrades,
  listLines,
  listTotalsBefore,
} from '../projections/access.ts';
import { isTimeZone } from './local-time.ts';
import {
  checkStatement,
  renderCsv,
  renderJson,
  StatementBroken,
  type StatementRows,
} from './statement.ts';

export const HASH_HEADER = 'X-SVC-CONTENT-SHA256';

/** A leap year. */
export const STRETCH_DAYS_MAX = 366;

/**
 * A statement ends at least this long ago: the engine gives a command its time when it takes it, so
 * nothing can still come into a stretch that ended before.
 */
export const SETTLED_MS = 10_000;

export interface AskedStatement {
  readonly from: number;
  readonly to: number;
  readonly format: 'json' | 'csv';
  readonly timezone: string;
}

export async function makeStatement(
  ctx: TradingContext,
  caller: PrivateCaller,
  asked: AskedStatement,
): Promise<Answer<FileContent>> {
  checkAsked(caller.nowMs, asked);
  // The same stretch always gives the same bytes, so it has to be whole.
  await awaitProjectedTime(ctx, asked.to);
  const rows = await readStatement(ctx, caller.account.id, asked);
  try {
    checkStatement(rows);
  } catch (error) {
    if (!(error instanceof StatementBroken)) throw error;
    // No statement at all is better than one that does not add up.
    ctx.metrics.auditViolated('a statement adds up');
    ctx.log.error(
      { err: error, account: String(rows.accountId), from: rows.fromMs, to: rows.toMs },
      'AUDIT: a statement does not add up, so it was not given out.',
    );
    throw refuse(
      'INTERNAL',
      'The entries of this stretch do not add up. Nothing is shown, and the operators of the venue were alerted.',
    );
  }
  const { format, timezone } = asked;
  const text = format === 'csv' ? renderCsv(rows, timezone) : renderJson(rows, timezone);
  const bytes = Buffer.from(text, 'utf8');
  const file = new FileContent(bytes, {
    mediaType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
    name: `statement-${rows.accountId}-${asked.from}-${asked.to}.${format}`,
  });
  return new Answer(file, { [HASH_HEADER]: createHash('sha256').update(bytes).digest('hex') });
}

function checkAsked(nowMs: number, { from, to, timezone }: AskedStatement): void {
  const problem = (parameter: string, message: string, details: Record<string, string> = {}) =>
    refuse('PARAMETER_RANGE', message, { parameter, ...details });
  if (to <= from) throw problem('to', 'to must be after from.');
  if (to > nowMs - SETTLED_MS) {
    throw problem(
      'to',
      `A statement covers the past: to must be at least ${SETTLED_MS / 1000} seconds ago, so that nothing can still be added.`,
      { maximum: String(nowMs - SETTLED_MS) },
    );
  }
  if (to - from > STRETCH_DAYS_MAX * DAY_MS) {
    throw problem(
      'to',
      `A statement covers at most ${STRETCH_DAYS_MAX} days. Ask for several, each from where the one before ended.`,
      { maximum: String(from + STRETCH_DAYS_MAX * DAY_MS) },
    );
  }
  if (!isTimeZone(timezone)) {
    throw refuse(
      'PARAMETER_INVALID',
      `timezone must be a name such as 'UTC', 'Asia/Tehran' or 'Europe/Berlin'.`,
      { parameter: 'timezone' },
    );
  }
}

/** All of it as of one moment, so that a projection in between cannot make it contradict itself. */
function readStatement(
  ctx: TradingContext,
  accountId: bigint,
  { from: fromMs, to: toMs }: AskedStatement,
): Promise<StatementRows> {
  const max = ctx.config.TRADING_STATEMENT_ENTRIES_MAX;
  return ctx.inTransaction(
    async (tx) => {
      await holdTrades(tx);
      const history = historyIn(ctx, tx);
      const from = {
        ms: BigInt(fromMs),
        id: await findBoundary(history, accountId, BigInt(fromMs)),
      };
      const to = { ms: BigInt(toMs), id: await findBoundary(history, accountId, BigInt(toMs)) };
      const entries = await listLines(history, accountId, {
        fromMs: from.ms,
        fromId: from.id,
        toMs: to.ms,
        toId: to.id,
        sort: 'asc',
        limit: max + 1,
      });
      const next = entries[max];
      if (next !== undefined) {
        throw refuse(
          'PARAMETER_RANGE',
          `This stretch has more than ${max} entries. Ask for a shorter one, and for the rest from where it ended; or read account/ledger page by page.`,
          // Entries of one millisecond stay together.
          { parameter: 'to', entriesMax: String(max), suggestedTo: String(next.timeMs) },
        );
      }
      return {
        accountId,
        fromMs,
        toMs,
        opening: await listTotalsBefore(history, accountId, { toMs: from.ms, toId: from.id }),
        entries,
        closing: await listTotalsBefore(history, accountId, { toMs: to.ms, toId: to.id }),
      };
    },
    { isolation: 'repeatable read' },
  );
}
