// The text itself: a plain field that grows, with suggestions above it.
import { lazy, Suspense, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { settingOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import type { BoxView, ComposeBox } from './box.ts';
import { meaningOfEnter } from './enter.ts';
import { markdownOf, useSuggestions, type Suggestion } from './suggestions.ts';
import { texts } from './texts.ts';
import { complete, triggerAt, type Trigger } from './typeahead.ts';
import { insertText, usePaste } from './use-paste.ts';
import { useTypingNotice } from './use-typing-notice.ts';

const SuggestionList = lazy(() =>
  import('./suggestion-list.tsx').then((file) => ({ default: file.SuggestionList })),
);

export function Writing({
  box,
  view,
  onSend,
  field,
}: {
  readonly box: ComposeBox;
  readonly view: BoxView;
  readonly onSend: () => void;
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
}) {
  const t = useTexts(texts);
  const store = useStore();
  const listId = useId();
  const enterSends = useSelect(store, (state) => settingOf(state, 'enter_sends') === true);
  const [trigger, setTrigger] = useState<Trigger>();
  const [active, setActive] = useState(0);
  const pasting = usePaste(box);
  const composedAt = useRef(-Infinity);
  const suggestions = useSuggestions(trigger, view.destination);
  const isOpen = suggestions.length > 0;
  const noteTyping = useTypingNotice(view.destination);
  useOutsideChanges(field, view);

  const look = (element: HTMLTextAreaElement) => {
    box.moveCursor(element.selectionStart);
    const found =
      element.selectionStart === element.selectionEnd
        ? triggerAt(element.value, element.selectionStart)
        : undefined;
    setTrigger(found);
    setActive(0);
    if (found?.kind === 'topic') {
      const wanted = found.channel?.toLowerCase();
      const channel = [...store.state.channels.values()].find(
        ({ name }) => name.toLowerCase() === wanted,
      );
      if (channel !== undefined) void store.loadTopics(channel.id);
    }
  };
  const pick = (suggestion: Suggestion) => {
    const element = field.current;
    if (element === null || trigger === undefined) return;
    const made = complete(
      element.value,
      element.selectionStart,
      trigger,
      markdownOf(suggestion, trigger.isSilent, store.state),
    );
    setTrigger(undefined);
    replaceText(element, made.text, made.cursor);
  };
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, nativeEvent } = event;
    pasting.noteKey(event);
    if (isOpen && handleListKey(event)) return;
    if (key === 'Escape') {
      event.currentTarget.blur();
      return;
    }
    if (key !== 'Enter') return;
    const meaning = meaningOfEnter(
      {
        isComposing: nativeEvent.isComposing,
        keyCode: nativeEvent.keyCode,
        shiftKey: event.shiftKey,
        ctrlKey: event.ctrlKey,
        metaKey: event.metaKey,
        sinceCompositionMs: performance.now() - composedAt.current,
      },
      enterSends,
    );
    if (meaning === 'line') return;
    event.preventDefault();
    event.stopPropagation();
    if (meaning === 'send') onSend();
  };
  const handleListKey = (event: React.KeyboardEvent): boolean => {
    const chosen = suggestions[active];
    if (event.nativeEvent.isComposing) return false;
    if (event.key === 'ArrowDown') setActive((active + 1) % suggestions.length);
    else if (event.key === 'ArrowUp') {
      setActive((active + suggestions.length - 1) % suggestions.length);
    } else if (event.key === 'Escape') setTrigger(undefined);
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) pick(chosen);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return (
    <div>
      {isOpen && (
        <Suspense>
          <SuggestionList
            id={listId}
            suggestions={suggestions}
            active={active}
            onActive={setActive}
            onPick={pick}
          />
        </Suspense>
      )}
      {pasting.long !== undefined && (
        <LongPaste
          length={pasting.long.length}
          onKeep={pasting.keepLong}
          onFile={pasting.attachLong}
        />
      )}
      <textarea
        ref={field}
        data-compose=""
        dir="auto"
        rows={1}
        aria-label={t.label}
        placeholder={t.placeholder}
        value={view.content}
        {...(isOpen && {
          'aria-controls': listId,
          'aria-activedescendant': `${listId}-${active}`,
          'aria-autocomplete': 'list' as const,
        })}
        onChange={(event) => {
          box.setContent(event.target.value);
          look(event.target);
          noteTyping();
        }}
        onSelect={(event) => look(event.currentTarget)}
        onBlur={() => setTrigger(undefined)}
        onKeyDown={onKeyDown}
        onCompositionEnd={() => (composedAt.current = performance.now())}
        onPaste={pasting.onPaste}
        className="field-sizing-content block max-h-[40dvh] min-h-10 w-full resize-none bg-transparent px-1 py-2 text-message outline-none placeholder:text-muted"
      />
    </div>
  );
}

/** By the browser's own insertion where there is one, so that undo works. */
function replaceText(element: HTMLTextAreaElement, text: string, cursor: number): void {
  let start = 0;
  while (start < text.length && text[start] === element.value[start]) start++;
  let end = 0;
  const most = Math.min(text.length, element.value.length) - start;
  while (end < most && text.at(-1 - end) === element.value.at(-1 - end)) end++;
  element.setSelectionRange(start, element.value.length - end);
  insertText(element, text.slice(start, text.length - end));
  element.setSelectionRange(cursor, cursor);
}

/** A quote, a file or another draft came into the box: the cursor goes behind it. */
function useOutsideChanges(
  field: React.RefObject<HTMLTextAreaElement | null>,
  { turn, cursor, focusTurn }: BoxView,
): void {
  const first = useRef({ turn, focusTurn });
  useLayoutEffect(() => {
    if (turn !== first.current.turn) field.current?.setSelectionRange(cursor, cursor);
    first.current.turn = turn;
  }, [field, turn, cursor]);
  useEffect(() => {
    if (focusTurn !== first.current.focusTurn) field.current?.focus();
    first.current.focusTurn = focusTurn;
  }, [field, focusTurn]);
}

function LongPaste({
  length,
  onKeep,
  onFile,
}: {
  readonly length: number;
  readonly onKeep: () => void;
  readonly onFile: () => void;
}) {
  const t = useTexts(texts);
  return (
    <Banner
      action={
        <>
          <Button size="small" onPress={onFile}>
            {t.asFile}
          </Button>
          <Button size="small" variant="quiet" onPress={onKeep}>
            {t.keepText}
          </Button>
        </>
      }
    >
      {t.longPaste({ length })}
    </Banner>
  );
}
