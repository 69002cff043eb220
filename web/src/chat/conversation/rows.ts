// The rows of a conversation. What stands above a message (its day, its topic, the unread line, its sender) depends on
// the message before it and on nothing else, so rows that are drawn never change when older ones are loaded above them.

/** As much of a message as rows need; one that is being sent has no id yet. */
export interface RowMessage {
  readonly key: string;
  readonly id?: number;
  readonly senderId: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** The same text for all messages of one topic, or of one circle of people. */
  readonly place: string;
  /** A line that stands alone, as "/me waves" does: it repeats its sender. */
  readonly alone?: boolean;
}

export interface Row {
  readonly key: string;
  readonly id: number | undefined;
  /** It begins a day: the time of the message, in seconds. */
  readonly day: number | undefined;
  /** It begins a topic or a circle of people. */
  readonly startsPlace: boolean;
  /** It is the first unread one, and this many are. */
  readonly unread: number | undefined;
  /** It shows its sender. */
  readonly startsSender: boolean;
}

const SAME_SENDER_SECONDS = 10 * 60;

export interface RowsOf {
  /** Ascending. */
  readonly messages: readonly RowMessage[];
  /** Nothing older exists. Otherwise the first message is not drawn: it tells how the second one begins. */
  readonly oldest: boolean;
  /** The unread line as it was when the conversation was opened. */
  readonly unreadLine?: UnreadLine | undefined;
  /** Names the day of a time, in the reader's calendar and time zone. */
  readonly dayOf: (timestamp: number) => string;
}

export interface UnreadLine {
  readonly firstId: number;
  readonly count: number;
}

/** Rows that say the same as before are the same objects, so that nothing draws them again. */
export function deriveRows(
  { messages, oldest, unreadLine, dayOf }: RowsOf,
  before: readonly Row[] = [],
): readonly Row[] {
  const known = new Map(before.map((row) => [row.key, row]));
  const rows: Row[] = [];
  let lineDrawn = unreadLine === undefined;
  for (const [index, message] of messages.entries()) {
    const previous = messages[index - 1];
    if (previous === undefined && !oldest) continue;
    const startsDay =
      previous === undefined || dayOf(previous.timestamp) !== dayOf(message.timestamp);
    const startsPlace = previous?.place !== message.place;
    const unread =
      !lineDrawn && message.id !== undefined && message.id >= (unreadLine?.firstId ?? Infinity)
        ? unreadLine?.count
        : undefined;
    lineDrawn ||= unread !== undefined;
    const row: Row = {
      key: message.key,
      id: message.id,
      day: startsDay ? message.timestamp : undefined,
      startsPlace,
      unread,
      startsSender:
        startsDay ||
        startsPlace ||
        unread !== undefined ||
        message.alone === true ||
        previous?.alone === true ||
        previous?.senderId !== message.senderId ||
        message.timestamp - previous.timestamp > SAME_SENDER_SECONDS,
    };
    const same = known.get(row.key);
    rows.push(same !== undefined && equal(same, row) ? same : row);
  }
  return rows.length === before.length && rows.every((row, index) => row === before[index])
    ? before
    : rows;
}

function equal(a: Row, b: Row): boolean {
  return (
    a.id === b.id &&
    a.day === b.day &&
    a.startsPlace === b.startsPlace &&
    a.unread === b.unread &&
    a.startsSender === b.startsSender
  );
}
