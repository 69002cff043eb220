// A panel that comes in from an edge where the page has no room for a column. It is part of the address, so Back closes it.
import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useRouter } from './link.tsx';

export interface DrawerProps {
  readonly label: string;
  readonly closeLabel: string;
  readonly edge: 'start' | 'end';
  readonly children: ReactNode;
}

export function Drawer({ label, closeLabel, edge, children }: DrawerProps) {
  const router = useRouter();
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(next) => {
        if (!next) router.close();
      }}
      className="fixed inset-0 z-40 flex bg-scrim"
    >
      <Modal
        className={classes(
          'appear flex h-full w-80 max-w-[85vw] flex-col bg-panel shadow-overlay',
          edge === 'end' && 'ms-auto',
        )}
      >
        <Dialog aria-label={label} className="flex min-h-0 flex-1 flex-col outline-none">
          <div className="flex items-center justify-between ps-4 pe-2 pt-2">
            <h2 className="text-title font-semibold">{label}</h2>
            <IconButton icon="close" label={closeLabel} onPress={() => router.close()} />
          </div>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
