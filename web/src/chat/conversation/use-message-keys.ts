// The keys of the message that is selected.
import type { Message } from '../../state/entities.ts';
import { useStore } from '../../state/react.ts';
import { useShortcut } from '../../ui/shortcuts/shortcuts.tsx';
import type { Acts } from './context.tsx';
import type { Feed } from './feed.ts';

const THUMBS_UP = { emojiName: '+1', emojiCode: '1f44d', reactionType: 'unicode_emoji' };

export function useMessageKeys(feed: Feed, message: Message | undefined, acts: Acts): void {
  const store = useStore();
  const hasOne = message !== undefined;
  const withMessage = (act: (one: Message) => void) => () => {
    if (message !== undefined) act(message);
  };
  const step = (by: 1 | -1) => () => {
    const ids = feed.view().span?.ids ?? [];
    const at = message === undefined ? -1 : ids.indexOf(message.id);
    const next = ids[at < 0 ? ids.length - 1 : at + by];
    if (next === undefined) void (by === 1 ? feed.loadNewer() : feed.loadOlder());
    else focusMessage(next, acts);
  };
  useShortcut('next', step(1));
  useShortcut('previous', step(-1));
  useShortcut('reply', withMessage(acts.reply), hasOne);
  useShortcut('quote', withMessage(acts.quote), hasOne);
  useShortcut(
    'thumbs-up',
    withMessage((one) => acts.toggleReaction(one, THUMBS_UP)),
    hasOne,
  );
  useShortcut('mark-unread', withMessage(acts.markUnread), hasOne);
  useShortcut(
    'edit',
    withMessage((one) => acts.edit(one.id)),
    hasOne && message.senderId === store.state.own.userId,
  );
}

/** Selecting keeps the row mounted, so that the focus finds it once it is drawn. */
function focusMessage(id: number, acts: Acts): void {
  acts.select(id);
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>(`[data-message="${id}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  });
}
