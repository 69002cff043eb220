// Gives a new venue a past: commands with their own times, applied offline and written exactly as
// an engine writes them, before the first engine starts. Waiting commands of operators come first.
import type { Context } from '../../platform/context.ts';
import { assert } from '../../platform/std/assert.ts';
import { decodeCommand, encodeCommand, upgradeText, type NewCommand } from './command.ts';
import { operatorResult } from './lead.ts';
import { Machine } from './machine.ts';
import { firstConfig } from './recover.ts';
import { readWaiting } from './operator-store.ts';
import { writeSnapshot } from './snapshot-store.ts';
import { appendRow, readHead, type OperatorResult } from './store.ts';

export interface PastCommand {
  /** Milliseconds since the epoch, never decreasing. */
  readonly time: number;
  readonly command: NewCommand;
}

export interface ImportedHistory {
  readonly rows: number;
  readonly commands: number;
}

/** Commands in a journal row, and operators' rows read at once. */
const BATCH = 1000;
const FIRST_EPOCH = 1;

/**
 * Writes the history of shard 0 and a snapshot of the result. The journal must be empty; if an
 * engine starts meanwhile, the journal's key lets only one of the two continue.
 */
export async function importHistory(
  ctx: Context,
  { startMs, commands }: { startMs: number; commands: Iterable<PastCommand> },
): Promise<ImportedHistory> {
  const shard = 0;
  const client = await ctx.database.pool.connect();
  let isSound = false;
  try {
    const head = await readHead(client, shard);
    assert(head.seq === 0, 'history is imported into an empty journal', head);
    const machine = Machine.empty(firstConfig(shard));
    let draft = machine.begin();
    let operators: OperatorResult[] = [];
    const totals = { rows: 0, commands: 0 };
    const write = async () => {
      if (draft.lines.length === 0) return;
      const row = machine.seal(draft);
      await appendRow(client, { ...row, shard, epoch: FIRST_EPOCH, operators });
      totals.rows += 1;
      totals.commands += row.commandCount;
      draft = machine.begin();
      operators = [];
    };

    const upgrade = upgradeText();
    machine.apply(draft, decodeCommand(upgrade, machine.stamp(startMs)), upgrade);
    for (let waiting; (waiting = await readWaiting(client, shard, 0, BATCH)).length > 0;) {
      for (const { id, command: text } of waiting) {
        const command = decodeCommand(text, machine.stamp(startMs));
        const result = operatorResult(id, machine.apply(draft, command, text, { always: true }));
        assert(result !== undefined, 'a new venue has forgotten no movement', { id });
        operators.push(result);
      }
      await write();
    }
    for (const { time, command } of commands) {
      const text = encodeCommand(command);
      machine.apply(draft, decodeCommand(text, machine.stamp(time)), text);
      if (draft.lines.length >= BATCH) await write();
    }
    await write();
    const bytes = machine.snapshot();
    const { seq, digest } = machine;
    await writeSnapshot(client, { shard, seq, digest, bytes });
    isSound = true;
    return totals;
  } finally {
    client.release(!isSound);
  }
}
