// The router in components: where one is, links, and what an entry of the history remembers.
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useSyncExternalStore,
  type ComponentProps,
  type ReactNode,
} from 'react';
import { RouterProvider as AriaRouterProvider } from 'react-aria-components';
import {
  isOurs,
  isSamePlace,
  matchPlace,
  OVER,
  overOf,
  printPlace,
  type Place,
} from './addresses.ts';
import type { Route, Router } from './router.ts';

const RouterContext = createContext<Router | undefined>(undefined);

export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  useEffect(() => followClicks(document, router), [router]);
  // Clicks on entries of menus end there: nobody at the document hears them.
  const navigate = useCallback(
    (href: string) => {
      const url = new URL(href, location.href);
      if (isOurs(url)) follow(router, url);
      else location.assign(url);
    },
    [router],
  );
  return (
    <RouterContext value={router}>
      <AriaRouterProvider navigate={navigate}>{children}</AriaRouterProvider>
    </RouterContext>
  );
}

export function useRouter(): Router {
  const router = use(RouterContext);
  if (router === undefined) throw new Error('There is no RouterProvider around this component.');
  return router;
}

export function useRoute(): Route {
  const router = useRouter();
  return useSyncExternalStore(router.subscribe, router.current);
}

/** A part of the address's query, such as a filter: reload and Back bring it back. */
export function useQuery(name: string): [string | undefined, (value: string | undefined) => void] {
  const router = useRouter();
  const set = useCallback(
    (value: string | undefined) => router.setQuery(name, value),
    [router, name],
  );
  return [useRoute().query[name], set];
}

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** A place, or its address. */
  readonly to: Place | string;
}

/** An anchor with the address of the view. Clicks on it are taken by `followClicks`, like those on links in messages. */
export function Link({ to, ...rest }: LinkProps) {
  return <a {...rest} href={typeof to === 'string' ? to : printPlace(to)} />;
}

/** Goes where a link leads, with what its query says of a market: an order, an interval. */
export function follow(
  router: Router,
  url: URL,
  options: { readonly replace?: boolean } = {},
): void {
  const over = overOf(url);
  const place = matchPlace(url);
  const said =
    place.view === 'trade' ? [...url.searchParams].filter(([name]) => name !== OVER) : [];
  // Going to the same place closes what lies over it by going back, and that would lose the query.
  if (said.length > 0 && isSamePlace(place, router.current().place))
    router.setQuery(OVER, undefined);
  else router.go(place, options);
  for (const [name, value] of said) router.setQuery(name, value);
  if (over !== undefined) router.open(over);
}

/** Takes plain clicks on links to our own views, wherever they stand. Everything else is left to the browser. */
function followClicks(page: Document, router: Router): () => void {
  const take = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return;
    if (link.target !== '' && link.target !== '_self') return;
    const url = new URL(link.href);
    // A link to a part of this page, such as the skip link, is the browser's.
    const isPart = url.hash !== '' && !isPlaceHash(url);
    if (url.origin !== location.origin || isPart || !isOurs(url)) return;
    event.preventDefault();
    follow(router, url);
  };
  page.addEventListener('click', take);
  return () => page.removeEventListener('click', take);
}

const isPlaceHash = (url: URL): boolean =>
  url.hash.startsWith('#narrow/') || matchPlace({ ...parts(url), pathname: '/' }).view !== 'home';

const parts = ({ search, hash }: URL) => ({ search, hash });
