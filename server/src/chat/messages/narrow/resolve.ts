// Resolves a narrow for one reader: looks names up and builds the SQL condition. The condition includes what the
// reader may read, so messages found by it need no further check.
import { sql, type RawBuilder } from 'kysely';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { findDirectConversation, peopleOf } from '../../conversations/direct/access.ts';
import { findReadable, hasBeenCalled } from '../message/access.ts';
import { keyOf, NAME } from '../../conversations/topics/names.ts';
import { RESOLVED } from '../../conversations/topics/resolved.ts';
import { FLAG, MENTION_BITS } from '../message/flags.ts';
import { readChannelsForReader, type ChannelForReader } from '../message/channels-for-reader.ts';
import {
  IS_FOLLOWED,
  IS_MENTIONED,
  IS_MUTED,
  IS_OWN,
  IS_UNREAD,
  isVisible,
  listMessageRows,
} from '../message/rows.ts';
import { whereUnread } from '../unread/condition.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { findVisibleIds } from '../../rights/sight/access.ts';
import type { Rights } from '../../rights/permissions/rights.ts';
import { isFound, partsOfSearch, type SearchPart } from '../search/query.ts';
import { badNarrow } from './errors.ts';
import { chooseSource, conversationIdsOf, isWide, type Scope, type Source } from './sources.ts';
import type { Ask, HasOperand, IsOperand, Term } from './terms.ts';

export interface Narrowed {
  /** A condition on a message `m` and the reader's data, as message/rows.ts joins them. */
  readonly condition: RawBuilder<boolean>;
  /** The search texts, to be highlighted; empty without a search. */
  readonly searched: readonly string[];
  /** The only conversations in which unread messages can match; undefined if there are many. */
  readonly conversationIds: readonly number[] | undefined;
  /** Nothing in it says that only a few of the unread messages can match. */
  readonly mayHaveMuchUnread: boolean;
  /** Where its messages are, if a page should begin there. */
  readonly source: Source | undefined;
  /** The channels that were looked at. */
  readonly channels: readonly ChannelForReader[];
  /** For a search: its parts, whose conditions are whole. */
  readonly parts: readonly SearchPart[] | undefined;
  /** The best plan does not depend on the values, and there are few texts of this kind: a plan is worth keeping. */
  readonly isFixed: boolean;
}

type Where = RawBuilder<boolean>;
const NOTHING: Where = sql<boolean>`false`;
const EVERYTHING: Where = sql<boolean>`true`;

export interface NarrowOptions {
  /** Covers everything that the reader may read, received or not. */
  readonly withHistory?: boolean;
}

export async function resolveNarrow(
  db: Db,
  reader: Pick<User, 'id' | 'role' | 'botType'>,
  given: readonly Term[],
  { withHistory = false }: NarrowOptions = {},
): Promise<Narrowed> {
  const rights = await readRights(db, reader);
  const terms = await replaceWith(db, rights, given);
  const named = await findNamed(db, rights, terms);
  const scope = await findScope(db, rights, terms, named, withHistory);
  // Only bots are called.
  const called = reader.botType !== null && (await hasBeenCalled(db, rights.id));
  const source = chooseSource(rights.id, terms, scope);
  const sole = terms.find((term) => term.operator === 'channel' && !term.negated);
  const at = {
    named,
    scope,
    source,
    sole: sole?.operator === 'channel' ? sole.channel : undefined,
  };
  const others: Where[] = [
    isVisible(rights.id, scope.channels, { direct: scope.withDirect, called }),
  ];
  const searches: Where[] = [];
  for (const term of terms) {
    const where = await compile(db, rights, term, at);
    if (term.operator === 'search' && !term.negated) searches.push(where);
    else others.push(term.negated ? sql<boolean>`NOT coalesce(${where}, false)` : where);
  }
  if (!withHistory && !coversHistory(terms, named)) others.push(IS_OWN);
  const searched = terms.flatMap((term) =>
    term.operator === 'search' && !term.negated ? [term.text] : [],
  );
  const all = (conditions: readonly Where[]) => sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
  return {
    condition: all([...others, ...searches]),
    searched,
    parts:
      searched.length === 0
        ? undefined
        : (await partsOfSearch(db, searched)).map((part) => ({
            ...part,
            condition: all([...others, part.condition]),
          })),
    conversationIds: conversationIdsOf(scope),
    mayHaveMuchUnread: terms.every(isWide),
    source,
    channels: scope.channels,
    isFixed: isFixed(terms, source),
  };
}

const FIXED: ReadonlySet<string> = new Set(['channel', 'topic', 'dm', 'is', 'in']);
/** More terms could be combined in too many ways. */
const FIXED_MAX = 2;

function isFixed(terms: readonly Term[], source: Source | undefined): boolean {
  if (terms.length > FIXED_MAX) return false;
  return terms.every(
    (term) =>
      FIXED.has(term.operator) &&
      // Without a source, the ids of unread messages are in the text.
      !(term.operator === 'is' && term.what === 'unread' && source?.spans === undefined),
  );
}

/** The channels named by terms, by the name or id that was given. */
type NamedChannels = ReadonlyMap<string | number, ChannelForReader>;

