// The browser's own command to print, which waits for nothing: it prints what is loaded of the conversation.
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { loadedOf, type Printed } from './fetch.ts';
import { Sheet } from './sheet.tsx';

export default function PrintLoaded({
  title,
  readSpan,
}: {
  readonly title: string;
  readonly readSpan: () => Parameters<typeof loadedOf>[0];
}) {
  const [printed, setPrinted] = useState<Printed>();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const begin = (): void => {
      // The menu's own sheet, which has more, is there already.
      if (document.querySelector('[data-print]') !== null) return;
      // The browser draws as soon as this returns, so the sheet has to be there by then.
      flushSync(() => setPrinted(loadedOf(readSpan())));
    };
    globalThis.addEventListener('beforeprint', begin, { signal });
    globalThis.addEventListener('afterprint', () => setPrinted(undefined), { signal });
    return () => ending.abort();
  }, [readSpan]);
  return printed === undefined ? null : <Sheet printed={printed} title={title} />;
}
