// Installing the client as an app: the browser says that it can, and a button asks it to.

/** What Chromium sends; other browsers have a menu of their own for it. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

export interface Installer {
  readonly canInstall: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
  install(): void;
}

export function createInstaller(page: Pick<Window, 'addEventListener'>): Installer {
  const listeners = new Set<() => void>();
  let offer: InstallEvent | undefined;
  const set = (next: InstallEvent | undefined): void => {
    offer = next;
    for (const listener of listeners) listener();
  };
  page.addEventListener('beforeinstallprompt', (event) => {
    // Without a bar of the browser's own: people find it in the account menu.
    event.preventDefault();
    set(event as InstallEvent);
  });
  page.addEventListener('appinstalled', () => set(undefined));
  return {
    canInstall: () => offer !== undefined,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    install() {
      const now = offer;
      // An offer is good once.
      set(undefined);
      now?.prompt().catch(() => undefined);
    },
  };
}
