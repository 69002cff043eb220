// Messages in a client's initial state, and how that state follows from it with the events.
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { notInState, type RegisterPart } from '../../register-part.ts';
import { findReadable } from './access.ts';
import { MESSAGE_EVENTS, type MessagesDeleted, type MessageSent } from './events.ts';
import { findMaxMessageId, listStarred } from './store.ts';

/** Clients get this id when there is no message at all. */
const NO_MESSAGE = -1;
const STARRED_MAX = 10_000;

export const readMaxMessageId = async (db: Db, userId: number): Promise<number> =>
  (await findMaxMessageId(db, userId)) ?? NO_MESSAGE;

/** The person's starred messages that they may still read. */
async function loadStarred(db: Db, reader: Pick<User, 'id' | 'role'>): Promise<readonly number[]> {
  const starred = await listStarred(db, reader.id, STARRED_MAX);
  return (await findReadable(db, await readRights(db, reader), starred)).ids;
}

interface MessagesState {
  readonly max_message_id: number;
  readonly starred_messages: readonly number[];
}

/** Of an event of flags, what matters here. */
interface FlagsChanged {
  readonly op: 'add' | 'remove';
  readonly flag: string;
  readonly messages: readonly number[];
}

const withoutIds = (ids: readonly number[], gone: readonly number[]): number[] => {
  const left = new Set(gone);
  return ids.filter((id) => !left.has(id));
};

function followFlags(state: MessagesState, { op, flag, messages }: FlagsChanged): object {
  if (flag !== 'starred') return {};
  const others = withoutIds(state.starred_messages, messages);
  const starred = op === 'add' ? [...others, ...messages] : others;
  return { starred_messages: starred.sort((a, b) => a - b) };
}

export const messagesPart = {
  load: {
    message: async ({ db, user }) => ({ max_message_id: await readMaxMessageId(db, user.id) }),
    starred_messages: async ({ db, user }) => ({ starred_messages: await loadStarred(db, user) }),
  },
  events: MESSAGE_EVENTS,
  applyInTests: {
    message: (state: MessagesState, { message }: MessageSent) => ({
      max_message_id: Math.max(state.max_message_id, message.id),
    }),
    update_message: notInState,
    delete_message: (state: MessagesState, { message_id, message_ids }: MessagesDeleted) => ({
      starred_messages: withoutIds(state.starred_messages, message_ids ?? [message_id ?? 0]),
    }),
  },
  followInTests: { update_message_flags: followFlags },
} satisfies RegisterPart;
