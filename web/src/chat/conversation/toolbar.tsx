// What can be done with a message: three acts at hand, the others in a menu. Shown on hover and on focus.
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Message } from '../../state/entities.ts';
import { isStarred } from '../../state/select.ts';
import { useStore } from '../../state/react.ts';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import type { MenuEntry } from '../../ui/menu-entry.ts';
import { useKeysOf } from '../../ui/shortcuts/shortcuts.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useActs } from './context.tsx';
import { ReactButton } from './react-button.tsx';
import { texts } from './texts.ts';

export function Toolbar({ message }: { readonly message: Message }) {
  const t = useTexts(texts);
  const acts = useActs();
  const [isOpen, setOpen] = useState(false);
  const keys = useKeysOf('reply');
  return (
    <div
      className={classes(
        'absolute end-3 top-0 z-10 -translate-y-1/2 items-center rounded-control border border-line bg-raised p-0.5 shadow-raised',
        'group-focus-within/row:flex group-hover/row:flex',
        isOpen ? 'flex' : 'hidden',
      )}
    >
      <span className="flex">
        <Tooltip text={t.reply} keys={keys}>
          <IconButton
            icon="reply"
            label={t.reply}
            size="small"
            onPress={() => acts.reply(message)}
          />
        </Tooltip>
        <ReactButton message={message} look="icon" onOpenChange={setOpen} />
      </span>
      <MessageMenu message={message} onOpenChange={setOpen} />
    </div>
  );
}

function MessageMenu({
  message,
  onOpenChange,
}: {
  readonly message: Message;
  readonly onOpenChange: (isOpen: boolean) => void;
}) {
  const t = useTexts(texts);
  const acts = useActs();
  const store = useStore();
  const keys = {
    quote: useKeysOf('quote'),
    edit: useKeysOf('edit'),
    reply: useKeysOf('reply'),
    unread: useKeysOf('mark-unread'),
  };
  const { id } = message;
  const entries = (): MenuEntry[] => {
    const { state } = store;
    const isMine = message.senderId === state.own.userId;
    const starred = isStarred(state, id);
    const all: (MenuEntry | false)[] = [
      { text: t.reply, icon: 'reply', keys: keys.reply, act: () => acts.reply(message) },
      { text: t.quote, icon: 'quote', keys: keys.quote, act: () => acts.quote(message) },
      isMine && { text: t.edit, icon: 'edit', keys: keys.edit, act: () => acts.edit(id) },
      message.conversation.kind === 'topic' && {
        text: t.move,
        icon: 'topic',
        act: () => acts.open({ kind: 'move', id }),
      },
      {
        text: starred ? t.unstar : t.star,
        icon: starred ? 'starred' : 'star',
        act: () => acts.toggleStar(message),
      },
      {
        text: t.markUnread,
        icon: 'eyeOff',
        keys: keys.unread,
        act: () => acts.markUnread(message),
      },
      { text: t.copyLink, icon: 'link', act: () => acts.copyLink(message) },
      (message.editedAt !== undefined || message.movedAt !== undefined) && {
        text: t.history,
        icon: 'clock',
        act: () => acts.open({ kind: 'history', id }),
      },
      state.organization.settings['enable_read_receipts'] !== false && {
        text: t.readers,
        icon: 'eye',
        act: () => acts.open({ kind: 'readers', id }),
      },
      isMine && {
        text: t.remove,
        icon: 'trash',
        isDanger: true,
        act: () => acts.open({ kind: 'delete', id }),
      },
    ];
    return all.filter((entry) => entry !== false);
  };
  return (
    <MenuButton
      label={t.more}
      placement="bottom end"
      onOpenChange={onOpenChange}
      entries={entries}
      button={(props) => <IconButton {...props} icon="more" label={t.more} size="small" />}
    />
  );
}
