// The address of every view: from the browser's address to a place, and back. Pure.

/** The list views, each at the address of its name. */
const LISTS = [
  'inbox',
  'recent',
  'feed',
  'mentions',
  'starred',
  'drafts',
  'scheduled',
  'people',
] as const;
export type ListView = (typeof LISTS)[number];

export const SETTINGS_PAGES = [
  'profile',
  'appearance',
  'notifications',
  'security',
  'sessions',
  'keys',
] as const;
export type SettingsPage = (typeof SETTINGS_PAGES)[number];

export const WALLET_PAGES = [
  'balances',
  'deposit',
  'withdraw',
  'book',
  'activity',
  'statements',
  'limits',
  'accounts',
  'proof',
] as const;
export type WalletPage = (typeof WALLET_PAGES)[number];
/** A page of the server. */
export const MARKETS_HREF = '/markets';

export type Place =
  | { readonly view: 'home' }
  /** `hash` is the whole of it, `#narrow/…`; the view parses it, because only the view knows the channels. */
  | { readonly view: 'narrow'; readonly hash: string }
  | { readonly view: ListView }
  | { readonly view: 'search'; readonly q: string }
  /** One market, or the one that was looked at last. */
  | { readonly view: 'trade'; readonly symbol?: string }
  | { readonly view: 'wallet'; readonly page: WalletPage }
  /** All channels, or what one of them is. */
  | { readonly view: 'channels'; readonly channelId?: number }
  | { readonly view: 'settings'; readonly page: SettingsPage }
  | { readonly view: 'admin'; readonly page: string }
  | { readonly view: 'unknown'; readonly path: string };

export interface Address {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/** What lies over a view, such as a dialog. It is part of the address, so that Back closes it. */
export const OVER = 'over';

/** Links of other clients to views that have an address of their own here. */
const HASHES: Readonly<Record<string, Place>> = {
  inbox: { view: 'inbox' },
  recent: { view: 'recent' },
  recent_topics: { view: 'recent' },
  feed: { view: 'feed' },
  all_messages: { view: 'feed' },
  drafts: { view: 'drafts' },
  scheduled: { view: 'scheduled' },
  settings: { view: 'settings', page: 'profile' },
  'settings/profile': { view: 'settings', page: 'profile' },
  'settings/account-and-privacy': { view: 'settings', page: 'security' },
  'settings/preferences': { view: 'settings', page: 'appearance' },
  'settings/notifications': { view: 'settings', page: 'notifications' },
};

const NARROW_HASHES: Readonly<Record<string, Place>> = {
  '#narrow/is/starred': { view: 'starred' },
  '#narrow/is/mentioned': { view: 'mentions' },
};

export function matchPlace({ pathname, search, hash }: Address): Place {
  if (hash.startsWith('#narrow/')) {
    return NARROW_HASHES[hash.replace(/\/$/, '')] ?? { view: 'narrow', hash };
  }
  const path = pathname.replace(/(.)\/+$/, '$1');
  if (path === '/') return HASHES[hash.slice(1).replace(/\/$/, '')] ?? { view: 'home' };
  return matchPath(path, new URLSearchParams(search)) ?? { view: 'unknown', path: pathname };
}

function matchPath(path: string, query: URLSearchParams): Place | undefined {
  const parts = partsOf(path);
  if (parts === undefined) return undefined;
  const [first = '', second, ...more] = parts;
  if (more.length > 0) return undefined;
  if (second === undefined) {
    const list = LISTS.find((one) => one === first);
    if (list !== undefined) return { view: list };
  }
  switch (first) {
    case 'search':
      return second === undefined ? { view: 'search', q: query.get('q') ?? '' } : undefined;
    case 'wallet':
      return matchWallet(second);
    case 'trade':
      return second === undefined ? { view: 'trade' } : { view: 'trade', symbol: second };
    case 'channels':
      return matchChannels(second);
    case 'settings': {
      const page = SETTINGS_PAGES.find((one) => one === (second ?? 'profile'));
      return page && { view: 'settings', page };
    }
    case 'admin':
      return { view: 'admin', page: second ?? '' };
    default:
      return undefined;
  }
}

/** The balances have the address of the wallet itself. */
function matchWallet(second: string | undefined): Place | undefined {
  if (second === undefined) return { view: 'wallet', page: 'balances' };
  const page = WALLET_PAGES.find((one) => one === second && one !== 'balances');
  return page && { view: 'wallet', page };
}

function matchChannels(id: string | undefined): Place | undefined {
  if (id === undefined) return { view: 'channels' };
  return /^[1-9]\d{0,9}$/.test(id) ? { view: 'channels', channelId: Number(id) } : undefined;
}

/** Undefined for a path with a broken escape. */
function partsOf(path: string): string[] | undefined {
  try {
    return path.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

export function printPlace(place: Place): string {
  switch (place.view) {
    case 'home':
      return '/';
    case 'narrow':
      return `/${place.hash}`;
    case 'search':
      return place.q === '' ? '/search' : `/search?${new URLSearchParams({ q: place.q })}`;
    case 'trade':
      return place.symbol === undefined ? '/trade' : `/trade/${encodeURIComponent(place.symbol)}`;
    case 'channels':
      return place.channelId === undefined ? '/channels' : `/channels/${place.channelId}`;
    case 'wallet':
      return place.page === 'balances' ? '/wallet' : `/wallet/${place.page}`;
    case 'settings':
      return `/settings/${place.page}`;
    case 'admin':
      return place.page === '' ? '/admin' : `/admin/${encodeURIComponent(place.page)}`;
    case 'unknown':
      return place.path;
    default:
      return `/${place.view}`;
  }
}

/** Whether both are the same view, whatever lies over it. */
export const isSamePlace = (one: Place, other: Place): boolean =>
  printPlace(one) === printPlace(other);

export const overOf = ({ search }: Address): string | undefined =>
  new URLSearchParams(search).get(OVER) ?? undefined;

/** The same address with `over` on top of it, or with nothing. */
export function withOver({ pathname, search, hash }: Address, over: string | undefined): string {
  return withQuery({ pathname, search, hash }, OVER, over);
}

/** The same address with one part of its query set, or taken away. */
export function withQuery(
  { pathname, search, hash }: Address,
  name: string,
  value: string | undefined,
): string {
  const query = new URLSearchParams(search);
  if (value === undefined) query.delete(name);
  else query.set(name, value);
  const text = query.toString();
  return `${pathname}${text === '' ? '' : `?${text}`}${hash}`;
}

/** Whether everybody may see it, also without signing in. */
export const isOpen = ({ view }: Place): boolean => view === 'trade';

/** Whether the client has a view there. Other addresses of the server are loaded as pages. */
export const isOurs = (address: Address): boolean => matchPlace(address).view !== 'unknown';

/** One address for each view: a link of another client may have come behind any path. */
export function canonical(address: Address): string {
  const place = matchPlace(address);
  if (address.hash === '' || place.view === 'home' || place.view === 'unknown') {
    return `${address.pathname}${address.search}${address.hash}`;
  }
  const { pathname, hash } = new URL(printPlace(place), 'http://here.invalid');
  const over = overOf(address);
  return withOver({ pathname, search: '', hash }, over);
}
