// Direct conversations in a client's initial state, and how that follows from it with the messages that are sent.
import type { Db } from '../../../platform/db/pool.ts';
import type { RegisterPart } from '../../register-part.ts';
import { listRecentDirect } from './store.ts';

const RECENT_MAX = 1000;

interface RecentDirect {
  /** Everybody else; nobody for notes to oneself. */
  readonly user_ids: readonly number[];
  readonly max_message_id: number;
}

async function loadRecentDirect(db: Db, userId: number): Promise<RecentDirect[]> {
  const recent = await listRecentDirect(db, userId, RECENT_MAX);
  return recent.map(({ people, maxMessageId }) => ({
    user_ids: people.filter((id) => id !== userId),
    max_message_id: maxMessageId,
  }));
}

interface DirectState {
  readonly user_id: number;
  readonly recent_private_conversations: readonly RecentDirect[];
}

/** Of a message event, what matters here. A channel's message has the channel's name as its recipient. */
interface Sent {
  readonly message: {
    readonly id: number;
    readonly display_recipient: string | readonly { readonly id: number }[];
  };
}

/** The conversation of the latest message comes first. */
function applySent(state: DirectState, { message }: Sent): object {
  if (typeof message.display_recipient === 'string') return {};
  const people = message.display_recipient.map(({ id }) => id);
  const others = people.filter((id) => id !== state.user_id);
  const rest = state.recent_private_conversations.filter(
    ({ user_ids }) => String(user_ids) !== String(others),
  );
  const latest: RecentDirect = { user_ids: others, max_message_id: message.id };
  return { recent_private_conversations: [latest, ...rest] };
}

export const directPart = {
  load: {
    recent_private_conversations: async ({ db, user }) => ({
      recent_private_conversations: await loadRecentDirect(db, user.id),
    }),
  },
  events: [],
  followInTests: { message: applySent },
} satisfies RegisterPart;
