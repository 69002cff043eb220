// Checks movements of money: each happened once, as requested, and each row that requested one has
// an outcome.
import type { Step } from '@rialto/matching';
import type { Context } from '../../server/src/platform/context.ts';
import type { NewCommand } from '../../server/src/trading/engine/command.ts';
import type { Broken } from './findings.ts';
import type { Asked, Records } from './records.ts';

const KINDS = ['deposit', 'withdrawal', 'transfer', 'adjustment', 'chain_cost'] as const;

/** What a step moved, by kind and reference, as "coin amount"; a reversal also says what was missing. */
export function movementsOf({ journals, reversals }: Step): [cause: string, line: string][] {
  const reversed = reversals.map(({ reversalId, coin, amount, missing }): [string, string] => [
    `reversal ${reversalId}`,
    `${coin} ${amount} ${missing}`,
  ]);
  const moved = journals.flatMap(({ kind, reference, postings }) => {
    if (!KINDS.some((one) => one === kind)) return [];
    const taken = postings.find(({ amount }) => amount > 0n);
    if (taken === undefined) return [];
    return [[`${kind} ${reference}`, `${taken.coin} ${taken.amount}`] as [string, string]];
  });
  return [...moved, ...reversed];
}

/** Acknowledged movements moved the requested amount. */
export function checkMovements(
  records: Records,
  { movements }: { readonly movements: ReadonlyMap<string, string> },
  { lost, honest }: Broken,
): void {
  const asked = new Map<string, Asked>();
  for (const one of records.all()) {
    const cause = causeOf(one.command);
    if (cause === undefined) continue;
    asked.set(cause.name, one);
    const moved = movements.get(cause.name);
    const isDone = one.answers.some(({ kind }) => kind === 'done');
    if (isDone && moved === undefined) lost.push(`${cause.name} is done and moved nothing`);
    if (moved !== undefined && moved !== cause.line) {
      lost.push(`${cause.name} was to move ${cause.line}, and moved ${moved}`);
    }
  }
  for (const cause of movements.keys()) {
    // Other ids belong to the set-up of the venue.
    if (cause.includes('move-') && !asked.has(cause)) honest.push(`nobody asked for ${cause}`);
  }
}

function causeOf(command: NewCommand): { name: string; line: string } | undefined {
  switch (command.type) {
    case 'credit_deposit':
      return {
        name: `deposit ${command.network}:${command.depositId}`,
        line: `${command.coin} ${command.amount}`,
      };
    case 'request_withdrawal':
      return {
        name: `withdrawal ${command.withdrawalId}`,
        line: `${command.coin} ${command.amount}`,
      };
    case 'transfer':
      return {
        name: `transfer ${command.transferId}`,
        line: `${command.coin} ${command.amount}`,
      };
    case 'adjust':
      return {
        name: `adjustment ${command.adjustmentId}`,
        line: `${command.coin} ${command.amount}`,
      };
    case 'reverse_deposit': {
      const { network, depositId, part, coin, amount } = command;
      return {
        name: `reversal ${network}:${depositId}:${part}`,
        // The run covers the first part, and asks somebody who has nothing for the second.
        line: `${coin} ${amount} ${part === 0 ? 0 : amount}`,
      };
    }
    case 'book_chain_cost':
      return {
        name: `chain_cost ${command.costId}`,
        line: `${command.coin} ${command.amount}`,
      };
    default:
      return undefined;
  }
}

/**
 * Rows of operators and custody have an outcome, each in an existing row of the journal; no market
 * was halted.
 */
export async function checkRows(ctx: Context, { lost, conserved }: Broken): Promise<void> {
  const { pool } = ctx.database;
  const { rows: open } = await pool.query<{ id: string; status: string; command: string }>(
    `SELECT id::text, status, command FROM operator_commands
      WHERE status IN ('waiting', 'awaiting_approval') ORDER BY id LIMIT 100`,
  );
  for (const { id, status, command } of open) {
    lost.push(`row ${id} of operator_commands is still ${status}: ${command}`);
  }
  const { rows: unwritten } = await pool.query<{ id: string }>(
    `SELECT o.id::text FROM operator_commands o
      WHERE o.status = 'done' AND NOT EXISTS
        (SELECT FROM trading_journal j WHERE j.shard = o.shard AND j.seq = o.journal_seq
         UNION ALL SELECT FROM journal_archives a WHERE a.shard = o.shard AND o.journal_seq BETWEEN a.first_seq AND a.last_seq)
        -- What the projection has already is answered from there, and goes into no other row.
        AND (o.journal_seq IS NOT NULL OR o.result ->> 'replay' IS DISTINCT FROM 'true')
      LIMIT 100`,
  );
  for (const { id } of unwritten) lost.push(`row ${id} is done, and no row of the journal has it`);
  const { rows: halts } = await pool.query<{ symbol: string; rule: string; subject: string }>(
    'SELECT symbol, rule, subject FROM invariant_halts',
  );
  for (const { symbol, rule, subject } of halts) {
    conserved.push(`the auditor halted ${symbol}: ${rule}, ${subject}`);
  }
}
