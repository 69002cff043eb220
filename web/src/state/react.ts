// The store in React.
import {
  createContext,
  createElement,
  use,
  useRef,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import type { State } from './state.ts';
import type { Connection, Store } from './store.ts';

const Context = createContext<Store | undefined>(undefined);

export function StoreProvider({
  store,
  children,
}: {
  readonly store: Store;
  readonly children: ReactNode;
}): ReactNode {
  return createElement(Context, { value: store }, children);
}

export function useStore(): Store {
  const store = use(Context);
  if (store === undefined) throw new Error('useStore needs a StoreProvider above it.');
  return store;
}

/** What `selector` gives, followed as long as the component is there. Lists with the same members count as the same. */
export function useSelect<T>(store: Store, selector: (state: State) => T): T {
  const last = useRef<{ readonly value: T } | undefined>(undefined);
  return useSyncExternalStore(store.subscribe, () => {
    const value = selector(store.state);
    if (last.current !== undefined && isSame(last.current.value, value)) return last.current.value;
    last.current = { value };
    return value;
  });
}

export const useConnection = (store: Store): Connection =>
  useSyncExternalStore(store.subscribe, () => store.connection);

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  return (
    Array.isArray(a) &&
    Array.isArray(b) &&
    a.length === b.length &&
    a.every((one, index) => Object.is(one, b[index]))
  );
}
