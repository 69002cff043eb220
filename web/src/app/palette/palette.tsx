// The palette: type a few letters of a person, a channel, a topic, a view or a command, and go there.
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useTexts } from '../../i18n/texts.ts';
import { texts as placeTexts } from '../../chat/place/texts.ts';
import { emptyTopicName } from '../../state/select.ts';
import { useStore } from '../../state/react.ts';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Keys } from '../../ui/keys.tsx';
import { useCommand } from '../acts.ts';
import { printPlace } from '../addresses.ts';
import { follow, useRouter } from '../link.tsx';
import { texts as shellTexts } from '../texts.ts';
import { fixedEntries, stateEntries, type PaletteEntry } from './entries.ts';
import { rank } from './rank.ts';
import { texts } from './texts.ts';
import { useVenueEntries } from './venue-entries.ts';

export default function Palette({ start }: { readonly start: string }) {
  const t = useTexts(texts);
  const router = useRouter();
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={() => router.close()}
      className="fixed inset-0 z-50 flex items-start justify-center bg-scrim tablet:pt-[12vh]"
    >
      <Modal className="appear flex max-h-[min(36rem,76dvh)] w-full flex-col overflow-hidden bg-raised shadow-overlay max-tablet:h-dvh max-tablet:max-h-dvh tablet:max-w-xl tablet:rounded-panel">
        <Dialog aria-label={t.title} className="flex min-h-0 flex-1 flex-col outline-none">
          <Finder start={start} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Finder({ start }: { readonly start: string }) {
  const t = useTexts(texts);
  const place = useTexts(placeTexts);
  const router = useRouter();
  const run = useCommand();
  const listId = useId();
  const [typed, setTyped] = useState(start);
  const [chosen, setChosen] = useState(0);
  const found = useFound(useDeferredValue(typed));
  const at = Math.min(chosen, found.length - 1);
  const idOf = (index: number) => `${listId}-${index}`;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, found]);
  const open = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    if ('href' in entry.act) {
      // Takes the palette's own entry of the history, so that Back leads to where it was opened.
      follow(router, new URL(entry.act.href, location.origin), { replace: true });
      return;
    }
    const { command } = entry.act;
    if (command === 'shortcuts' || command === 'tour') router.open(command);
    else {
      router.close();
      run(command);
    }
  };
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1 >= found.length ? 0 : at + 1,
    ArrowUp: at <= 0 ? found.length - 1 : at - 1,
    PageDown: Math.min(at + 8, found.length - 1),
    PageUp: Math.max(at - 8, 0),
  };
  return (
    <>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Icon name="search" className="text-muted" />
        <input
          // The palette is opened to type in it, so the field has the focus.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          type="text"
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-label={t.title}
          {...(found.length > 0 ? { 'aria-activedescendant': idOf(at) } : {})}
          value={typed}
          placeholder={t.placeholder}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          className="h-13 min-w-0 flex-1 bg-transparent text-title text-ellipsis outline-none placeholder:text-base"
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            const step = steps[event.key];
            if (step !== undefined) setChosen(step);
            else if (event.key === 'Enter') open(found[at]);
            else return;
            event.preventDefault();
          }}
        />
        <span className="max-tablet:hidden">
          <Keys keys="Esc" />
        </span>
        <IconButton
          icon="close"
          label={t.close}
          className="-me-2 tablet:hidden"
          onPress={() => router.close()}
        />
      </div>
      <p className="sr-only" role="status">
        {typed === '' ? '' : t.results({ count: found.length })}
      </p>
      <ul
        ref={list}
        id={listId}
        role="listbox"
        aria-label={t.title}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2"
      >
        {found.map((entry, index) => (
          <li
            key={entry.id}
            id={idOf(index)}
            role="option"
            aria-selected={index === at}
            onPointerMove={() => setChosen(index)}
            onClick={() => open(entry)}
            className={classes(
              'flex min-h-10 cursor-default items-center gap-3 rounded-control px-2.5 max-tablet:min-h-row',
              index === at && 'bg-selected',
            )}
          >
            <Icon
              name={entry.icon}
              label={entry.isResolved === true ? place.resolved : undefined}
              className={classes(
                'size-4.5',
                entry.isResolved === true ? 'text-success' : 'text-muted',
              )}
            />
            <span className="flex min-w-0 flex-1 items-baseline gap-2">
              <bdi className="truncate">{entry.name}</bdi>
              {entry.detail !== undefined && entry.detail !== '' && (
                <bdi className="max-w-1/2 shrink-0 truncate text-small text-muted">
                  {entry.detail}
                </bdi>
              )}
            </span>
            <span className="text-small text-muted">{t[entry.kind]}</span>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-small text-muted max-tablet:hidden">
        <span>
          <Keys keys="@" /> {t.onlyPeople}
        </span>
        <span>
          <Keys keys="#" /> {t.onlyChannels}
        </span>
        <span>
          <Keys keys="$" /> {t.onlyMarkets}
        </span>
        <span>
          <Keys keys=">" /> {t.onlyCommands}
        </span>
      </p>
    </>
  );
}

function useFound(typed: string): readonly PaletteEntry[] {
  const t = useTexts(texts);
  const shell = useTexts(shellTexts);
  const store = useStore();
  const venue = useVenueEntries(typed);
  const entries = useMemo(
    () => [
      ...fixedEntries(shell),
      ...stateEntries(store.state, emptyTopicName(store.state)),
      ...venue,
    ],
    [shell, store, venue],
  );
  return useMemo(() => {
    const found = rank(entries, typed) as readonly PaletteEntry[];
    const q = typed.trim();
    return q === '' ? found : [...found, searchEntry(q, t.searchFor({ text: q }))];
  }, [entries, typed, t]);
}

/** The last one, always: what no name has may be in a message. */
const searchEntry = (q: string, name: string): PaletteEntry => ({
  id: 'search',
  kind: 'view',
  name,
  icon: 'search',
  act: { href: printPlace({ view: 'search', q }) },
});
