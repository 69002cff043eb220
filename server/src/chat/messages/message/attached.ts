// What belongs to messages and is not in their rows: people, reactions, submessages, edits. It is read for all messages of
// a statement at once and comes as one value, because most messages have none of it. Each kind is cut at its limits,
// because an earlier release let it grow beyond.
import { sql, type RawBuilder } from 'kysely';
import {
  EDITS_SHOWN,
  EDITS_SHOWN_BYTES,
  REACTIONS_MAX,
  SUBMESSAGES_BYTES,
  SUBMESSAGES_MAX,
  SUBMESSAGE_FRAME_BYTES,
} from './limits.ts';
import { renamesOf } from './renames.ts';

/** A person as stored; what a reader sees of them is decided in object.ts. */
export interface PersonBrief {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly emailVisibility: number;
}

export interface ReactionRow {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
  readonly user_id: number;
  readonly user: PersonBrief;
}

export interface SubmessageRow {
  readonly id: number;
  readonly message_id: number;
  readonly sender_id: number;
  readonly msg_type: string;
  readonly content: string;
}

/** One change of a message, without HTML: only the history shows that. */
export interface EditRow {
  readonly user_id: number;
  readonly timestamp: number;
  readonly prev_content: string | null;
  readonly prev_topic: string | null;
  readonly topic: string | null;
  readonly prev_channel_id: number | null;
  readonly channel_id: number | null;
}

type OfMessage<T> = T & { readonly message_id: number };

/** A list for each column, which costs less than an object for each person; null without anybody. */
type PeopleColumns = {
  readonly [K in keyof PersonBrief | 'avatarVersion']:
    readonly (PersonBrief & { readonly avatarVersion: number })[K][] | null;
};

/** As the database returns it. A kind of which there is nothing is null. */
export interface Attached {
  readonly people: PeopleColumns;
  readonly direct: readonly { readonly id: number; readonly people: readonly number[] }[] | null;
  readonly reactions: readonly OfMessage<Omit<ReactionRow, 'user'>>[] | null;
  readonly submessages: readonly SubmessageRow[] | null;
  readonly edits: readonly OfMessage<EditRow>[] | null;
}

/** Tables for ATTACHED, of messages in a table `asked`; those of renamed topics are in `titled` as well. */
export const ATTACHED_TABLES: RawBuilder<unknown> = sql`
  renamed AS MATERIALIZED (
    SELECT m.id AS message_id, r.* FROM titled n JOIN asked m ON m.id = n.id
     CROSS JOIN LATERAL ${renamesOf(sql`n.came`, sql.lit(EDITS_SHOWN))}
  ),   reacted AS MATERIALIZED (
    SELECT r.* FROM (SELECT *, row_number() OVER (PARTITION BY message_id ORDER BY id) AS nth FROM reactions
                      WHERE message_id = ANY (ARRAY (SELECT id FROM asked))) r
     WHERE r.nth <= ${sql.lit(REACTIONS_MAX)}
  ), direct AS MATERIALIZED (
    SELECT d.id, d.people FROM conversations d
     WHERE d.kind = 'direct' AND d.id = ANY (ARRAY (SELECT conversation_id FROM asked)))`;

