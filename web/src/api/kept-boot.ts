// What the page brings along is kept for a start without a network: the page of the service worker is the same for
// everybody, so the browser itself has to know whose it is. The worker reads it too, so it is in a cache and not in
// localStorage.
import { completeBoot, type Boot } from './boot.ts';

/** Every cache of ours begins with it. */
export const CACHE_PREFIX = 'rialto-';
const PERSON = `${CACHE_PREFIX}person`;
const ADDRESS = '/web/boot';

/** Pages without TLS have no caches. */
const browserCaches = (): CacheStorage | undefined =>
  (globalThis as { caches?: CacheStorage }).caches;

export async function keepBoot(boot: Boot, storage = browserCaches()): Promise<void> {
  const cache = await storage?.open(PERSON);
  await cache?.put(ADDRESS, Response.json(boot));
}

/** Undefined if nobody is signed in, as far as this browser knows. */
export async function readKeptBoot(storage = browserCaches()): Promise<Boot | undefined> {
  if ((await storage?.has(PERSON)) !== true) return undefined;
  const cache = await storage?.open(PERSON);
  const answer = await cache?.match(ADDRESS);
  return completeBoot(await answer?.json().catch(() => undefined));
}

/** The session is over: a start without a network shows nothing of this person any more. */
export async function forgetBoot(storage = browserCaches()): Promise<void> {
  await storage?.delete(PERSON);
}

/** For signing out: the person, and the files of the client with them. */
export async function forgetCaches(storage = browserCaches()): Promise<void> {
  if (storage === undefined) return;
  const own = (await storage.keys()).filter((name) => name.startsWith(CACHE_PREFIX));
  await Promise.all(own.map((name) => storage.delete(name)));
}