async function findNamed(db: Db, rights: Rights, terms: readonly Term[]): Promise<NamedChannels> {
  const asked = terms.flatMap((term) => (term.operator === 'channel' ? [term.channel] : []));
  const named = new Map<string | number, ChannelForReader>();
  if (asked.length === 0) return named;
  const ids = asked.filter((one) => typeof one === 'number');
  const names = asked.filter((one) => typeof one === 'string');
  const candidates = [
    ...(ids.length > 0 ? await readChannelsForReader(db, rights, { channelIds: ids }) : []),
    ...(names.length > 0 ? await readChannelsForReader(db, rights, { names }) : []),
  ];
  for (const one of asked) {
    const channel = candidates.find((candidate) =>
      typeof one === 'number'
        ? candidate.channelId === one
        : candidate.name.toLowerCase() === one.toLowerCase(),
    );
    // A channel that the reader may not see is refused as unknown.
    if (channel === undefined || !channel.maySee) throw badNarrow(`unknown channel ${one}`);
    named.set(one, channel);
  }
  return named;
}

const isPlain = (term: Term): boolean => !term.negated;
const DIRECT: ReadonlySet<string> = new Set(['dm', 'dm-including', 'group-dm-including']);
const isDirect = (term: Term): boolean =>
  DIRECT.has(term.operator) || (term.operator === 'is' && term.what === 'dm');

/** Limits the channels to look at, so that a narrow to one channel does not check all of them. */
async function findScope(
  db: Db,
  rights: Rights,
  terms: readonly Term[],
  named: NamedChannels,
  withHistory: boolean,
): Promise<Scope> {
  const plain = terms.filter(isPlain);
  const channels = plain.flatMap((term) => {
    const channel = term.operator === 'channel' ? named.get(term.channel) : undefined;
    return channel === undefined ? [] : [channel];
  });
  if (channels.length > 0) return { channels, withDirect: false };
  if (plain.some(isDirect)) return { channels: [], withDirect: true };
  const ofAll = withHistory || plain.some(({ operator }) => operator === 'channels');
  const candidates = await readChannelsForReader(db, rights, ofAll ? 'all' : 'joined');
  const isOnlyChannels = plain.some(
    ({ operator }) => operator === 'channels' || operator === 'topic',
  );
  return { channels: candidates, withDirect: !isOnlyChannels };
}

/**
 * A narrow to channels that the reader may read covers their whole shared history. A narrow about the reader's flags,
 * or one without a channel, covers only messages that the reader received.
 */
function coversHistory(terms: readonly Term[], named: NamedChannels): boolean {
  if (terms.some((term) => term.operator === 'is' && term.what !== 'resolved')) return false;
  return terms.some(
    (term) =>
      !term.negated &&
      ((term.operator === 'channel' && named.get(term.channel)?.mayRead === true) ||
        (term.operator === 'channels' && term.which !== 'archived')),
  );
}

/**
 * Replaces `with` by the present conversation of its message. Negated, it excludes that conversation and leaves the
 * other terms unchanged.
 */
async function replaceWith(db: Db, rights: Rights, terms: readonly Term[]): Promise<Term[]> {
  const asked = terms.find((term) => term.operator === 'with');
  const others = terms.filter((term) => term.operator !== 'with');
  if (asked === undefined) return others;
  const { ids } = await findReadable(db, rights, [asked.id]);
  const [message] = await listMessageRows(db, rights.id, ids);
  if (message === undefined) {
    if (definesConversation(others)) return others;
    throw badNarrow("Invalid 'with' operator");
  }
  if (asked.negated) return [...others, asked];
  const rest = others.filter(({ operator }) => !CONVERSATION.has(operator));
  if (message.channelId === null) {
    const users = (message.people ?? []).map(({ id }) => id);
    return [...rest, { operator: 'dm', users, written: String(users), negated: false }];
  }
  return [
    ...rest,
    { operator: 'channel', channel: message.channelId, negated: false },
    { operator: 'topic', topic: message.topic, negated: false },
  ];
}

const CONVERSATION: ReadonlySet<string> = new Set(['channel', 'topic', 'dm']);

function definesConversation(terms: readonly Term[]): boolean {
  const has = (operator: string) =>
    terms.some((term) => !term.negated && term.operator === operator);
  return has('dm') || (has('channel') && has('topic'));
}

interface At {
  readonly named: NamedChannels;
  readonly scope: Scope;
  readonly source: Source | undefined;
  /** A channel that all messages of the narrow are in. */
  readonly sole: string | number | undefined;
}

