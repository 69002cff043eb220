// Reads pages of messages: everything in a narrow around an anchor. Reading never marks anything as read.
import { sql, type RawBuilder } from 'kysely';
import type { User } from '../../accounts/user.ts';
import type { Db } from '../../platform/db/pool.ts';
import { PLANNED_EACH_TIME } from '../../platform/db/prepared.ts';
import { resolveNarrow, type Narrowed } from '../narrow/resolve.ts';
import type { Term } from '../narrow/terms.ts';
import { readOrganizationSettings } from '../org/access.ts';
import { readRights } from '../permissions/access.ts';
import { markMatches } from '../search/matches.ts';
import { findReadable } from './access.ts';
import { BEYOND_ALL, type Anchor } from './anchor.ts';
import {
  messageObject,
  withFlags,
  type HistoryPolicy,
  type MessageObject,
  type ObjectOptions,
} from './object.ts';
import { fromMessages, listMessageRows } from './rows.ts';
import { whereUnread } from './unread.ts';

export interface PageRequest {
  readonly anchor: Anchor;
  readonly before: number;
  readonly after: number;
  readonly includesAnchor: boolean;
  readonly narrow: readonly Term[];
}

export interface Page {
  /** Ascending. */
  readonly ids: readonly number[];
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  readonly narrowed: Narrowed;
}

type Viewer = Pick<User, 'id' | 'role'>;

export async function findPage(db: Db, reader: Viewer, request: PageRequest): Promise<Page> {
  const { before, after, includesAnchor } = request;
  const narrowed = await resolveNarrow(db, reader, request.narrow);
  const anchor = await findAnchor(db, reader, request.anchor, narrowed);
  const list = (more: RawBuilder<boolean>, order: RawBuilder<unknown>, limit: number) =>
    listIds(db, reader.id, sql<boolean>`${narrowed.condition} AND ${more}`, order, limit);
  const older = await list(sql<boolean>`m.id < ${anchor}`, sql`DESC`, before);
  const own = await list(sql<boolean>`m.id = ${anchor}`, sql`ASC`, includesAnchor ? 1 : 0);
  const newer = await list(sql<boolean>`m.id > ${anchor}`, sql`ASC`, after);
  return {
    ids: [...older.reverse(), ...own, ...newer],
    anchor,
    foundAnchor: own.length === 1,
    foundOldest: anchor === 0 || older.length < before,
    foundNewest: anchor >= BEYOND_ALL || newer.length < after,
    narrowed,
  };
}

async function listIds(
  db: Db,
  readerId: number,
  condition: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  limit: number,
): Promise<number[]> {
  if (limit === 0) return [];
  const { rows } = await sql<{ id: bigint }>`
    SELECT ${PLANNED_EACH_TIME} m.id FROM ${fromMessages(readerId)}
     WHERE ${condition} ORDER BY m.id ${order} LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => Number(id));
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
  const [first] = await listIds(db, reader.id, condition, sql`ASC`, 1);
  return first ?? BEYOND_ALL;
}

export interface ShowOptions {
  readonly applyMarkdown: boolean;
  readonly allowsEmptyTopic: boolean;
}

/** These messages with the reader's flags, and with what a search found in them. */
export async function showMessages(
  db: Db,
  readerId: number,
  ids: readonly number[],
  options: ShowOptions,
  searched: readonly string[] = [],
): Promise<MessageObject[]> {
  const rows = await listMessageRows(db, readerId, ids);
  const all: ObjectOptions = { ...options, historyPolicy: await readHistoryPolicy(db) };
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

/** Those of `ids` that the reader may read; the others are left out without a word. */
export async function listReadableIds(
  db: Db,
  reader: Viewer,
  ids: readonly number[],
): Promise<readonly number[]> {
  return (await findReadable(db, await readRights(db, reader), ids)).ids;
}
