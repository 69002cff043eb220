// Which of the recent conversations are shown.
import { derive } from '../../state/derive.ts';
import type { ConversationKey } from '../../state/entities.ts';
import type { RecentConversation } from '../../state/select.ts';

/** Where the person wrote, as far as messages are known. */
export const participatedKeys = derive(
  ['messages'],
  (state): ReadonlySet<ConversationKey> =>
    new Set(
      [...state.messages.values()]
        .filter(({ senderId }) => senderId === state.own.userId)
        .map(({ key }) => key),
    ),
);

/** The chips over the list. All that are pressed must hold. */
export interface RecentFilters {
  readonly unread: boolean;
  readonly participated: boolean;
  readonly direct: boolean;
  /** Muted conversations are left out unless it is pressed. */
  readonly muted: boolean;
}

export const filterRecent = (
  conversations: readonly RecentConversation[],
  filters: RecentFilters,
  participated: ReadonlySet<ConversationKey>,
): RecentConversation[] =>
  conversations.filter(
    ({ key, conversation, unread, isMuted }) =>
      (!filters.unread || unread > 0) &&
      (!filters.participated || participated.has(key)) &&
      (!filters.direct || conversation.kind === 'direct') &&
      (filters.muted || !isMuted),
  );
