// Everything that was written and not sent.
import { writeRecent } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import type { LocalDraft } from '../../state/drafts.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { conversationHref, RECENT_HREF } from '../place/address.ts';
import { WaitingItem } from './item.tsx';
import { ListPage, moveByKey } from './page.tsx';
import { texts } from './texts.ts';

export interface DraftsProps {
  /** Opens a draft that is addressed to nobody yet in the compose box. */
  readonly onCompose: (draft: LocalDraft) => void;
}

export function Drafts({ onCompose }: DraftsProps) {
  const t = useTexts(texts);
  const locale = useLocale();
  const store = useStore();
  const toasts = useToasts();
  const drafts = useSelect(store, () => store.drafts.list());
  const remove = ({ id, destination, content }: LocalDraft) => {
    store.drafts.remove(id);
    toasts.show({
      text: t.draftDeleted,
      action: { label: t.undo, onPress: () => void store.drafts.save({ destination, content }) },
    });
  };
  return (
    <ListPage title={t.drafts}>
      {drafts.length === 0 && (
        <EmptyState
          icon="draft"
          action={<LinkButton href={RECENT_HREF}>{t.openRecent}</LinkButton>}
        >
          {t.noDrafts}
        </EmptyState>
      )}
      <ul className="flex flex-col gap-2" onKeyDown={moveByKey}>
        {drafts.map((draft) => {
          const { id, destination, content, editedAtMs } = draft;
          return (
            <WaitingItem
              key={id}
              destination={destination}
              content={content}
              when={t.edited({ when: writeRecent(editedAtMs, Date.now(), locale) })}
              openLabel={t.openDraft}
              {...(destination.kind === 'nowhere'
                ? { onOpen: () => onCompose(draft) }
                : { href: conversationHref(store.state, destination) })}
              actions={
                <IconButton
                  icon="trash"
                  size="small"
                  label={t.deleteDraft}
                  onPress={() => remove(draft)}
                />
              }
            />
          );
        })}
      </ul>
    </ListPage>
  );
}
