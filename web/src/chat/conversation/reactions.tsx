import { useMemo } from 'react';
import { Button } from 'react-aria-components/Button';
import { useLocale } from '../../i18n/locale.tsx';
import { writeCount } from '../../i18n/number.ts';
import { useTexts, type TextsOf, type Translations } from '../../i18n/texts.ts';
import type { Message, Reaction } from '../../state/entities.ts';
import { personOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { classes } from '../../ui/classes.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { EmojiGlyph } from '../emoji/glyph.tsx';
import { useActs } from './context.tsx';
import { ReactButton } from './react-button.tsx';
import { texts } from './texts.ts';

const NAMES_MAX = 8;

interface Group {
  readonly reaction: Reaction;
  readonly userIds: readonly number[];
}

/** One chip for each emoji, in the order in which they came. */
export function Reactions({ message }: { readonly message: Message }) {
  const groups = useMemo(() => groupsOf(message.reactions), [message.reactions]);
  if (groups.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1 pt-1">
      {groups.map((group) => (
        <Chip
          key={group.reaction.reactionType + group.reaction.emojiCode}
          message={message}
          group={group}
        />
      ))}
      <ReactButton message={message} look="chip" />
    </div>
  );
}

function groupsOf(reactions: readonly Reaction[]): readonly Group[] {
  const groups = new Map<string, { reaction: Reaction; userIds: number[] }>();
  for (const reaction of reactions) {
    const key = reaction.reactionType + reaction.emojiCode;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { reaction, userIds: [reaction.userId] });
    else group.userIds.push(reaction.userId);
  }
  return [...groups.values()];
}

function Chip({ message, group }: { readonly message: Message; readonly group: Group }) {
  const { reaction, userIds } = group;
  const t = useTexts(texts);
  const locale = useLocale();
  const store = useStore();
  const acts = useActs();
  const ownId = store.state.own.userId;
  const isMine = userIds.includes(ownId);
  const names = useSelect(store, (state) =>
    // "You" begins a sentence; in the middle it would be a name.
    userIds
      .toSorted((a, b) => Number(b === ownId) - Number(a === ownId))
      .map((id) =>
        id === ownId ? t.you : `\u2068${personOf(state, id)?.fullName ?? t.unknown}\u2069`,
      ),
  );
  const label = t.reacted({ names: listOf(names, t), emoji: reaction.emojiName });
  return (
    <Tooltip text={label}>
      <Button
        aria-label={label}
        aria-pressed={isMine}
        onPress={() => acts.toggleReaction(message, reaction)}
        className={classes(
          'relative flex h-6 min-w-6 items-center gap-1 rounded-full border px-2 text-small font-medium transition-colors duration-100 max-tablet:h-8',
          // A finger needs more than a row of chips has room for.
          'max-tablet:after:absolute max-tablet:after:-inset-x-0.5 max-tablet:after:-inset-y-1.5 max-tablet:after:content-[""]',
          isMine
            ? 'border-accent bg-accent-tint text-accent'
            : 'border-line bg-panel text-muted data-hovered:border-control data-hovered:text-text',
        )}
      >
        <span className="text-[0.875rem]">
          <EmojiGlyph
            code={reaction.emojiCode}
            type={reaction.reactionType}
            name={reaction.emojiName}
          />
        </span>
        <span className="figures">{writeCount(userIds.length, locale)}</span>
      </Button>
    </Tooltip>
  );
}

type Texts = typeof texts extends Translations<infer T> ? TextsOf<T> : never;

export function listOf(names: readonly string[], t: Texts): string {
  if (names.length > NAMES_MAX) {
    const shown = names.slice(0, NAMES_MAX - 1);
    return t.others({ names: shown.join(t.comma), count: names.length - shown.length });
  }
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : t.and({ names: names.slice(0, -1).join(t.comma), last });
}
