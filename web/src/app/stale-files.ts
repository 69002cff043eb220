// A part of the client could not be loaded: the server has a newer build and the files of this one are gone. The page is
// loaded again, once. If that does not help, the part says so itself (boundary.tsx), with a button.

const KEY = 'rialto.reloadedAtMs';
/** A page that was loaded again so recently has nothing to gain from another time. */
const AGAIN_MS = 60 * 60 * 1000;
/** Who leaves the page is gone by then, or has stayed: a link may also be a file to be saved. */
const LEAVING_MS = 15_000;

export interface StalePage {
  addEventListener(type: 'vite:preloadError' | 'beforeunload', listener: () => void): void;
  readonly navigator: Pick<Navigator, 'onLine'>;
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly location: Pick<Location, 'reload'>;
}

/** `save` is called before the page goes away: for what is being written. */
export function watchStaleFiles(page: StalePage, save: () => void, now = Date.now): void {
  // Firefox ends what is being loaded when a link is followed. Loading the page again would then undo the click.
  let leftAtMs = Number.NEGATIVE_INFINITY;
  page.addEventListener('beforeunload', () => (leftAtMs = now()));
  page.addEventListener('vite:preloadError', () => {
    if (now() - leftAtMs < LEAVING_MS) return;
    // Without a network the files may well be there.
    if (!page.navigator.onLine || !noteReload(page, now())) return;
    save();
    page.location.reload();
  });
}

/** False if it was done already, or if nobody could remember that it was. */
function noteReload({ sessionStorage }: StalePage, nowMs: number): boolean {
  try {
    const lastMs = Number(sessionStorage.getItem(KEY) ?? Number.NEGATIVE_INFINITY);
    if (nowMs - lastMs < AGAIN_MS) return false;
    sessionStorage.setItem(KEY, String(nowMs));
    return true;
  } catch {
    return false;
  }
}
