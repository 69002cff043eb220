// The inbox as lines on the screen: what is open, what the filter leaves, and where the arrow keys lead.
import type { Channel, ConversationKey } from '../../state/entities.ts';
import type { Inbox, Waiting, WaitingTopic } from './derive.ts';

export type InboxRow = SectionRow | ChannelRow | TopicRow | DirectRow;

interface RowBase {
  readonly key: string;
  readonly level: 1 | 2 | 3;
  readonly count: number;
  readonly isMentioned: boolean;
  /** The conversations in it, shown or not: together they have `count` unread messages. */
  readonly keys: readonly ConversationKey[];
  /** Of a row with rows under it. */
  readonly isOpen?: boolean;
  readonly parentKey?: string;
}

export interface SectionRow extends RowBase {
  readonly kind: 'section';
  /** `directs`, `pinned`, `folder:7` or `other`. */
  readonly section: string;
  readonly name: string | undefined;
  readonly isOpen: boolean;
}

export interface ChannelRow extends RowBase {
  readonly kind: 'channel';
  readonly channel: Channel;
  readonly isOpen: boolean;
}

export interface TopicRow extends RowBase {
  readonly kind: 'topic';
  readonly channel: Channel;
  readonly topic: WaitingTopic;
}

export interface DirectRow extends RowBase {
  readonly kind: 'direct';
  readonly userIds: readonly number[];
}

export interface RowsView {
  /** Keys of rows that are closed. */
  readonly closed: ReadonlySet<string>;
  /** Whether the text of a row fits what is typed into the filter; undefined: no filter. */
  readonly fits?: ((text: string) => boolean) | undefined;
  /** The names in a direct conversation, as the filter sees them. */
  namesOf(userIds: readonly number[]): string;
}

/** A filter opens everything: what it found must not hide behind a closed folder. */
export function layoutRows(inbox: Inbox, view: RowsView): InboxRow[] {
  const { fits } = view;
  const isOpen = (key: string) => fits !== undefined || !view.closed.has(key);
  const section = (key: string, name: string | undefined, all: readonly Waiting[]): SectionRow => ({
    kind: 'section',
    key,
    section: key,
    name,
    level: 1,
    ...totals(all),
    isOpen: isOpen(key),
  });
  const rows: InboxRow[] = [];
  const directs = inbox.directs.filter((one) => fits?.(view.namesOf(userIdsOf(one))) ?? true);
  if (directs.length > 0) {
    rows.push(section('directs', undefined, directs));
    if (isOpen('directs')) rows.push(...directs.map(directRow));
  }
  for (const { key, name, channels } of inbox.sections) {
    const kept = channels.flatMap(({ channel, topics }) => {
      const left =
        fits === undefined || fits(channel.name)
          ? topics
          : topics.filter(({ topic }) => fits(topic));
      return left.length === 0 ? [] : [{ channel, topics: left }];
    });
    if (kept.length === 0) continue;
    rows.push(
      section(
        key,
        name,
        kept.flatMap(({ topics }) => topics),
      ),
    );
    if (!isOpen(key)) continue;
    for (const { channel, topics } of kept) {
      const channelKey = `channel:${channel.id}`;
      rows.push({
        kind: 'channel',
        key: channelKey,
        parentKey: key,
        channel,
        level: 2,
        ...totals(topics),
        isOpen: isOpen(channelKey),
      });
      if (!isOpen(channelKey)) continue;
      rows.push(...topics.map((topic) => topicRow(topic, channel, channelKey)));
    }
  }
  return rows;
}

const userIdsOf = ({ conversation }: Waiting): readonly number[] =>
  conversation.kind === 'direct' ? conversation.userIds : [];

const directRow = (direct: Waiting): DirectRow => ({
  kind: 'direct',
  key: direct.key,
  parentKey: 'directs',
  userIds: userIdsOf(direct),
  level: 2,
  ...totals([direct]),
});

const topicRow = (topic: WaitingTopic, channel: Channel, parentKey: string): TopicRow => ({
  kind: 'topic',
  key: topic.key,
  parentKey,
  channel,
  topic,
  level: 3,
  ...totals([topic]),
});

const totals = (of: readonly Waiting[]): Pick<RowBase, 'count' | 'isMentioned' | 'keys'> => ({
  keys: of.map(({ key }) => key),
  count: of.reduce((sum, { count }) => sum + count, 0),
  isMentioned: of.some(({ isMentioned }) => isMentioned),
});

/** What a key does to the row in focus. */
export type RowAct =
  | { readonly act: 'focus'; readonly key: string }
  | { readonly act: 'close' | 'open'; readonly key: string };

export type RowKey = 'up' | 'down' | 'home' | 'end' | 'inward' | 'outward';

/** `inward` is the arrow towards the end of the line: Right in English, Left in Persian. */
export function pressKey(
  rows: readonly InboxRow[],
  focusKey: string | undefined,
  pressed: RowKey,
): RowAct | undefined {
  const index = rows.findIndex(({ key }) => key === focusKey);
  const row = rows[index];
  const focus = (target: InboxRow | undefined): RowAct | undefined =>
    target && { act: 'focus', key: target.key };
  if (row === undefined)
    return focus(pressed === 'up' || pressed === 'end' ? rows.at(-1) : rows[0]);
  switch (pressed) {
    case 'up':
      return focus(rows[index - 1]);
    case 'down':
      return focus(rows[index + 1]);
    case 'home':
      return focus(rows[0]);
    case 'end':
      return focus(rows.at(-1));
    case 'inward':
      if (row.isOpen === undefined) return undefined;
      return row.isOpen ? focus(rows[index + 1]) : { act: 'open', key: row.key };
    case 'outward':
      if (row.isOpen === true) return { act: 'close', key: row.key };
      return focus(rows.find(({ key }) => key === row.parentKey));
  }
}

/** Where the focus goes when its row is gone: to the one that took its place, or the last one. */
export function keepFocus(
  before: readonly InboxRow[],
  after: readonly InboxRow[],
  focusKey: string | undefined,
): string | undefined {
  if (after.some(({ key }) => key === focusKey)) return focusKey;
  const was = before.findIndex(({ key }) => key === focusKey);
  const left = new Set(after.map(({ key }) => key));
  const next = before.slice(was + 1).find(({ key }) => left.has(key));
  return next?.key ?? after.at(-1)?.key;
}
