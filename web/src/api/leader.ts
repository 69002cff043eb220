// One tab of the browser leads: it alone polls, and the others hear from it. The lock of the browser chooses it, and passes
// on when the tab is closed. A tab that somebody looks at does not wait for a leader that has gone silent: it takes over.

export interface TabsOptions<M> {
  /** Tabs with the same name belong together: one name for each person. */
  readonly name: string;
  /** This tab leads from now on, until the signal is aborted. */
  readonly onLead: (signal: AbortSignal) => void;
  /** From another tab. */
  readonly onMessage: (message: M) => void;
  /** The locks and channels of the browser, unless a test says otherwise. */
  readonly locks?: Pick<LockManager, 'request'> | undefined;
  readonly openChannel?: ((name: string) => Port) | undefined;
  readonly isVisible?: () => boolean;
  readonly beatMs?: number;
  readonly silenceMs?: number;
}

/** What is used of a BroadcastChannel. */
export interface Port {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
  close(): void;
}

export interface Tabs<M> {
  readonly isLeader: boolean;
  /** To all other tabs. */
  post(message: M): void;
  close(): void;
}

const BEAT_MS = 1000;
const SILENCE_MS = 3000;

type Envelope<M> = { readonly kind: 'beat' } | { readonly kind: 'message'; readonly message: M };

export function joinTabs<M>(options: TabsOptions<M>): Tabs<M> {
  const { name, beatMs = BEAT_MS, silenceMs = SILENCE_MS } = options;
  const isVisible = options.isVisible ?? (() => !document.hidden);
  const { locks = browserLocks(), openChannel = browserChannel() } = options;
  const closing = new AbortController();
  let leading: AbortController | undefined;
  let heardMs = Date.now();

  // Without locks or channels, as on a page without TLS, every tab is by itself.
  if (locks === undefined || openChannel === undefined) {
    queueMicrotask(() => {
      if (!closing.signal.aborted) options.onLead(closing.signal);
    });
    return { isLeader: true, post: () => undefined, close: () => closing.abort() };
  }

  const port = openChannel(name);
  const say = (envelope: Envelope<M>): void => {
    if (!closing.signal.aborted) port.postMessage(envelope);
  };
  port.addEventListener('message', ({ data }) => {
    const envelope = data as Envelope<M>;
    if (envelope.kind === 'beat') heardMs = Date.now();
    else options.onMessage(envelope.message);
  });

  /** Holds the lock until the page closes, or until another tab steals it: then `request` rejects. */
  const lead = (): Promise<void> => {
    leading = new AbortController();
    const { signal } = leading;
    say({ kind: 'beat' });
    options.onLead(AbortSignal.any([signal, closing.signal]));
    return new Promise((resolve) => {
      closing.signal.addEventListener('abort', () => resolve(), { once: true });
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  };

  const stand = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await locks.request(name, { signal: closing.signal }, lead);
      } catch {
        // Stolen, or the page is closing.
      }
      resign();
    }
  };

  const steal = async (): Promise<void> => {
    try {
      await locks.request(name, { steal: true }, lead);
    } catch {
      // Stolen in turn.
    }
    resign();
  };

  const resign = (): void => {
    leading?.abort();
    leading = undefined;
    heardMs = Date.now();
  };

  const timer = setInterval(() => {
    if (leading !== undefined) {
      say({ kind: 'beat' });
      return;
    }
    if (!isVisible() || Date.now() - heardMs <= silenceMs) return;
    heardMs = Date.now();
    void steal();
  }, beatMs);

  void stand();
  return {
    get isLeader() {
      return leading !== undefined;
    },
    post: (message) => say({ kind: 'message', message }),
    close() {
      closing.abort();
      clearInterval(timer);
      port.close();
    },
  };
}

const browserLocks = (): LockManager | undefined =>
  (globalThis.navigator as Partial<Navigator> | undefined)?.locks;

const browserChannel = (): ((name: string) => Port) | undefined =>
  typeof BroadcastChannel === 'undefined' ? undefined : (name) => new BroadcastChannel(name);
