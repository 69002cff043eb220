// What a process has opened, to be closed in the opposite order.
import { withDeadline } from './wait.ts';

/** What closing one thing may take; the last one cancels statements, which takes it a second. */
const CLOSE_MS = 1000;

export interface Closers {
  onClose(name: string, close: () => Promise<void>): void;
  /** A thing that cannot be closed does not keep the others from it. */
  close(): Promise<void>;
}

export function createClosers(onFailed: (error: unknown, name: string) => void): Closers {
  const closers: { readonly name: string; readonly close: () => Promise<void> }[] = [];
  return {
    onClose: (name, close) => void closers.push({ name, close }),
    async close() {
      for (const { name, close } of closers.splice(0).reverse()) {
        await withDeadline(close(), CLOSE_MS, `Closing ${name}`).catch((error: unknown) =>
          onFailed(error, name),
        );
      }
    },
  };
}
