// What can be done to a topic, as calls of the API. Nothing is shown here.
import { ChatError, type Chat } from '@rialto/sdk';

export interface TopicAt {
  readonly channelId: number;
  readonly topic: string;
}

/** Which messages of a topic go: all, this one and later ones, or this one alone. */
export type MoveReach = 'whole' | 'from-here' | 'one';

export interface Move {
  /** A message of the topic; with `from-here` the first one that goes. */
  readonly messageId: number;
  readonly reach: MoveReach;
  readonly to: Partial<TopicAt>;
  readonly tellOld: boolean;
  readonly tellNew: boolean;
}

/** A move that the limit of time allows only in part: the older messages have to stay. */
export interface PartialMove {
  readonly firstId: number;
  readonly allowed: number;
  readonly total: number;
}

const MODES = { whole: 'change_all', 'from-here': 'change_later', one: 'change_one' } as const;

/** Returns what is possible if not all of it is; then nothing was moved, and the person decides. */
export async function moveMessages(
  chat: Pick<Chat, 'updateMessage'>,
  { messageId, reach, to, tellOld, tellNew }: Move,
): Promise<PartialMove | undefined> {
  try {
    await chat.updateMessage({
      message_id: messageId,
      propagate_mode: MODES[reach],
      ...(to.topic !== undefined && { topic: to.topic }),
      ...(to.channelId !== undefined && { stream_id: to.channelId }),
      send_notification_to_old_thread: tellOld,
      send_notification_to_new_thread: tellNew,
    });
    return undefined;
  } catch (error) {
    const partial = partialOf(error);
    if (partial === undefined) throw error;
    return partial;
  }
}

function partialOf(error: unknown): PartialMove | undefined {
  if (!(error instanceof ChatError) || error.code !== 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED') {
    return undefined;
  }
  const firstId = error.details['first_message_id_allowed_to_move'];
  const allowed = error.details['total_messages_allowed_to_move'];
  const total = error.details['total_messages_in_topic'];
  const isKnown =
    typeof firstId === 'number' && typeof allowed === 'number' && typeof total === 'number';
  return isKnown && allowed > 0 ? { firstId, allowed, total } : undefined;
}

/** So many answers "not all yet" end an act that the server does in parts. */
const PARTS_MAX = 200;

/** How an act in parts ended; `stopped` and `unfinished` left something. */
export type Ended = 'done' | 'stopped' | 'unfinished';

/** Deletes a topic; the server does it in parts, the newest messages first. */
export const deleteTopic = (
  chat: Pick<Chat, 'deleteTopic'>,
  { channelId, topic }: TopicAt,
  signal?: AbortSignal,
): Promise<Ended> =>
  inParts(async () => {
    const { complete } = await chat.deleteTopic({ stream_id: channelId, topic_name: topic });
    return complete;
  }, signal);

async function inParts(part: () => Promise<boolean>, signal?: AbortSignal): Promise<Ended> {
  for (let n = 0; n < PARTS_MAX; n++) {
    if (signal?.aborted) return 'stopped';
    if (await part()) return 'done';
  }
  return 'unfinished';
}
