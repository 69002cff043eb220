// What was written somewhere, some time: a search with its results.
import './highlight.css';
import { useMemo, useRef, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Narrow, Term } from '../narrow/terms.ts';
import { namesIn } from '../place/address.ts';
import { SearchBox } from './box.tsx';
import { useHighlights, wordsOf } from './highlight.ts';
import { knownIn } from './known.ts';
import { absorb, searchTerms } from './parse.ts';
import { printSearch } from './print.ts';
import { texts } from './texts.ts';

export interface SearchProps {
  /** The search as text; it belongs to the address of the view. */
  readonly q: string;
  readonly onQ: (q: string) => void;
  /** Draws the messages of a narrow below the box. */
  readonly renderMessages: (narrow: Narrow, head: ReactNode) => ReactNode;
}

export function Search({ q, onQ, renderMessages }: SearchProps) {
  const t = useTexts(texts);
  const store = useStore();
  const results = useRef<HTMLDivElement>(null);
  const terms = useMemo((): readonly Term[] => {
    const absorbed = absorb(q, knownIn(store.state), true);
    return searchTerms(absorbed.terms, absorbed.rest);
  }, [q, store]);
  useHighlights(results, wordsOf(terms));
  const head = (
    <>
      <h1 className="text-title font-semibold max-tablet:sr-only">{t.title}</h1>
      <div className="min-w-0 flex-1 py-1.5 tablet:ps-2">
        <SearchBox
          key={q}
          terms={terms}
          onSearch={(next) => onQ(printSearch(next, namesIn(store.state)))}
        />
      </div>
    </>
  );
  return (
    <section aria-label={t.title} className="flex h-full min-h-0 flex-col">
      {terms.length === 0 && (
        <header className="flex min-h-12 items-center gap-2 border-b border-line bg-panel px-4 max-tablet:px-3">
          {head}
        </header>
      )}
      <div ref={results} className="flex min-h-0 flex-1 flex-col">
        {terms.length === 0 ? (
          <EmptyState icon="search">{t.begin}</EmptyState>
        ) : (
          renderMessages({ terms }, head)
        )}
      </div>
    </section>
  );
}
