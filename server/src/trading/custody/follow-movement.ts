// What became of a movement that custody asked for by a row of operator_commands. Only the core's answer `moved`
// counts as done, whatever the row's status says: releases before this one also ended rows whose id the engine had
// forgotten, and nothing had moved.
import type { Rejection, Result } from '@rialto/matching';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import { assert } from '../../platform/std/assert.ts';
import { decodeCommand } from '../engine/command.ts';
import { applyLookup, causeOf, isMovement, movementKey } from '../engine/movements.ts';
import { findMovements } from '../engine/operator-store.ts';
import { getCommand, insertCustodyCommands } from '../operators/access.ts';
import { isFinal } from '../operators/command-row.ts';

/** The one shard that custody's rows go to. */
const SHARD = 0;

export type Followed =
  /** Not decided yet; look again with this id, which is another one after the command was sent afresh. */
  | { readonly kind: 'waiting'; readonly commandId: bigint }
  /** Moved, now or before. A reversal says what it took, and what was missing. */
  | { readonly kind: 'moved'; readonly taken?: bigint; readonly missing?: bigint }
  | { readonly kind: 'refused'; readonly rejection: Rejection | undefined };

/**
 * Says whether a movement was made. If its row ended without an answer, it is looked up in the projection, and sent
 * afresh with how far that search went if it is not there either. Keep the new id in the same transaction, and ring
 * the engine after it. Sending it twice is harmless: its cause is carried out once.
 */
export async function followMovement(
  { database }: Pick<Context, 'database'>,
  tx: Db,
  commandId: bigint,
): Promise<Followed> {
  const row = await getCommand(tx, commandId);
  if (!isFinal(row.status)) return { kind: 'waiting', commandId };
  const answer = read(row.result);
  if (answer !== undefined) return answer;
  if (row.status !== 'done') return { kind: 'refused', rejection: undefined };
  const movement = decodeCommand(row.command, 0);
  assert(isMovement(movement), 'custody follows its movements only', { commandId });
  const { checkpoint, known } = await findMovements(database.pool, SHARD, [causeOf(movement)]);
  const looked = applyLookup(row.command, movement, {
    checkpoint,
    known: new Map(known.map((one) => [movementKey(one), one])),
  });
  const found = read(looked.answer);
  if (found !== undefined) return found;
  const [fresh] = await insertCustodyCommands(tx, [looked.text], row.requestedBy);
  assert(fresh !== undefined, 'a row has an id');
  return { kind: 'waiting', commandId: fresh };
}

/** The core's answer, as it stands in a row with its amounts as texts, or as the projection gives it. */
function read(result: Result | undefined): Followed | undefined {
  if (result?.kind === 'rejected') return { kind: 'refused', rejection: result.rejection };
  if (result?.kind !== 'moved') return undefined;
  const { taken, missing } = result;
  return taken === undefined || missing === undefined
    ? { kind: 'moved' }
    : { kind: 'moved', taken: units(taken), missing: units(missing) };
}

/** Has the type it will become: in a row it is a text. */
const units = (amount: bigint | string): bigint => BigInt(amount);
