// The evidence for what the venue holds. The watcher of a network, or an operator, who sees coins
// come in or go out writes an entry here, in the transaction of the command that books it; the
// engine never does. The audit compares the ledger with it, so a credit without coins is found,
// no matter who requested it.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { decodeCommand, type NewCommand } from '../engine/command.ts';
import { isBooked } from '../projections/movements.ts';
import { evidenceDiffers } from './errors.ts';

export interface Evidence {
  /** As `movementNames` names it: one movement of the ledger has one entry. */
  readonly cause: string;
  readonly coin: string;
  readonly network: string;
  /** Units of 10^-18; below zero for coins that went out. */
  readonly amount: bigint;
  readonly source: 'simulated' | 'operator' | 'chain';
  /** Who states it: an operator's address, or a network's watcher. */
  readonly who: string;
  /**
   * The row of operator_commands that books it. Needed for coins that went out: until the engine
   * has done it and the projections have it, the ledger still owes them.
   */
  readonly commandId?: bigint;
}

/** The names that movements have in the projections: their kind and their reference. */
export const movementNames = {
  deposit: (network: string, depositId: string) => `deposit:${network}:${depositId}`,
  withdrawal: (withdrawalId: string) => `withdrawal:${withdrawalId}`,
  capital: (id: string) => `capital:${id}`,
  /** Of its first part, which stands for the whole deposit. */
  reversal: (network: string, depositId: string) => `reversal:${network}:${depositId}:0`,
  chainCost: (costId: string) => `chain_cost:${costId}`,
} as const;

/** Commands that bring coins into the ledger; `evidenceOf` handles each. */
export const CREDITS: readonly NewCommand['type'][] = ['credit_deposit', 'contribute_capital'];

/**
 * The evidence that must exist before the engine carries out a command; undefined for a command
 * without custody.
 */
export function evidenceOf(
  command: NewCommand,
): Pick<Evidence, 'cause' | 'coin' | 'network' | 'amount'> | undefined {
  switch (command.type) {
    case 'credit_deposit': {
      const { network, depositId, coin, amount } = command;
      return { cause: movementNames.deposit(network, depositId), coin, network, amount };
    }
    case 'contribute_capital':
    case 'withdraw_capital': {
      const { network, contributionId, coin, amount } = command;
      const isIn = command.type === 'contribute_capital';
      const cause = movementNames.capital(contributionId);
      return { cause, coin, network, amount: isIn ? amount : -amount };
    }
    case 'reverse_deposit': {
      const { network, depositId, part, coin, amount } = command;
      // The first part says that the whole deposit is gone. The later ones only collect what was missing.
      if (part !== 0) return undefined;
      return { cause: movementNames.reversal(network, depositId), coin, network, amount: -amount };
    }
    case 'book_chain_cost': {
      const { network, costId, coin, amount } = command;
      return { cause: movementNames.chainCost(costId), coin, network, amount: -amount };
    }
    default:
      return undefined;
  }
}

/**
 * The statement of two operators that coins came in or went out, for a command that they approve;
 * nothing for any other command. If the movement is booked already, the engine itself says whether
 * it is the same.
 */
export async function addOperatorsEvidence(
  tx: Db,
  text: string,
  { who, commandId }: Pick<Evidence, 'who'> & { commandId: bigint },
): Promise<void> {
  const needed = evidenceOf(decodeCommand(text, 0));
  if (needed === undefined) return;
  if (await isBooked(tx, needed.cause)) return;
  await addEvidence(tx, [{ ...needed, source: 'operator', who, commandId }]);
}

/**
 * Writes entries. A repeated entry is ignored, and the same cause with other terms is refused. Call
 * it in the transaction that makes the command's row `waiting`: with the request, or with its
 * approval where two people are needed.
 */
export async function addEvidence(tx: Db, entries: readonly Evidence[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = sql`unnest(${entries.map(({ cause }) => cause)}::text[],
    ${entries.map(({ coin }) => coin)}::text[], ${entries.map(({ network }) => network)}::text[],
    ${entries.map(({ amount }) => amount.toString())}::numeric[],
    ${entries.map(({ source }) => source)}::text[], ${entries.map(({ who }) => who)}::text[],
    ${entries.map(({ commandId }) => commandId?.toString() ?? null)}::bigint[])
    AS e(cause, coin, network, amount, source, who, command_id)`;
  await sql`INSERT INTO custody_evidence (cause, coin, network, amount, source, who, command_id)
            SELECT * FROM ${rows} ON CONFLICT (cause) DO NOTHING`.execute(tx);
  const { rows: differing } = await sql<{ cause: string }>`
    SELECT e.cause FROM ${rows} LEFT JOIN custody_evidence AS h USING (cause)
     WHERE (h.coin, h.network, h.amount) IS DISTINCT FROM (e.coin, e.network, e.amount) LIMIT 1`.execute(
    tx,
  );
  const [first] = differing;
  if (first !== undefined) throw evidenceDiffers(first.cause);
}
