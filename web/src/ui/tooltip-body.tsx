import type { ReactNode, RefObject } from 'react';
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components/Tooltip';
import { Keys } from './keys.tsx';

/** It is there only while it is open. Without a trigger of the library around it, the library asks nobody, and breaks. */
const OPEN = {
  isOpen: true,
  shouldSkipAnimation: false,
  open: () => undefined,
  close: () => undefined,
};

export default function TooltipBody({
  text,
  keys,
  triggerRef,
}: {
  readonly text: ReactNode;
  readonly keys: string | undefined;
  readonly triggerRef: RefObject<Element | null>;
}) {
  return (
    <TooltipTriggerStateContext value={OPEN}>
      <Tooltip
        isOpen
        triggerRef={triggerRef}
        offset={6}
        className="pointer-events-none flex max-w-64 items-center gap-2 rounded-control bg-text px-2 py-1 text-small text-background shadow-overlay data-entering:appear"
      >
        {text}
        {keys !== undefined && <Keys keys={keys} isInverse />}
      </Tooltip>
    </TooltipTriggerStateContext>
  );
}
