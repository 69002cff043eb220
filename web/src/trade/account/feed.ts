// The private half of the venue, followed once for the whole page: orders, trades and balances of the account. Answers of
// calls are given to it too, so that everybody sees an order as soon as anybody does.
import type { Balance, MyTrade, Order, StreamEvent } from '@rialto/sdk';
import { createGate } from '../venue/gate.ts';
import type { Venue } from '../venue/venue.ts';
import { OrderTable } from './orders.ts';

export interface AccountState {
  /** Open and waiting orders, newest first; undefined until they have come. */
  readonly open: readonly Order[] | undefined;
  /** Those that ended during this visit, newest first. */
  readonly ended: readonly Order[];
  /** By coin; undefined until they have come. */
  readonly balances: ReadonlyMap<string, Balance> | undefined;
  /** The latest trades, newest first; undefined until they have come. */
  readonly fills: readonly MyTrade[] | undefined;
}

export interface AccountFeed {
  /** The same object until something changes. */
  state(): AccountState;
  /** Called after changes, at most ten times a second. The first one to listen starts it. */
  subscribe(listener: () => void): () => void;
  /** Called with every order that is newer than what was known, at once. */
  onOrder(listener: (order: Order) => void): () => void;
  /** Takes the orders of an answer. */
  take(orders: readonly Order[]): void;
}

const REPAINT_MS = 100;
const FILLS_MAX = 200;

const EMPTY: AccountState = {
  open: undefined,
  ended: [],
  balances: undefined,
  fills: undefined,
};

type Private = 'orders' | 'my_trades' | 'balances';

export function createAccountFeed(venue: Pick<Venue, 'streams' | 'trading'>): AccountFeed {
  const gate = createGate(REPAINT_MS);
  const table = new OrderTable();
  const watchers = new Set<(order: Order) => void>();
  let balances: ReadonlyMap<string, Balance> | undefined;
  let fills: ReadonlyMap<string, MyTrade> = new Map();
  let hasOrders = false;
  let hasFills = false;
  let isStarted = false;
  let state = EMPTY;
  let isChanged = false;

  const change = (): void => {
    isChanged = true;
    gate.signal();
  };

  const take = (orders: readonly Order[]): void => {
    for (const order of orders) {
      if (!table.take(order)) continue;
      for (const watcher of watchers) watcher(order);
      change();
    }
  };

  const addFills = (trades: readonly MyTrade[]): void => {
    const all = new Map([...fills, ...trades.map((trade) => [trade.tradeId, trade] as const)]);
    fills = new Map(
      [...all].sort(([, a], [, b]) => Number(BigInt(b.time) - BigInt(a.time))).slice(0, FILLS_MAX),
    );
    change();
  };

  /** Trades have no snapshot: what came before, or got lost, is asked for. */
  const askFills = async (): Promise<void> => {
    const { items } = await venue.trading.order.trades({ limit: 100 });
    hasFills = true;
    addFills(items);
  };

  const onEvent = (event: StreamEvent<Private>): void => {
    if (event.type === 'reset' || event.type === 'gap') {
      // Orders and balances come anew by themselves.
      if (event.channel === 'my_trades') askFills().catch(() => undefined);
      return;
    }
    switch (event.channel) {
      case 'orders':
        if (event.type === 'update') take([event.data]);
        else {
          hasOrders = true;
          table.replace(event.data, event.engineSeq ?? '0');
          for (const order of event.data) for (const watcher of watchers) watcher(order);
          change();
        }
        break;
      case 'balances':
        balances = new Map([
          ...(event.type === 'update' ? (balances ?? []) : []),
          ...event.data.map((balance) => [balance.coin, balance] as const),
        ]);
        change();
        break;
      case 'my_trades':
        if (event.type === 'update') addFills([event.data]);
        break;
    }
  };

  const start = (): void => {
    isStarted = true;
    const following = venue.streams.subscribe(['orders', 'my_trades', 'balances'], onEvent);
    following.ready.then(askFills).catch(() => undefined);
  };

  return {
    state() {
      if (isChanged) {
        isChanged = false;
        state = {
          open: hasOrders ? table.open : undefined,
          ended: table.ended,
          balances,
          fills: hasFills ? [...fills.values()] : undefined,
        };
      }
      return state;
    },
    subscribe(listener) {
      if (!isStarted) start();
      return gate.subscribe(listener);
    },
    onOrder(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    take,
  };
}
