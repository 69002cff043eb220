// Caches in memory, as far as the service worker uses them, for its tests.

class MemoryCache {
  readonly kept = new Map<string, Response>();

  async match(request: string | Request): Promise<Response | undefined> {
    return this.kept.get(addressOf(request))?.clone();
  }

  async put(request: string | Request, answer: Response): Promise<void> {
    this.kept.set(addressOf(request), answer);
  }

  async keys(): Promise<readonly Request[]> {
    return [...this.kept.keys()].map((url) => new Request(url));
  }

  async delete(request: Request): Promise<boolean> {
    return this.kept.delete(addressOf(request));
  }
}

const ORIGIN = 'https://rialto.example';
const addressOf = (request: string | Request): string =>
  new URL(typeof request === 'string' ? request : request.url, ORIGIN).href;

export function memoryCaches() {
  const all = new Map<string, MemoryCache>();
  const storage = {
    async open(name: string) {
      const cache = all.get(name) ?? new MemoryCache();
      all.set(name, cache);
      return cache;
    },
    has: async (name: string) => all.has(name),
    keys: async () => [...all.keys()],
    delete: async (name: string) => all.delete(name),
  };
  return {
    storage: storage as unknown as CacheStorage,
    names: () => [...all.keys()],
    /** The paths of what is in a cache. */
    paths: (name: string) =>
      [...(all.get(name)?.kept.keys() ?? [])].map((url) => new URL(url).pathname),
  };
}
