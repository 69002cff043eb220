import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useTexts } from '../i18n/texts.ts';
import { classes } from './classes.ts';
import { IconButton } from './icon-button.tsx';
import { texts } from './texts.ts';

export interface DialogProps {
  title: string;
  children: ReactNode | ((close: () => void) => ReactNode);
  /** Buttons, the act last. */
  actions?: ReactNode | ((close: () => void) => ReactNode);
  size?: 'small' | 'normal' | 'large' | undefined;
  /** It interrupts and wants an answer: a click beside it does not close it. */
  isAlert?: boolean | undefined;
  /** Only its own acts end it: there is nothing behind it to go back to. */
  isLasting?: boolean | undefined;
  /** Given together where no DialogTrigger (popover.tsx) opens it. */
  isOpen?: boolean | undefined;
  onOpenChange?: ((isOpen: boolean) => void) | undefined;
}

const widths = { small: 'tablet:max-w-sm', normal: 'tablet:max-w-lg', large: 'tablet:max-w-3xl' };

/** A window over the page; on a phone a sheet from below. Focus goes in, stays in, and returns to the opener. */
export function Dialog(props: DialogProps) {
  const {
    title,
    children,
    actions,
    size = 'normal',
    isAlert = false,
    isLasting = false,
    isOpen,
    onOpenChange,
  } = props;
  const t = useTexts(texts);
  return (
    <ModalOverlay
      isDismissable={!isAlert && !isLasting}
      isKeyboardDismissDisabled={isLasting}
      {...(isOpen === undefined ? {} : { isOpen })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
      className="fixed inset-0 z-50 flex items-end justify-center bg-scrim tablet:items-center tablet:p-6"
    >
      <Modal
        className={classes(
          'flex max-h-[90dvh] w-full rounded-t-panel bg-raised shadow-overlay tablet:rounded-panel data-entering:appear',
          widths[size],
        )}
      >
        <AriaDialog
          role={isAlert ? 'alertdialog' : 'dialog'}
          className="flex min-h-0 w-full flex-col outline-none"
        >
          {({ close }) => (
            <>
              <header className="flex items-center gap-2 py-3 ps-5 pe-3">
                <Heading slot="title" className="min-w-0 flex-1 text-title font-semibold">
                  {title}
                </Heading>
                {!isLasting && <IconButton icon="close" label={t.close} onPress={close} />}
              </header>
              <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">
                {typeof children === 'function' ? children(close) : children}
              </div>
              {actions !== undefined && (
                <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
                  {typeof actions === 'function' ? actions(close) : actions}
                </footer>
              )}
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
