// Reads pages of messages: those of a narrow around an anchor. Reading never marks anything as read.
import { sql, type RawBuilder } from 'kysely';
import type { Sight } from '../../../accounts/users/sight.ts';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { PLANNED_EACH_TIME } from '../../../platform/db/prepared.ts';
import { resolveNarrow, type Narrowed } from '../narrow/resolve.ts';
import type { Term } from '../narrow/terms.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { markMatches } from '../search/matches.ts';
import { findReadable } from '../message/access.ts';
import { BEYOND_ALL, type Anchor } from './anchor.ts';
import { tooLargeTogether } from '../message/errors.ts';
import {
  messageObject,
  withFlags,
  type HistoryPolicy,
  type MessageObject,
  type ObjectOptions,
} from '../message/object.ts';
import { cutPage, type Sized } from './page.ts';
import { BYTES_OF_MESSAGE, fromMessages, listMessageRows } from '../message/rows.ts';
import { whereUnread } from '../unread/condition.ts';

export interface PageRequest {
  readonly anchor: Anchor;
  readonly before: number;
  readonly after: number;
  readonly includesAnchor: boolean;
  readonly narrow: readonly Term[];
  /** The bytes of messages that fit into the page. Without it only ids are wanted, bounded by their number. */
  readonly bytesMax?: number;
}

export interface MessagePage {
  /** Ascending. */
  readonly ids: readonly number[];
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  readonly narrowed: Narrowed;
  /** The approximate size of its messages in an answer; zero if sizes were not requested. */
  readonly bytes: number;
}

type Viewer = Pick<User, 'id' | 'role'>;

export async function findPage(db: Db, reader: Viewer, request: PageRequest): Promise<MessagePage> {
  const { before, after, includesAnchor, bytesMax } = request;
  const narrowed = await resolveNarrow(db, reader, request.narrow);
  const anchor = await findAnchor(db, reader, request.anchor, narrowed);
  const list = (more: RawBuilder<boolean>, order: RawBuilder<unknown>, limit: number) =>
    listIds(
      db,
      reader.id,
      sql<boolean>`${narrowed.condition} AND ${more}`,
      order,
      limit,
      bytesMax !== undefined,
    );
  const older = await list(sql<boolean>`m.id < ${anchor}`, sql`DESC`, before);
  const own = await list(sql<boolean>`m.id = ${anchor}`, sql`ASC`, includesAnchor ? 1 : 0);
  const newer = await list(sql<boolean>`m.id > ${anchor}`, sql`ASC`, after);
  const kept = cutPage({ older, own, newer }, bytesMax ?? Infinity);
  const all = [...kept.older.toReversed(), ...kept.own, ...kept.newer];
  return {
    ids: all.map(({ id }) => id),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    anchor,
    foundAnchor: own.length === 1,
    // A side that was cut has more messages, even if it is shorter than requested.
    foundOldest: (anchor === 0 || older.length < before) && kept.older.length === older.length,
    foundNewest:
      (anchor >= BEYOND_ALL || newer.length < after) && kept.newer.length === newer.length,
    narrowed,
  };
}

/**
 * The first `limit` ids, with the size of each message if sizes are needed. The database knows sizes without reading
 * the texts, so messages that do not fit are never loaded.
 */
async function listIds(
  db: Db,
  readerId: number,
  condition: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  limit: number,
  isMeasured: boolean,
): Promise<Sized[]> {
  if (limit === 0) return [];
  const page = sql`SELECT ${PLANNED_EACH_TIME} m.id FROM ${fromMessages(readerId)}
     WHERE ${condition} ORDER BY m.id ${order} LIMIT ${limit}`;
  const sized = sql`SELECT m.id, ${BYTES_OF_MESSAGE} AS bytes
     FROM (${page}) page JOIN messages m ON m.id = page.id ORDER BY m.id ${order}`;
  const { rows } = await sql<{ id: bigint; bytes?: number }>`${isMeasured ? sized : page}`.execute(
    db,
  );
  return rows.map(({ id, bytes = 0 }) => ({ id: Number(id), bytes }));
}

async function findAnchor(
  db: Db,
  reader: Viewer,
  anchor: Anchor,
  narrowed: Narrowed,
): Promise<number> {
  if (anchor.kind === 'id') return anchor.id;
  let where: RawBuilder<boolean>;
  if (anchor.kind === 'date') {
    where = sql<boolean>`m.sent_at >= ${anchor.date}`;
  } else {
    const unread = await whereUnread(db, reader.id, narrowed.conversationIds);
    if (unread === undefined) return BEYOND_ALL;
    where = unread;
  }
  const condition = sql<boolean>`${narrowed.condition} AND ${where}`;
  const [first] = await listIds(db, reader.id, condition, sql`ASC`, 1, false);
  return first?.id ?? BEYOND_ALL;
}

export interface ShowOptions {
  readonly applyMarkdown: boolean;
  readonly allowsEmptyTopic: boolean;
}

/** These messages with the reader's flags and the matches of a search. */
export async function showMessages(
  db: Db,
  sight: Sight,
  ids: readonly number[],
  options: ShowOptions,
  searched: readonly string[] = [],
): Promise<MessageObject[]> {
  const rows = await listMessageRows(db, sight.viewer.id, ids);
  const all: ObjectOptions = { ...options, sight, historyPolicy: await readHistoryPolicy(db) };
  const matches = searched.length > 0 ? await markMatches(db, rows, searched) : undefined;
  return rows.map((row) => ({
    ...withFlags(row, messageObject(row, all)),
    ...matches?.get(row.id),
  }));
}

export async function readHistoryPolicy(db: Db): Promise<HistoryPolicy> {
  const settings = await readOrganizationSettings(db);
  return settings['message_edit_history_visibility_policy'] as HistoryPolicy;
}

/**
 * Those of `ids` that the reader may read; the others are left out silently. A list of requested ids cannot be cut
 * short, because the answer has no field to say so: too many bytes are refused.
 */
export async function listReadableIds(
  db: Db,
  reader: Viewer,
  asked: readonly number[],
  bytesMax: number,
): Promise<readonly number[]> {
  const { ids } = await findReadable(db, await readRights(db, reader), asked);
  const bytes = await measureMessages(db, ids);
  if (ids.length > 1 && bytes > bytesMax) throw tooLargeTogether(ids.length, bytes, bytesMax);
  return ids;
}

/** The approximate size of these messages in an answer. */
export async function measureMessages(db: Db, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ bytes: bigint }>`
    SELECT coalesce(sum(${BYTES_OF_MESSAGE}), 0)::bigint AS bytes FROM messages m
     WHERE m.id = ANY (${[...ids]}::bigint[])`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}
