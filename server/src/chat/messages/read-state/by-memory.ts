// Changes the flags that people set for themselves by what is remembered: one statement reads what decides, and one writes
// and tells. It decides as `actions.ts` does; what it leaves, that does.
import { sql } from 'kysely';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { OutgoingEvent } from '../../../platform/events/event.ts';
import { FactsChanged, type FactReader } from '../../../platform/facts/memory.ts';
import { checkedTable, heldRow, writeByMemory } from '../../../platform/facts/write.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { isMessageId } from '../message/access.ts';
import { ownFlagTables } from '../message/flag-store.ts';
import { FLAG } from '../message/flags.ts';
import { READ_STATE, type ReadState } from '../message/rows.ts';
import { fromStanding, STANDING, whatIsReadable, type Standing } from '../message/standing.ts';
import { flagsAdded, flagsRemoved } from './events.ts';
import {
  chooseToMark,
  type EditableFlag,
  type FlagOperation,
  type FlagsChanged,
} from './choose.ts';
import { computeMarks, rangesOf } from './marking.ts';
import { selectNextReceived } from './store.ts';
import { BLOCK_MESSAGES, blockOf, type Block, type ReadMarks } from './marks.ts';

/** More messages are read and locked step by step. */
const MESSAGES_MAX = 1000;

/** Undefined if nothing was changed, and it has to be done the long way. */
export function changeByMemory(
  ctx: Context,
  actor: User,
  ids: readonly number[],
  operation: FlagOperation,
  flag: EditableFlag,
): Promise<FlagsChanged | undefined> {
  const wanted = [...new Set(ids)];
  return writeByMemory(ctx, async (facts) => {
    if (wanted.length > MESSAGES_MAX || !wanted.every(isMessageId)) return undefined;
    if (flag === 'read') return markByMemory(facts, actor, wanted, operation);
    // Removing a flag needs no check, because it only touches the person's own flags.
    if (operation === 'add' && !(await mayFlag(facts.db, actor, wanted))) return undefined;
    return writeFlag(facts, actor.id, wanted, operation, flag);
  });
}

async function mayFlag(db: Db, actor: User, wanted: readonly number[]): Promise<boolean> {
  const rights = await readRights(db, actor);
  const { rows: found } = await sql<Standing>`
    SELECT ${STANDING} FROM ${fromStanding(actor.id, wanted)}`.execute(db);
  const { rows, channels } = await whatIsReadable(db, rights, found);
  return rows.length === wanted.length && !channels.some((channel) => channel.isArchived);
}

