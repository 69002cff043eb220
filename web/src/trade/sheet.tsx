// The form of phones: as high as the screen, so that the keypad leaves room for it.
import { Dialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useTexts } from '../i18n/texts.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { texts as uiTexts } from '../ui/texts.ts';
import { FormSlot, type FormSlotProps, type Side } from './slots.tsx';
import { texts } from './texts.ts';
import { useMarket } from './venue/react.ts';

export default function Sheet({
  side,
  pick,
  onClose,
}: {
  readonly side: Side;
  readonly pick: FormSlotProps['pick'];
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const { close } = useTexts(uiTexts);
  const base = useMarket().base.toUpperCase();
  return (
    <ModalOverlay isOpen onOpenChange={onClose} className="fixed inset-0 z-40 flex bg-scrim">
      <Modal className="appear flex h-dvh w-full flex-col bg-panel">
        <Dialog className="flex min-h-0 flex-1 flex-col outline-none">
          <header className="flex items-center border-b border-line py-1 ps-4 pe-1">
            <Heading slot="title" className="min-w-0 flex-1 text-title font-semibold">
              {side === 'buy' ? t.buyOf({ base }) : t.sellOf({ base })}
            </Heading>
            <IconButton icon="close" label={close} onPress={onClose} />
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
            <FormSlot pick={pick} side={side} />
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
