import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';

const TooltipBody = lazy(() => import('./tooltip-body.tsx'));

const DELAY_MS = 500;

/** The name of a control, shown on hover and on focus. `children` is one control of ours. It repeats what the control's
 *  label already says to readers, so nothing is lost where there is no hover, or until its body has come. */
export function Tooltip({
  text,
  keys,
  children,
}: {
  text: ReactNode;
  /** The keys that do the same. */
  keys?: string | undefined;
  children: ReactNode;
}) {
  const box = useRef<HTMLSpanElement>(null);
  const triggerRef = useRef<Element>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  const open = () => {
    triggerRef.current = box.current?.firstElementChild ?? null;
    setOpen(true);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <span
      ref={box}
      // It has no box of its own: the control stands in the layout as if it were alone.
      className="contents"
      onPointerEnter={({ pointerType }) => {
        if (pointerType === 'mouse') timer.current = setTimeout(open, DELAY_MS);
      }}
      onPointerLeave={close}
      onPointerDownCapture={close}
      onKeyDownCapture={close}
      onFocus={({ target }) => {
        // What the control opens elsewhere in the page bubbles here too.
        if (box.current?.contains(target) && target.matches(':focus-visible')) open();
      }}
      onBlur={close}
    >
      {children}
      {isOpen && (
        <Suspense>
          <TooltipBody text={text} keys={keys} triggerRef={triggerRef} />
        </Suspense>
      )}
    </span>
  );
}
