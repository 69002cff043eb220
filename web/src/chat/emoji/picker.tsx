import { useMemo, useState } from 'react';
import { fold } from '../../i18n/fold.ts';
import { useTexts } from '../../i18n/texts.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useCatalogue } from './catalogue.ts';
import { customaryOf, type Emoji } from './emoji.ts';
import { EmojiGlyph } from './glyph.tsx';
import { texts } from './texts.ts';

const SHOWN_MAX = 64;
const COLUMNS = 8;

/** A field and a grid: type a name, or move with the arrows; Enter takes. */
export function EmojiPicker({ onPick }: { readonly onPick: (emoji: Emoji) => void }) {
  const t = useTexts(texts);
  const catalogue = useCatalogue(true);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const shown = useMemo(() => find(catalogue, query), [catalogue, query]);
  const move = (step: number) =>
    setActive((now) => Math.max(0, Math.min(shown.length - 1, now + step)));
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: COLUMNS,
    ArrowUp: -COLUMNS,
    ArrowRight: document.dir === 'rtl' ? -1 : 1,
    ArrowLeft: document.dir === 'rtl' ? 1 : -1,
  };
  return (
    <div
      className="flex w-80 max-w-full flex-col gap-2 p-3"
      onKeyDown={(event) => {
        const step = steps[event.key];
        const chosen = shown[active];
        if (step !== undefined && (query === '' || Math.abs(step) > 1)) move(step);
        else if (event.key === 'Enter' && chosen !== undefined) onPick(chosen);
        else return;
        event.preventDefault();
      }}
    >
      <TextField
        label={t.search}
        isLabelHidden
        placeholder={t.search}
        autoFocus
        value={query}
        onChange={(text) => {
          setQuery(text);
          setActive(0);
        }}
      />
      <div
        className="grid max-h-56 grid-cols-8 gap-0.5 overflow-y-auto"
        aria-label={t.grid}
        role="group"
      >
        {shown.map((emoji, index) => (
          <button
            key={`${emoji.type}${emoji.code}`}
            type="button"
            tabIndex={-1}
            aria-label={emoji.name}
            title={emoji.name}
            data-active={index === active}
            className="flex aspect-square items-center justify-center rounded-control text-[1.25rem] hover:bg-hover data-[active=true]:bg-selected"
            onPointerEnter={() => setActive(index)}
            onClick={() => onPick(emoji)}
          >
            <EmojiGlyph code={emoji.code} type={emoji.type} name={emoji.name} />
          </button>
        ))}
      </div>
      <p className="h-4 truncate text-small text-muted" aria-live="polite">
        {shown.length === 0 && query !== ''
          ? t.none
          : (shown[active]?.name.replaceAll('_', ' ') ?? '')}
      </p>
    </div>
  );
}

function find(catalogue: readonly Emoji[], query: string): readonly Emoji[] {
  const wanted = fold(query).replaceAll(' ', '_');
  if (wanted === '') return customaryOf(catalogue);
  const names = (emoji: Emoji) => [emoji.name, ...emoji.others];
  const rank = (emoji: Emoji): number => {
    if (names(emoji).some((name) => name === wanted)) return 0;
    if (names(emoji).some((name) => name.startsWith(wanted))) return 1;
    return names(emoji).some((name) => name.includes(wanted)) ? 2 : 3;
  };
  return catalogue
    .map((emoji) => ({ emoji, rank: rank(emoji) }))
    .filter((one) => one.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SHOWN_MAX)
    .map(({ emoji }) => emoji);
}
