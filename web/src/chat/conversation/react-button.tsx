import { Button } from 'react-aria-components/Button';
import { useTexts } from '../../i18n/texts.ts';
import type { Message } from '../../state/entities.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useOpener } from '../../ui/opener.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { EmojiBeside } from '../emoji/beside.tsx';
import { useActs } from './context.tsx';
import { texts } from './texts.ts';

/** Opens the emoji beside it; the chosen one becomes a reaction. */
export function ReactButton({
  message,
  look,
  onOpenChange,
}: {
  readonly message: Message;
  readonly look: 'icon' | 'chip';
  readonly onOpenChange?: (isOpen: boolean) => void;
}) {
  const t = useTexts(texts);
  const acts = useActs();
  const { button, beside } = useOpener('dialog', onOpenChange);
  return (
    <>
      {look === 'icon' ? (
        <Tooltip text={t.react}>
          <IconButton {...button} icon="emoji" label={t.react} size="small" />
        </Tooltip>
      ) : (
        <Button
          {...button}
          aria-label={t.react}
          className="flex h-6 w-8 items-center justify-center rounded-full text-muted data-hovered:bg-hover data-hovered:text-text max-tablet:h-8"
        >
          <Icon name="emoji" className="size-4" />
        </Button>
      )}
      <EmojiBeside
        beside={beside}
        label={t.react}
        // A chip is where the text begins: to its other side the picker would lie over the navigation.
        placement={look === 'icon' ? 'top end' : 'top start'}
        onPick={(emoji) =>
          acts.toggleReaction(message, {
            emojiName: emoji.name,
            emojiCode: emoji.code,
            reactionType: emoji.type,
          })
        }
      />
    </>
  );
}
