// The search box: words, and operators as pills that can be taken away.
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Pill } from '../../ui/pill.tsx';
import type { Term } from '../narrow/terms.ts';
import { namesIn } from '../place/address.ts';
import { knownIn } from './known.ts';
import { absorb, searchTerms, splitSearch, type SearchProblem } from './parse.ts';
import { printTerm } from './print.ts';
import { suggest, type Suggestion } from './suggest.ts';
import { texts } from './texts.ts';

export interface SearchBoxProps {
  readonly terms: readonly Term[];
  readonly onSearch: (terms: readonly Term[]) => void;
}

export function SearchBox({ terms, onSearch }: SearchBoxProps) {
  const t = useTexts(texts);
  const store = useStore();
  const known = splitSearch(terms);
  const [pills, setPills] = useState<readonly Term[]>(known.pills);
  const [text, setText] = useState(known.text);
  const [problem, setProblem] = useState<SearchProblem>();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const suggestions = useMemo(
    () => (isOpen ? suggest(text, store.state) : NONE),
    [isOpen, text, store],
  );
  const names = namesIn(store.state);

  const take = (typed: string, isDone: boolean): { pills: readonly Term[]; text: string } => {
    const absorbed = absorb(typed, knownIn(store.state), isDone);
    const next = { pills: [...pills, ...absorbed.terms], text: absorbed.rest };
    setPills(next.pills);
    setText(next.text);
    setProblem(isDone ? absorbed.problem : undefined);
    return next;
  };
  const submit = () => {
    const next = take(text, true);
    setOpen(false);
    onSearch(searchTerms(next.pills, next.text));
  };
  const remove = (index: number) => {
    const left = pills.filter((_, n) => n !== index);
    setPills(left);
    onSearch(searchTerms(left, text));
    input.current?.focus();
  };
  const choose = ({ text: chosen, operand }: Suggestion) => {
    take(text.replace(/\S*$/, chosen), false);
    setOpen(operand === undefined);
    setAt(-1);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const chosen = suggestions[at];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((before) => Math.min(Math.max(before + step, -1), suggestions.length - 1));
    } else if (event.key === 'Enter') {
      if (chosen !== undefined) choose(chosen);
      else submit();
    } else if (event.key === 'Escape' && isOpen) setOpen(false);
    else if (event.key === 'Backspace' && text === '' && pills.length > 0) remove(pills.length - 1);
    else return;
    event.preventDefault();
  };

  return (
    <form
      role="search"
      className="relative flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <div className="flex min-h-control flex-wrap items-center gap-1.5 rounded-control border border-control bg-field py-1 ps-2.5 pe-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus">
        <Icon name="search" className="size-4.5 text-muted" />
        {pills.map((term, index) => {
          const printed = printTerm(term, names);
          return (
            <Pill
              key={`${index} ${printed}`}
              onRemove={() => remove(index)}
              removeLabel={t.remove({ term: printed })}
            >
              <bdi dir="ltr">{printed}</bdi>
            </Pill>
          );
        })}
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={t.label}
          aria-expanded={suggestions.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          {...(at >= 0 ? { 'aria-activedescendant': `${listId}-${at}` } : {})}
          {...(problem === undefined ? {} : { 'aria-invalid': true })}
          autoComplete="off"
          enterKeyHint="search"
          dir="auto"
          placeholder={pills.length === 0 ? t.placeholder : ''}
          value={text}
          onFocus={() => setOpen(true)}
          onChange={(event) => {
            setOpen(true);
            setAt(-1);
            take(event.target.value, false);
          }}
          onKeyDown={onKeyDown}
          className="min-w-32 flex-1 bg-transparent py-0.5 outline-none"
        />
        {(pills.length > 0 || text !== '') && (
          <IconButton
            icon="close"
            size="small"
            label={t.clear}
            onPress={() => {
              setPills([]);
              setText('');
              setProblem(undefined);
              onSearch([]);
              input.current?.focus();
            }}
          />
        )}
      </div>
      {problem !== undefined && (
        <p role="alert" className="text-small text-danger">
          {problemText(problem, t)}
        </p>
      )}
      <ul
        id={listId}
        role="listbox"
        aria-label={t.suggestions}
        hidden={suggestions.length === 0}
        className="absolute inset-x-0 top-full z-30 mt-1 overflow-auto rounded-panel bg-raised p-1 shadow-overlay"
      >
        {suggestions.map((one, index) => (
          <li
            key={one.text}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(one)}
            className={classes(
              'flex min-h-row cursor-default items-center gap-3 rounded-control px-2.5 hover:bg-hover',
              index === at && 'bg-hover',
            )}
          >
            <bdi dir="ltr" className="font-mono text-small">
              {one.text}
            </bdi>
            {one.operand === undefined && (
              <span className="truncate text-small text-muted">{descriptionOf(one, t)}</span>
            )}
          </li>
        ))}
      </ul>
    </form>
  );
}

const NONE: readonly Suggestion[] = [];

type SearchTexts = ReturnType<typeof useTexts<(typeof texts)['en']>>;

function descriptionOf({ operator }: Suggestion, t: SearchTexts): string {
  return operator in t ? String(t[operator as keyof SearchTexts]) : '';
}

function problemText({ operator, operand }: SearchProblem, t: SearchTexts): string {
  if (operator === 'channel') return t.noChannel({ name: operand });
  const isPerson = ['sender', 'mentions', 'dm', 'dm-including', 'group-pm-with'].includes(operator);
  return isPerson ? t.nobody({ name: operand }) : t.notKnown({ operator: `${operator}:`, operand });
}
