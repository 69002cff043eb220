import { useTexts } from '../../i18n/texts.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmojiGlyph } from '../emoji/glyph.tsx';
import type { Suggestion } from './suggestions.ts';
import { texts } from './texts.ts';

/** The list above the text. The text keeps the focus; it names the active one by `aria-activedescendant`. */
export function SuggestionList({
  id,
  suggestions,
  active,
  onActive,
  onPick,
}: {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onPick: (suggestion: Suggestion) => void;
}) {
  const t = useTexts(texts);
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t.suggestions}
      className="absolute inset-x-3 bottom-full z-30 mbe-1 flex max-w-md flex-col rounded-panel bg-raised p-1 shadow-overlay"
    >
      {suggestions.map((suggestion, index) => (
        <div
          key={keyOf(suggestion)}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          data-active={index === active}
          className="flex min-h-row cursor-default items-center gap-2.5 rounded-control px-2.5 data-[active=true]:bg-selected"
          onPointerEnter={() => onActive(index)}
          // The text must not lose the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onPick(suggestion);
          }}
        >
          <Face suggestion={suggestion} everybody={t.everybody} />
        </div>
      ))}
    </div>
  );
}

function keyOf(suggestion: Suggestion): string {
  switch (suggestion.kind) {
    case 'person':
      return `p${suggestion.person.id}`;
    case 'channel':
      return `c${suggestion.id}`;
    case 'topic':
      return `t${suggestion.topic}`;
    case 'emoji':
      return `e${suggestion.emoji.type}${suggestion.emoji.code}`;
    case 'everybody':
      return 'everybody';
  }
}

function Face({
  suggestion,
  everybody,
}: {
  readonly suggestion: Suggestion;
  readonly everybody: string;
}) {
  switch (suggestion.kind) {
    case 'person': {
      const { id, fullName, avatarUrl, isBot, deliveryEmail } = suggestion.person;
      return (
        <>
          <Avatar id={id} name={fullName} src={avatarUrl ?? undefined} size="small" isBot={isBot} />
          <bdi className="truncate font-medium">{fullName}</bdi>
          <bdi dir="ltr" className="truncate text-small text-muted">
            {deliveryEmail}
          </bdi>
        </>
      );
    }
    case 'everybody':
      return (
        <>
          <Icon name="people" className="size-5 text-muted" />
          <span className="font-medium">@all</span>
          <span className="text-small text-muted">{everybody}</span>
        </>
      );
    case 'channel':
      return (
        <>
          <Icon name={suggestion.isPrivate ? 'lock' : 'hash'} className="size-4 text-muted" />
          <bdi className="truncate font-medium">{suggestion.name}</bdi>
        </>
      );
    case 'topic':
      return (
        <>
          <Icon name="topic" className="size-4 text-muted" />
          <bdi className="truncate font-medium">{suggestion.topic}</bdi>
        </>
      );
    case 'emoji':
      return (
        <>
          <span className="w-6 text-center text-[1.125rem]">
            <EmojiGlyph {...suggestion.emoji} />
          </span>
          <bdi dir="ltr" className="truncate">
            {suggestion.emoji.name.replaceAll('_', ' ')}
          </bdi>
        </>
      );
  }
}
