// Writes the state to disk now and then, and reads it at the next start.
import type { Core } from './core.ts';
import type { Disk } from './disk.ts';
import { SNAPSHOT_VERSION, takeSnapshot, type Snapshot } from './snapshot.ts';

const EVERY_MS = 30_000;
/** A first visit may be a short one. */
const FIRST_MS = 5000;
/** Older ones would show what nobody remembers. */
const AGE_MAX_MS = 14 * 24 * 3600 * 1000;

export async function loadSnapshot(disk: Disk, userId: number): Promise<Snapshot | undefined> {
  const snapshot = await disk.loadSnapshot();
  if (snapshot?.version !== SNAPSHOT_VERSION || snapshot.state.own.userId !== userId) {
    return undefined;
  }
  return Date.now() - snapshot.savedAtMs > AGE_MAX_MS ? undefined : snapshot;
}

/** The leading tab writes for all. */
export function keepSnapshot({
  core,
  disk,
  queueId,
  signal,
}: {
  readonly core: Core;
  readonly disk: Disk;
  readonly queueId: () => string | undefined;
  readonly signal: AbortSignal;
}): void {
  let isChanged = true;
  const save = (): void => {
    if (!isChanged || !core.isReady || queueId() === undefined) return;
    isChanged = false;
    void disk.saveSnapshot(takeSnapshot(core.state, queueId(), Date.now()));
  };
  const end = core.subscribe(() => {
    isChanged = true;
  });
  const timer = setInterval(save, EVERY_MS);
  const first = setTimeout(save, FIRST_MS);
  document.addEventListener('visibilitychange', save, { signal });
  signal.addEventListener(
    'abort',
    () => {
      end();
      clearInterval(timer);
      clearTimeout(first);
    },
    { once: true },
  );
}
