// A button that opens something beside it, which is fetched when it is first opened: menus, pickers. Most people on most
// pages open none of them, so no view has to wait for them.
import { useCallback, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { PressEvent } from 'react-aria-components/Button';

/** For the button, which is one of react-aria's. */
export interface OpenerProps {
  readonly 'aria-haspopup': 'menu' | 'dialog';
  readonly 'aria-expanded': boolean;
  readonly onPress: (event: PressEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** For what opens beside it. */
export interface BesideProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly triggerRef: RefObject<Element | null>;
  /** Which of a list gets the focus; true for the list itself. */
  readonly autoFocus: 'first' | 'last' | true;
}

interface Opener {
  readonly button: OpenerProps;
  /** Undefined until it was opened once. */
  readonly beside: BesideProps | undefined;
}

export function useOpener(
  kind: 'menu' | 'dialog',
  onOpenChange?: (isOpen: boolean) => void,
): Opener {
  const triggerRef = useRef<Element>(null);
  const [isMet, setMet] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [autoFocus, setAutoFocus] = useState<BesideProps['autoFocus']>(true);
  const change = useCallback(
    (next: boolean) => {
      if (next) setMet(true);
      setOpen(next);
      onOpenChange?.(next);
    },
    [onOpenChange],
  );
  const button = useMemo((): OpenerProps => {
    const open = (target: Element, focus: BesideProps['autoFocus']) => {
      triggerRef.current = target;
      setAutoFocus(focus);
      change(true);
    };
    return {
      'aria-haspopup': kind,
      'aria-expanded': isOpen,
      onPress: ({ target, pointerType }) =>
        open(target, pointerType === 'keyboard' || pointerType === 'virtual' ? 'first' : true),
      onKeyDown(event) {
        if (kind !== 'menu' || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
        event.preventDefault();
        open(event.currentTarget, event.key === 'ArrowDown' ? 'first' : 'last');
      },
    };
  }, [kind, isOpen, change]);
  return {
    button,
    beside: isMet ? { isOpen, onOpenChange: change, triggerRef, autoFocus } : undefined,
  };
}
