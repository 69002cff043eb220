// What can be done with a whole conversation: one menu for the navigation, the lists and the heading of a conversation.
import { lazy, Suspense, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { VISIBILITY, type Conversation } from '../../state/entities.ts';
import { isTopicMuted, unreadIdsOf, visibilityOf } from '../../state/select.ts';
import { useStore } from '../../state/react.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import type { MenuAct, MenuEntry } from '../../ui/menu-entry.ts';
import { useToasts } from '../../ui/toasts-context.tsx';
import { conversationHref } from '../place/address.ts';
import { markMessages } from '../place/read.ts';
import { topicRights } from '../rights/rights.ts';
import { moveMessages, type TopicAt } from './acts.ts';
import { anchorOf } from './anchor.ts';
import { isResolved, markResolved } from './resolved.ts';
import { texts } from './texts.ts';

const MoveTopicDialog = lazy(() =>
  import('./move-dialog.tsx').then((file) => ({ default: file.MoveTopicDialog })),
);
const DeleteTopicDialog = lazy(() =>
  import('./delete-dialog.tsx').then((file) => ({ default: file.DeleteTopicDialog })),
);
const PrintSheet = lazy(() => import('../print/sheet.tsx'));

export interface ConversationMenuProps {
  readonly conversation: Conversation;
  readonly size?: 'normal' | 'small';
  readonly className?: string;
  /** In lists that the arrow keys walk through. */
  readonly isTabStop?: boolean;
}

type Open = 'rename' | 'move' | 'delete' | 'print';

export function ConversationMenu({
  conversation,
  size = 'normal',
  className,
  isTabStop = true,
}: ConversationMenuProps) {
  const t = useTexts(texts);
  const [open, setOpen] = useState<Open>();
  const entries = useEntries(conversation, setOpen);
  const label = conversation.kind === 'topic' ? t.menu : t.directMenu;
  const onClose = () => setOpen(undefined);
  return (
    <>
      <MenuButton
        label={label}
        placement="bottom end"
        entries={entries}
        button={(props) => (
          <IconButton
            {...props}
            icon="more"
            label={label}
            size={size}
            className={className}
            excludeFromTabOrder={!isTabStop}
          />
        )}
      />
      {open !== undefined && (
        <Suspense>
          {open === 'print' && <PrintSheet conversation={conversation} onClose={onClose} />}
          {conversation.kind === 'topic' && (open === 'rename' || open === 'move') && (
            <MoveTopicDialog at={conversation} isRename={open === 'rename'} onClose={onClose} />
          )}
          {conversation.kind === 'topic' && open === 'delete' && (
            <DeleteTopicDialog at={conversation} onClose={onClose} />
          )}
        </Suspense>
      )}
    </>
  );
}

/** Asked while the menu is open: what is unread, muted and permitted then. */
function useEntries(conversation: Conversation, open: (what: Open) => void): () => MenuEntry[] {
  const t = useTexts(texts);
  const store = useStore();
  const toasts = useToasts();
  const { chat } = store.client;

  /** Says what the server said, when an act of the menu fails. */
  const attempt = (act: () => Promise<unknown>) => () => {
    act().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      toasts.show({ tone: 'danger', text: `${t.notDone} ${why}` });
    });
  };
  const copy = async () => {
    const href = conversationHref(store.state, conversation);
    await navigator.clipboard.writeText(new URL(href, location.origin).href);
    toasts.show({ text: t.copied });
  };
  const resolve = async (at: TopicAt) => {
    const max = store.state.organization.limits['topicLength'] ?? 60;
    const name = markResolved(at.topic, !isResolved(at.topic), max);
    if (name === undefined) throw new Error(t.noRoom({ max }));
    const messageId = await anchorOf(store, at);
    if (messageId === undefined) throw new Error(t.unknownTopic);
    const to = { topic: name };
    await moveMessages(chat, { messageId, reach: 'whole', to, tellOld: false, tellNew: true });
  };
  const visibility = ({ channelId, topic }: TopicAt): MenuAct[] => {
    const policy = visibilityOf(store.state, channelId, topic);
    const set = (value: (typeof VISIBILITY)[keyof typeof VISIBILITY]) =>
      attempt(() =>
        chat.updateUserTopic({ stream_id: channelId, topic, visibility_policy: value }),
      );
    return [
      policy === VISIBILITY.followed
        ? { text: t.unfollow, icon: 'eyeOff', act: set(VISIBILITY.inherit) }
        : { text: t.follow, icon: 'eye', act: set(VISIBILITY.followed) },
      isTopicMuted(store.state, channelId, topic)
        ? {
            text: t.unmute,
            icon: 'bell',
            // In a muted channel a topic has to be unmuted by itself.
            act: set(policy === VISIBILITY.muted ? VISIBILITY.inherit : VISIBILITY.unmuted),
          }
        : { text: t.mute, icon: 'mute', act: set(VISIBILITY.muted) },
    ];
  };
  const changes = (at: TopicAt): MenuEntry[] => {
    const rights = topicRights(store.state, at.channelId);
    const all: (MenuEntry | false)[] = [
      at.topic !== '' &&
        rights.mayResolve && {
          text: isResolved(at.topic) ? t.unresolve : t.resolve,
          icon: 'check',
          act: attempt(() => resolve(at)),
        },
      rights.mayRename && { text: t.rename, icon: 'edit', act: () => open('rename') },
      (rights.mayMoveOut || rights.mayRename) && {
        text: t.move,
        icon: 'forward',
        act: () => open('move'),
      },
      rights.mayDelete && 'line',
      rights.mayDelete && {
        text: t.delete,
        icon: 'trash',
        isDanger: true,
        act: () => open('delete'),
      },
    ];
    return all.filter((entry) => entry !== false);
  };
  return () => {
    const unread = unreadIdsOf(store.state, conversation);
    const isTopic = conversation.kind === 'topic';
    return [
      {
        text: t.markRead,
        icon: 'check',
        isDisabled: unread.length === 0,
        act: attempt(() => markMessages(chat, unread, true)),
      },
      ...(isTopic ? visibility(conversation) : []),
      { text: t.copyLink, icon: 'link', act: attempt(copy) },
      { text: t.print, icon: 'file', act: () => open('print') },
      ...(isTopic ? changes(conversation) : []),
    ];
  };
}
