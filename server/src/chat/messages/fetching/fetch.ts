// Reads pages of messages: those of a narrow around an anchor. Reading never marks anything as read.
import { sql, type RawBuilder } from 'kysely';
import type { Sight } from '../../../accounts/users/sight.ts';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { NO_BASIS, type FactReader } from '../../../platform/facts/memory.ts';
import { resolveNarrow, type Narrowed } from '../narrow/resolve.ts';
import type { Term } from '../narrow/terms.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { markMatches } from '../search/matches.ts';
import { findReadable } from '../message/access.ts';
import { BEYOND_ALL, type Anchor } from './anchor.ts';
import { knownOf } from '../message/known-channels.ts';
import { tooLargeTogether } from '../message/errors.ts';
import {
  messageObject,
  withFlags,
  type HistoryPolicy,
  type MessageObject,
  type ObjectOptions,
} from '../message/object.ts';
import { cutPage } from './page.ts';
import { IS_UNREAD, listMessageRows, selectSizes, type ShownRow } from '../message/rows.ts';
import { whereUnread } from '../unread/condition.ts';
import { selectUnreadSpans } from '../unread/lists.ts';
import { selectIds, type Stretch, type Wanted } from './candidates.ts';
import { findIdNear } from './date.ts';
import type { ShownText } from './packed.ts';
import { readIds, readMessages, type Found } from './sides.ts';

export interface PageRequest {
  readonly anchor: Anchor;
  readonly before: number;
  readonly after: number;
  readonly includesAnchor: boolean;
  readonly narrow: readonly Term[];
  /** The bytes of messages that fit into the page. Without it only ids are wanted, bounded by their number. */
  readonly bytesMax?: number;
  /** The text that its messages are shown with, as far as they come with the page. */
  readonly text?: ShownText;
}

export interface MessagePage {
  /** Ascending. */
  readonly ids: readonly number[];
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  readonly narrowed: Narrowed;
  /** The messages of `ids`, if they were few enough to be read at once. */
  readonly rows?: readonly ShownRow[];
  /** The approximate size of its messages in an answer; zero if sizes were not requested. */
  readonly bytes: number;
}

type Viewer = Pick<User, 'id' | 'role' | 'botType'>;

/** Throws FactsChanged if it relied on something remembered that no longer holds. */
export async function findPage(
  facts: FactReader,
  reader: Viewer,
  request: PageRequest,
): Promise<MessagePage> {
  const { before, after, includesAnchor, bytesMax } = request;
  const { db } = facts;
  const narrowed = await resolveNarrow(db, reader, request.narrow);
  const anchor = await findAnchor(db, reader, request.anchor, narrowed);
  // Without memory the statement that reads the page also reads what belongs to the channels.
  const known = facts.isMemory ? knownOf(narrowed.channels) : undefined;
  const side = (stretch: Stretch, order: Wanted['order'], limit: number) =>
    limit === 0 ? [] : [selectIds(db, reader.id, { ...narrowed, known, stretch, order, limit })];
  const through = anchor >= BEYOND_ALL ? {} : { through: anchor - 1 };
  const ids = [
    ...(anchor === 0 ? [] : side(through, 'DESC', before)),
    ...(anchor === 0 || anchor >= BEYOND_ALL
      ? []
      : side({ from: anchor, through: anchor }, 'ASC', includesAnchor ? 1 : 0)),
    ...(anchor >= BEYOND_ALL ? [] : side({ from: anchor + 1 }, 'ASC', after)),
  ];
  const sides = { ids, isFixed: narrowed.isFixed, basis: facts.basis(), known };
  const found: readonly Found[] =
    bytesMax === undefined
      ? (await readIds(db, sides)).map((id) => ({ id, bytes: 0 }))
      : await readMessages(db, reader.id, sides, textOf(request, narrowed));
  const older = found.filter(({ id }) => id < anchor).toReversed();
  const own = found.filter(({ id }) => id === anchor);
  const newer = found.filter(({ id }) => id > anchor);
  const kept = cutPage({ older, own, newer }, bytesMax ?? Infinity);
  const all = [...kept.older.toReversed(), ...kept.own, ...kept.newer];
  const rows = all.flatMap(({ row }) => (row === undefined ? [] : [row]));
  return {
    ids: all.map(({ id }) => id),
    ...(rows.length === all.length && { rows }),
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

const textOf = ({ text = 'html' }: PageRequest, { searched }: Narrowed): ShownText =>
  text === 'markdown' && searched.length > 0 ? 'both' : text;

async function findAnchor(
  db: Db,
  reader: Viewer,
  anchor: Anchor,
  narrowed: Narrowed,
): Promise<number> {
  if (anchor.kind === 'id') return anchor.id;
  const first = async (where: RawBuilder<boolean>, stretch: Stretch, source = narrowed.source) => {
    const and = (condition: RawBuilder<boolean>) => sql<boolean>`${condition} AND ${where}`;
    const parts = narrowed.parts?.map((part) => ({ ...part, condition: and(part.condition) }));
    const condition = and(narrowed.condition);
    const wanted: Wanted = { condition, source, parts, stretch, order: 'ASC', limit: 1 };
    // The page around the anchor checks what both rely on.
    const [id = BEYOND_ALL] = await readIds(db, {
      ids: [selectIds(db, reader.id, wanted)],
      isFixed: narrowed.isFixed,
      basis: NO_BASIS,
    });
    return id;
  };
  if (anchor.kind === 'date') {
    const from = await findIdNear(db, anchor.date);
    return first(sql<boolean>`m.sent_at >= ${anchor.date}`, { from });
  }
  if (narrowed.mayHaveMuchUnread) {
    return first(IS_UNREAD, {}, { spans: selectUnreadSpans(reader.id, narrowed.conversationIds) });
  }
  const unread = await whereUnread(db, reader.id, narrowed.conversationIds);
  return unread === undefined ? BEYOND_ALL : first(unread, {});
}

export interface ShowOptions {
  readonly applyMarkdown: boolean;
  readonly allowsEmptyTopic: boolean;
}

/** These messages with the reader's flags. */
export const showMessages = async (
  db: Db,
  sight: Sight,
  ids: readonly number[],
  options: ShowOptions,
): Promise<MessageObject[]> =>
  showRows(db, await listMessageRows(db, sight.viewer.id, ids), {
    ...options,
    sight,
    historyPolicy: await readHistoryPolicy(db),
  });

/** The messages of a page, with the matches of its search. */
export const showPage = async (
  db: Db,
  { ids, rows, narrowed }: MessagePage,
  options: ObjectOptions,
): Promise<MessageObject[]> =>
  showRows(
    db,
    rows ?? (await listMessageRows(db, options.sight.viewer.id, ids)),
    options,
    narrowed.searched,
  );

async function showRows(
  db: Db,
  rows: readonly ShownRow[],
  options: ObjectOptions,
  searched: readonly string[] = [],
): Promise<MessageObject[]> {
  const matches = searched.length > 0 ? await markMatches(db, rows, searched) : undefined;
  return rows.map((row) => ({
    ...withFlags(row, messageObject(row, options)),
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
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes
      FROM (${selectSizes(sql`${[...ids]}::bigint[]`)}) AS sized`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}
