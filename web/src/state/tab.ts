// Which tabs are open: each holds a lock with its own name, which the browser releases with the tab.
const PREFIX = 'rialto-tab-';

const locks = (): LockManager | undefined => (globalThis.navigator as Partial<Navigator>).locks;

/** Gives a function that lets go. */
export function holdTab(tabId: string): () => void {
  const ending = new AbortController();
  const held = new Promise<void>((resolve) => {
    ending.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  locks()
    ?.request(PREFIX + tabId, () => held)
    .catch(() => undefined);
  return () => ending.abort();
}

/** The ids of open tabs; empty where nobody can tell. */
export async function openTabs(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await locks()?.query()) ?? {};
  const names = held.flatMap(({ name = '' }) =>
    name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [],
  );
  return new Set(names);
}
