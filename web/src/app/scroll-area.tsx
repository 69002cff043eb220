// A view that scrolls as a whole. Where the reader was is kept with the entry of the history.
import { useEffect, useRef, type ReactNode } from 'react';
import { useRouter } from './link.tsx';

const KEEP_AFTER_MS = 150;

/** Has to get the key of the entry as its React key, so that each entry begins at its own place. */
export function ScrollArea({ children }: { readonly children: ReactNode }) {
  const router = useRouter();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const kept = router.kept('scroll');
    if (typeof kept === 'number') element.scrollTop = kept;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      clearTimeout(timer);
      timer = setTimeout(() => router.keep('scroll', element.scrollTop), KEEP_AFTER_MS);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      element.removeEventListener('scroll', onScroll);
    };
  }, [router]);
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      {children}
    </div>
  );
}
