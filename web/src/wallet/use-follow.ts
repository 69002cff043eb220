// Asks again when an event says that something of it has changed.
import type { QueueEvent } from '@rialto/sdk';
import { useEffect, useRef } from 'react';
import { useStore } from '../state/react.ts';

/** Events do not tell every confirmation, and a connection may be down: seldom, while the page is seen, also without one. */
const EVERY_MS = 60_000;

/** One question for each poll of the event queue, however many events it brought. */
export function useFollow(type: QueueEvent['type'], again: () => void): void {
  const { onBatch } = useStore();
  const latest = useRef(again);
  useEffect(() => {
    latest.current = again;
  });
  useEffect(
    () =>
      onBatch((batch) => {
        // After a new register nobody knows what was missed.
        if (batch.kind === 'reset' || batch.events.some((event) => event.type === type)) {
          latest.current();
        }
      }),
    [onBatch, type],
  );
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}
