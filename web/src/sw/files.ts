// The files of the client in the cache of the browser. Each build has a cache of its own in each language; those of
// others are deleted.
import { CACHE_PREFIX, forgetBoot } from '../api/kept-boot.ts';
import { filesIn, isAway } from './requests.ts';

const FILES = `${CACHE_PREFIX}files-`;
/** More than a build has. Those that were fetched first give way. */
const FILES_MAX = 400;
const SHELL = '/web/shell';
/** A network that takes longer is as good as none. */
const SLOW_MS = 8000;

export interface FileKeeper {
  /** Fetches what a start needs; rejects unless all of it came. */
  fill(): Promise<void>;
  /** Deletes the caches of other builds. */
  tidy(): Promise<void>;
  file(request: Request, later: (work: Promise<unknown>) => void): Promise<Response>;
  page(asked: Promise<Response>): Promise<Response>;
}

export interface FileKeeperOptions {
  readonly build: string;
  readonly language: string;
  /** Views that people read without a network; the page itself begins without them. */
  readonly views: readonly string[];
  readonly storage: CacheStorage;
  readonly get: (address: string | Request, options?: RequestInit) => Promise<Response>;
  readonly slowMs?: number;
}

export function createFileKeeper(options: FileKeeperOptions): FileKeeper {
  const { build, language, views, storage, get, slowMs = SLOW_MS } = options;
  const name = `${FILES}${build}-${language}`;
  const open = (): Promise<Cache> => storage.open(name);

  const add = async (cache: Cache, address: string): Promise<void> => {
    if ((await cache.match(address)) !== undefined) return;
    const answer = await get(address);
    if (!answer.ok) throw new Error(`There is no ${address}.`);
    await cache.put(address, answer);
  };

  const keptPage = async (): Promise<Response | undefined> =>
    (await open()).match(SHELL, { ignoreVary: true });

  return {
    async fill() {
      const cache = await open();
      // The page for everybody: whose it is, it must not know.
      const shell = await get(`${SHELL}?lang=${language}`, { credentials: 'omit' });
      if (!shell.ok) throw new Error('There is no page to keep.');
      const html = await shell.clone().text();
      await Promise.all(filesIn(html).map((address) => add(cache, address)));
      await cache.put(SHELL, shell);
      // A server of another build may lack one of them; it comes when it is first opened.
      await Promise.allSettled(views.map((address) => add(cache, address)));
    },
    async tidy() {
      const names = await storage.keys();
      const old = names.filter((one) => one.startsWith(FILES) && one !== name);
      await Promise.all(old.map((one) => storage.delete(one)));
    },
    async file(request, later) {
      const cache = await open();
      const known = await cache.match(request, { ignoreVary: true });
      if (known !== undefined) return known;
      const answer = await get(request);
      if (answer.ok) later(cache.put(request, answer.clone()).then(() => trim(cache, FILES_MAX)));
      return answer;
    },
    async page(asked) {
      const answer = await Promise.race([asked, pause(slowMs)]).catch(() => undefined);
      // Only the way to sign in leads away from a page of the client: nobody is signed in any more.
      if (answer?.type === 'opaqueredirect') await forgetBoot(storage);
      if (answer !== undefined && !isAway(answer)) return answer;
      return (await keptPage()) ?? answer ?? asked;
    },
  };
}

export async function trim(cache: Cache, max: number): Promise<void> {
  const requests = await cache.keys();
  const isShell = ({ url }: Request): boolean => new URL(url).pathname === SHELL;
  const files = requests.filter((one) => !isShell(one));
  const old = files.slice(0, Math.max(0, files.length - max));
  await Promise.all(old.map((one) => cache.delete(one)));
}

const pause = (ms: number): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