/** An Attached, in a statement with ATTACHED_TABLES. */
export const ATTACHED: RawBuilder<Attached> = sql<Attached>`json_build_object(
  'people', (
    SELECT json_build_object('id', json_agg(u.id), 'email', json_agg(u.email), 'fullName', json_agg(u.full_name),
             'emailVisibility', json_agg(u.email_visibility), 'avatarVersion', json_agg(u.avatar_version))
      FROM users u WHERE u.id = ANY (ARRAY (
        SELECT sender_id FROM asked UNION SELECT user_id FROM reacted UNION SELECT unnest(people) FROM direct))),
  'direct', (SELECT json_agg(direct) FROM direct),
  'reactions', (
    SELECT json_agg(json_build_object('message_id', r.message_id, 'emoji_name', r.emoji_name,
             'emoji_code', r.emoji_code, 'reaction_type', r.reaction_type, 'user_id', r.user_id) ORDER BY r.id)
      FROM reacted r),
  'submessages', (
    SELECT json_agg(json_build_object('id', x.id, 'message_id', x.message_id, 'sender_id', x.sender_id,
             'msg_type', x.msg_type, 'content', x.content) ORDER BY x.id)
      FROM (SELECT *, row_number() OVER one AS nth,
                   sum(octet_length(content) + ${sql.lit(SUBMESSAGE_FRAME_BYTES)}) OVER one AS bytes
              FROM submessages WHERE message_id = ANY (ARRAY (SELECT id FROM asked))
            WINDOW one AS (PARTITION BY message_id ORDER BY id)) x
     WHERE x.nth <= ${sql.lit(SUBMESSAGES_MAX)} AND x.bytes <= ${sql.lit(SUBMESSAGES_BYTES)}),
  'edits', (
    SELECT json_agg(json_build_object('message_id', e.message_id, 'user_id', e.user_id,
             'timestamp', floor(extract(epoch FROM e.at))::bigint, 'prev_content', e.prev_content,
             'prev_topic', e.prev_topic, 'topic', e.topic, 'prev_channel_id', e.prev_channel_id,
             'channel_id', e.channel_id) ORDER BY e.place)
      FROM (SELECT *, row_number() OVER one AS nth, sum(coalesce(octet_length(prev_content), 0)) OVER one AS bytes
              FROM (SELECT coalesce(rename_id, id) AS place, message_id, user_id, at, prev_content, prev_topic, topic,
                           prev_channel_id, channel_id
                      FROM message_edits WHERE message_id = ANY (ARRAY (SELECT id FROM asked))
                     UNION ALL
                    SELECT id, message_id, user_id, at, NULL, prev_name, name, NULL, NULL FROM renamed) AS changed
            WINDOW one AS (PARTITION BY message_id ORDER BY place DESC)) e
     WHERE e.nth <= ${sql.lit(EDITS_SHOWN)} AND (e.nth = 1 OR e.bytes <= ${sql.lit(EDITS_SHOWN_BYTES)})))`;

export interface AttachedOf {
  person(id: number): PersonBrief;
  avatarVersion(id: number): number;
  /** Everybody in a direct conversation, by id. */
  peopleIn(conversationId: number): readonly PersonBrief[];
  reactions(messageId: number): readonly ReactionRow[];
  submessages(messageId: number): readonly SubmessageRow[];
  /** Oldest first; if there are many, only the newest ones. */
  edits(messageId: number): readonly EditRow[];
}

/** Finds what belongs to each message. */
export function openAttached(attached: Attached): AttachedOf {
  const { id: ids, email, fullName, emailVisibility, avatarVersion } = attached.people;
  const people = new Map(
    (ids ?? []).map((id, n) => [
      id,
      {
        person: {
          id,
          email: email?.[n] ?? '',
          fullName: fullName?.[n] ?? '',
          emailVisibility: emailVisibility?.[n] ?? 0,
        },
        avatarVersion: avatarVersion?.[n] ?? 0,
      },
    ]),
  );
  const find = (id: number) => {
    const found = people.get(id);
    if (found === undefined) throw new Error(`Nobody has the id ${id}.`);
    return found;
  };
  const person = (id: number) => find(id).person;
  const direct = new Map((attached.direct ?? []).map((one) => [one.id, one.people]));
  const reactions = group(attached.reactions, ({ message_id: _message, ...reaction }) => ({
    ...reaction,
    user: person(reaction.user_id),
  }));
  const submessages = group(attached.submessages, (one) => one);
  const edits = group(attached.edits, ({ message_id: _message, ...edit }) => edit);
  return {
    person,
    avatarVersion: (id) => find(id).avatarVersion,
    peopleIn: (conversationId) =>
      (direct.get(conversationId) ?? []).toSorted((a, b) => a - b).map(person),
    reactions: (messageId) => reactions.get(messageId) ?? [],
    submessages: (messageId) => submessages.get(messageId) ?? [],
    edits: (messageId) => edits.get(messageId) ?? [],
  };
}

function group<T extends { readonly message_id: number }, U>(
  rows: readonly T[] | null,
  show: (row: T) => U,
): ReadonlyMap<number, U[]> {
  const groups = new Map<number, U[]>();
  for (const row of rows ?? []) {
    const list = groups.get(row.message_id);
    if (list === undefined) groups.set(row.message_id, [show(row)]);
    else list.push(show(row));
  }
  return groups;
}