async function writeFlag(
  facts: FactReader,
  userId: number,
  wanted: readonly number[],
  operation: FlagOperation,
  flag: Exclude<EditableFlag, 'read'>,
): Promise<FlagsChanged> {
  const event = operation === 'add' ? flagsAdded(flag, []) : flagsRemoved(flag, []);
  // The database knows which messages change.
  const [before, after] = JSON.stringify(event).split('"messages":[');
  const { rows } = await sql<{ holds: boolean; changed: bigint[] }>`
    WITH ${checkedTable(facts)}, asked AS (
      SELECT unnest(${[...wanted]}::bigint[]) AS id FROM checked WHERE checked.holds
    ), ${ownFlagTables(userId, operation, FLAG[flag])}, told AS (
      INSERT INTO outbox (type, payload, audience)
      SELECT ${event.type}, ${`${before}"messages":[`} || all_changed.ids || ${after},
             ${JSON.stringify({ users: [userId] })}::jsonb
        FROM (SELECT string_agg(id::text, ',' ORDER BY id) AS ids FROM changed) AS all_changed
       WHERE all_changed.ids IS NOT NULL
    )
    SELECT checked.holds, ARRAY(SELECT id FROM changed ORDER BY id) AS changed FROM checked`.execute(
    facts.db,
  );
  return { changed: heldRow(rows).changed.map(Number), ignoredChannels: [] };
}

/** What the person has read of one home, as far as these messages concern it. */
interface Home {
  readonly home: number;
  readonly through: number | null;
  readonly head: number;
  /** The first message after that which the person received. */
  readonly next: number | null;
  readonly blocks: readonly { readonly block: number; readonly bits: string }[] | null;
}

type Row = Omit<ReadState, 'id' | 'seq'> &
  Standing & { readonly id: bigint; readonly seq: bigint; readonly homes: readonly Home[] | null };

async function markByMemory(
  facts: FactReader,
  actor: User,
  wanted: readonly number[],
  operation: FlagOperation,
): Promise<FlagsChanged | undefined> {
  const { db } = facts;
  const rights = await readRights(db, actor);
  const found = await findStates(db, actor.id, wanted);
  const homes = found[0]?.homes ?? [];
  const { rows } = await whatIsReadable(db, rights, found);
  if (operation === 'remove' && rows.length < wanted.length) return undefined;
  const states = rows.map((row) => ({ ...row, id: Number(row.id), seq: Number(row.seq) }));
  const { toMark, ignoredChannels, event } = chooseToMark(actor.id, states, operation);
  const done = { changed: toMark.map(({ id }) => id), ignoredChannels };
  if (event === undefined) {
    const checked = await sql<{ holds: boolean }>`
      WITH ${checkedTable(facts)} SELECT holds FROM checked`.execute(db);
    heldRow(checked.rows);
    return done;
  }
  const changes = new Map<Home, ReadMarks>();
  for (const [homeId, ranges] of rangesOf(toMark)) {
    const home = homes.find((one) => one.home === homeId);
    // The first mark in a conversation makes the row that all later ones lock.
    if (home === undefined || home.through === null) return undefined;
    const known = knownBlocks(
      home,
      home.through,
      toMark.filter((one) => one.homeId === homeId),
    );
    const place = { userId: actor.id, homeId, head: home.head, next: home.next ?? undefined };
    changes.set(
      home,
      await computeMarks(db, place, home.through, known, ranges, operation === 'add'),
    );
  }
  return (await writeMarksIfSame(facts, actor.id, changes, event)) ? done : undefined;
}

async function findStates(db: Db, userId: number, ids: readonly number[]): Promise<readonly Row[]> {
  const wanted = sql`${[...ids]}::bigint[]`;
  const size = sql.lit(BLOCK_MESSAGES);
  const { rows } = await sql<Row>`
    SELECT ${READ_STATE}, ${STANDING},
           CASE WHEN row_number() OVER (ORDER BY m.id) = 1 THEN (
             SELECT json_agg(json_build_object('home', h.home_id, 'through', r.read_through, 'head', n.seq,
                      'next', (${selectNextReceived(userId, sql`h.home_id`, sql`r.read_through`)}), 'blocks', (
                      SELECT json_agg(json_build_object('block', k.block, 'bits', encode(k.bits, 'hex')))
                        FROM read_blocks k
                       WHERE k.user_id = ${userId} AND k.home_id = h.home_id
                         AND (k.block IN ((r.read_through / ${size})::int, ((r.read_through + 1) / ${size})::int)
                              OR k.block IN (SELECT (x.seq / ${size})::int FROM messages x
                                              WHERE x.id = ANY (${wanted}) AND x.home_id = h.home_id)))))
               FROM (SELECT DISTINCT home_id FROM messages WHERE id = ANY (${wanted})) AS h
               JOIN conversation_counters n ON n.conversation_id = h.home_id
               LEFT JOIN read_marks r ON r.user_id = ${userId} AND r.home_id = h.home_id) END AS homes
      FROM ${fromStanding(userId, ids)}
     ORDER BY m.id`.execute(db);
  return rows;
}

/** The blocks that `findStates` has read; those without a row are as the watermark says. */
function knownBlocks(
  { blocks }: Home,
  through: number,
  messages: readonly { readonly seq: number }[],
): Map<number, Block> {
  const asked = [through, through + 1, ...messages.map(({ seq }) => seq)].map(blockOf);
  const known = new Map<number, Block>(asked.map((block) => [block, null]));
  for (const { block, bits } of blocks ?? []) known.set(block, Buffer.from(bits, 'hex'));
  return known;
}

/** Writes and tells it, if nobody else has marked meanwhile. */
async function writeMarksIfSame(
  facts: FactReader,
  userId: number,
  changes: ReadonlyMap<Home, ReadMarks>,
  event: OutgoingEvent,
): Promise<boolean> {
  const marks: object[] = [];
  const blocks: object[] = [];
  for (const [{ home, through }, after] of changes) {
    const { readThrough, upserts, deletes } = after.changes();
    marks.push({ home, before: through, after: readThrough });
    const gone = new Set(deletes);
    for (const block of new Set([...after.before.keys(), ...upserts.keys(), ...gone])) {
      const before = hex(after.before.get(block));
      const now = gone.has(block) ? null : (hex(upserts.get(block)) ?? before);
      blocks.push({ home, block, before, after: now, is_known: after.before.has(block) });
    }
  }
  const { about, snapshots } = facts.basis();
  const { rows } = await sql<{ done: boolean | null }>`
    SELECT write_read_state(${userId}, ${JSON.stringify(marks)}::jsonb, ${JSON.stringify(blocks)}::jsonb,
             ${[...about]}::int[], ${[...snapshots]}::text[]::pg_snapshot[], ${JSON.stringify(event)},
             ${JSON.stringify({ users: [userId] })}::jsonb) AS done`.execute(facts.db);
  if (rows[0]?.done === false) throw new FactsChanged();
  return rows[0]?.done === true;
}

const hex = (bits: Block | undefined): string | null =>
  bits === undefined || bits === null ? null : Buffer.from(bits).toString('hex');
