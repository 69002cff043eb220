// Writes one stretch of the engine's work into the tables. The projector takes it from the event
// log, a catch-up and a rebuild from the journal; from here on it is the same.
import { decodeTape, readAsked } from '@rialto/matching';
import { openTape } from '../engine/outcomes.ts';
import type { Machine } from '../engine/machine.ts';
import { replayRows, type Stretch } from '../engine/replay.ts';
import type { Queryable } from './bulk.ts';
import { Fold, touchedBalances, type OutcomeBatch, type Counters } from './fold.ts';
import { readBalances, writeFold } from './store.ts';
import { StreamCounts } from './stream-counts.ts';

/** Parses the text of an object with the members that the engine's `writeMembers` wrote. */
export function openBatch(text: string, { lastOrderId }: Counters): OutcomeBatch {
  const { tape, names } = openTape(text);
  return { outcomes: decodeTape(names, tape), asked: readAsked(tape, lastOrderId) };
}

/** The result of the batches, on top of the present balances. */
export async function foldBatches(
  db: Queryable,
  counters: Counters,
  batches: readonly OutcomeBatch[],
): Promise<Fold> {
  const fold = new Fold(counters, await readBalances(db, touchedBalances(batches)));
  for (const batch of batches) fold.add(batch);
  return fold;
}

/** Commands that a replay transaction holds at least, if there are as many. */
const REPLAYED_COMMANDS = 4000;

/**
 * Replays some rows of the journal after the machine's and writes everything but the accounts,
 * which the caller handles; undefined when there are no rows.
 */
export async function projectReplayed(
  db: Queryable,
  machine: Machine,
  { through, archive }: Stretch,
  counters: Counters,
  streamsAfter: number,
): Promise<Fold | undefined> {
  const batches: OutcomeBatch[] = [];
  const counts = new StreamCounts();
  let count = 0;
  while (machine.seq < through && count < REPLAYED_COMMANDS) {
    const before = machine.seq;
    await replayRows(db, machine, { through, archive }, (packed) => {
      const batch = openBatch(`{${packed()}}`, counters);
      batches.push(batch);
      if (machine.seq > streamsAfter) counts.addPart(batch.outcomes, undefined, true);
      count += batch.outcomes.length;
      return count < REPLAYED_COMMANDS;
    });
    if (machine.seq === before) break;
  }
  if (batches.length === 0) return undefined;
  const fold = await foldBatches(db, counters, batches);
  await writeFold(db, fold);
  await counts.write(db, { pages: false });
  return fold;
}
