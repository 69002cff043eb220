// What a reader can do with messages, by pointer, menu and keys alike.
import { useMemo } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Message } from '../../state/entities.ts';
import { messageOf } from '../../state/select.ts';
import { useStore } from '../../state/react.ts';
import { useAnnouncer } from '../../ui/announcer.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { composeBoxOf } from '../compose/box.ts';
import { fromMessage } from '../narrow/narrow.ts';
import { printNarrow } from '../narrow/print.ts';
import type { Acts, Over } from './context.tsx';
import { texts } from './texts.ts';

/** The address of a message, for sharing. */
export function linkOf(message: Message): string {
  const { conversation, id } = message;
  const narrow = fromMessage(
    conversation.kind === 'topic'
      ? { id, channelId: conversation.channelId, topic: conversation.topic }
      : { id, userIds: conversation.userIds },
  );
  return `${location.origin}/${printNarrow(narrow)}`;
}

export const whyOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export function useMakeActs(local: {
  readonly select: (id: number) => void;
  readonly edit: (id: number | undefined) => void;
  readonly open: (over: Over) => void;
}): Acts {
  const store = useStore();
  const t = useTexts(texts);
  const toasts = useToasts();
  const announcer = useAnnouncer();
  const { select, edit, open } = local;
  return useMemo((): Acts => {
    const { chat } = store.client;
    const box = composeBoxOf(store);
    const attempt = (work: Promise<unknown>) => {
      work.catch((error: unknown) =>
        toasts.show({ text: t.actFailed({ why: whyOf(error) }), tone: 'danger' }),
      );
    };
    return {
      select,
      edit,
      open,
      reply: (message) => box.replyTo(message.conversation),
      quote: (message) => attempt(box.quote(message, linkOf(message))),
      toggleReaction(message, { emojiName, emojiCode, reactionType }) {
        const ownId = store.state.own.userId;
        const params = {
          message_id: message.id,
          emoji_name: emojiName,
          emoji_code: emojiCode,
          reaction_type: reactionType,
        };
        const isMine = messageOf(store.state, message.id)?.reactions.some(
          (one) => one.userId === ownId && one.emojiCode === emojiCode,
        );
        attempt(isMine === true ? chat.removeReaction(params) : chat.addReaction(params));
      },
      toggleStar(message) {
        const op = store.state.starred.has(message.id) ? 'remove' : 'add';
        attempt(chat.updateMessageFlags({ messages: [message.id], op, flag: 'starred' }));
      },
      copyLink(message) {
        attempt(
          navigator.clipboard.writeText(linkOf(message)).then(() => {
            toasts.show({ text: t.copied });
            announcer.say(t.copied);
          }),
        );
      },
      markUnread(message) {
        const later = [...store.state.messages.values()]
          .filter(({ id, key }) => key === message.key && id >= message.id)
          .map(({ id }) => id);
        attempt(chat.updateMessageFlags({ messages: later, op: 'remove', flag: 'read' }));
      },
    };
  }, [store, t, toasts, announcer, select, edit, open]);
}