async function compile(db: Db, rights: Rights, term: Term, at: At): Promise<Where> {
  const { named, scope, source } = at;
  switch (term.operator) {
    case 'channel':
      return sql<boolean>`m.conversation_id = ${named.get(term.channel)?.conversationId ?? 0}`;
    case 'channels':
      return ofKind(term.which);
    case 'topic':
      return isOfTopic(term.topic, at.sole === undefined ? undefined : named.get(at.sole));
    case 'dm':
      return direct(db, rights, term);
    case 'is':
      return is(db, rights, term.what, scope, source);
    case 'has':
      return has(term.what);
    case 'in':
      return term.where === 'home' ? sql<boolean>`NOT ${IS_MUTED}` : EVERYTHING;
    case 'id':
      return sql<boolean>`m.id = ${term.id}`;
    case 'search':
      return isFound(term.text);
    case 'with':
      return sql<boolean>`(m.conversation_id, lower(m.topic)) = (
        SELECT w.conversation_id, lower(w.topic) FROM messages w WHERE w.id = ${term.id})`;
    case 'near':
      return EVERYTHING;
    default:
      return ofUser(db, rights, term);
  }
}

/** In one channel the topic has one key, which the index knows. */
const isOfTopic = (topic: string, channel: ChannelForReader | undefined): Where =>
  channel === undefined
    ? sql<boolean>`(c.id IS NOT NULL AND lower(${NAME}) = lower(${topic}))`
    : sql<boolean>`(c.id IS NOT NULL AND lower(m.topic) = ${keyOf(channel.conversationId, topic)})`;

function ofKind(which: 'public' | 'web-public' | 'archived'): Where {
  switch (which) {
    case 'public':
      return sql<boolean>`(c.id IS NOT NULL AND NOT c.invite_only)`;
    case 'web-public':
      return sql<boolean>`(c.id IS NOT NULL AND c.is_web_public)`;
    default:
      return sql<boolean>`(c.id IS NOT NULL AND c.is_archived)`;
  }
}

async function direct(
  db: Db,
  rights: Rights,
  { users, written }: Extract<Ask, { operator: 'dm' }>,
): Promise<Where> {
  const ids = await findVisibleIds(db, rights, users);
  if (ids.some((id) => id === undefined)) throw badNarrow(`unknown user in ${written}`);
  const people = peopleOf([rights.id, ...ids.filter((id) => id !== undefined)]);
  const conversationId = await findDirectConversation(db, people);
  return conversationId === undefined
    ? NOTHING
    : sql<boolean>`m.conversation_id = ${conversationId}`;
}

async function ofUser(
  db: Db,
  rights: Rights,
  {
    operator,
    user,
  }: Extract<Ask, { operator: 'sender' | 'dm-including' | 'group-dm-including' | 'mentions' }>,
): Promise<Where> {
  const [id] = await findVisibleIds(db, rights, [user]);
  if (id === undefined) throw badNarrow(`unknown user ${user}`);
  const inDirect = (more: Where) => sql<boolean>`m.conversation_id IN (
    SELECT d.id FROM conversations d
     WHERE d.kind = 'direct' AND d.people @> ARRAY[${rights.id}, ${id}]::int[] AND ${more})`;
  switch (operator) {
    case 'sender':
      return sql<boolean>`m.sender_id = ${id}`;
    case 'dm-including':
      return inDirect(EVERYTHING);
    case 'group-dm-including':
      return inDirect(sql<boolean>`cardinality(d.people) > 2`);
    default:
      return sql<boolean>`EXISTS (SELECT FROM message_flags n
        WHERE n.message_id = m.id AND n.user_id = ${id} AND n.flags & ${sql.lit(FLAG.namedPersonally)} <> 0)`;
  }
}

async function is(
  db: Db,
  rights: Rights,
  what: IsOperand,
  scope: Scope,
  source: Source | undefined,
): Promise<Where> {
  switch (what) {
    case 'dm':
      return sql<boolean>`c.id IS NULL`;
    case 'starred':
      return flagged(rights.id, FLAG.starred);
    case 'unread':
      // A page from spans looks at nothing else, so it needs no list of what is unread.
      if (source?.spans !== undefined) return IS_UNREAD;
      return (await whereUnread(db, rights.id, conversationIdsOf(scope))) ?? NOTHING;
    case 'mentioned':
      return sql<boolean>`(m.id IN (
        SELECT n.message_id FROM message_flags n
         WHERE n.user_id = ${rights.id} AND n.flags & ${sql.lit(MENTION_BITS)} <> 0
        UNION ALL
        SELECT e.id FROM messages e WHERE e.mentions_everyone) AND ${IS_MENTIONED})`;
    case 'alerted':
      return flagged(rights.id, FLAG.alertWord);
    case 'resolved':
      return sql<boolean>`(c.id IS NOT NULL AND starts_with(${NAME}, ${sql.lit(RESOLVED)}))`;
    case 'followed':
      return IS_FOLLOWED;
    default:
      return IS_MUTED;
  }
}

/** Looks in the flags, which are few, and not in the messages. */
const flagged = (readerId: number, bit: number): Where => sql<boolean>`m.id IN (
  SELECT n.message_id FROM message_flags n WHERE n.user_id = ${readerId} AND n.flags & ${sql.lit(bit)} <> 0)`;

function has(what: HasOperand): Where {
  switch (what) {
    case 'attachment':
      return sql<boolean>`m.has_attachment`;
    case 'image':
      return sql<boolean>`m.has_image`;
    case 'link':
      return sql<boolean>`m.has_link`;
    default:
      return sql<boolean>`EXISTS (SELECT FROM reactions r WHERE r.message_id = m.id)`;
  }
}
