import type { BesideProps } from '../../ui/opener.ts';
import { Popover, PopoverDialog, type PopoverProps } from '../../ui/popover.tsx';
import type { Emoji } from './emoji.ts';
import { EmojiPicker } from './picker.tsx';

export interface EmojiPopoverProps extends BesideProps {
  readonly label: string;
  readonly placement: PopoverProps['placement'];
  readonly onPick: (emoji: Emoji) => void;
}

export default function EmojiPopover({
  isOpen,
  onOpenChange,
  triggerRef,
  label,
  placement = 'top',
  onPick,
}: EmojiPopoverProps) {
  return (
    <Popover {...{ isOpen, onOpenChange, triggerRef, placement }}>
      <PopoverDialog aria-label={label} className="outline-none">
        <EmojiPicker
          onPick={(emoji) => {
            onOpenChange(false);
            onPick(emoji);
          }}
        />
      </PopoverDialog>
    </Popover>
  );
}
