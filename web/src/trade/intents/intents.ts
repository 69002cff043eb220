// Carries intents out: sends, asks and waits as the machine says, keeps them on disk, and hears of orders from the feed.
import { RialtoError, TradingError, type Order, type Trading } from '@rialto/sdk';
import type { Placement } from '../form/params.ts';
import {
  beginIntent,
  isSettled,
  nextOf,
  sent,
  take,
  type Intent,
  type News,
  type Refusal,
} from './machine.ts';
import type { IntentStorage } from './storage.ts';

export interface Intents {
  /** Newest first; the same array until something changes. */
  list(): readonly Intent[];
  /** Places under this id, once: a second call with the same id does nothing. */
  place(id: string, placement: Placement): void;
  /** Takes a settled one off the list. */
  dismiss(id: string): void;
  /** An order that became known elsewhere. */
  see(order: Order): void;
  subscribe(listener: () => void): () => void;
  close(): void;
}

interface IntentsOptions {
  readonly order: Pick<Trading['order'], 'create' | 'get'>;
  readonly orderList: Pick<Trading['orderList'], 'createOco' | 'createBracket'>;
  readonly storage: IntentStorage;
  /** Orders of answers, for everybody else. */
  readonly onOrders: (orders: readonly Order[]) => void;
  readonly nowMs?: () => number;
}

/** Settled ones that are still shown. */
const SHOWN_MAX = 20;
/** How long one attempt may take, so that there is time for another. */
const ATTEMPT_MS = 2500;
const ORDER_NOT_FOUND = '4011';
const ORDER_FINAL = '4013';

export const createIntentId = (): string => crypto.randomUUID().replaceAll('-', '');

export function createIntents(options: IntentsOptions): Intents {
  const { order, orderList, storage, onOrders, nowMs = Date.now } = options;
  const listeners = new Set<() => void>();
  const intents = new Map<string, Intent>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let list: readonly Intent[] = [];
  let isClosed = false;

  function set(intent: Intent): void {
    intents.set(intent.id, intent);
    if (isSettled(intent)) storage.remove(intent.id);
    else storage.save(intent);
    const all = [...intents.values()].sort((a, b) => b.clickedMs - a.clickedMs);
    for (const old of all.filter(isSettled).slice(SHOWN_MAX)) intents.delete(old.id);
    list = all.filter(({ id }) => intents.has(id));
    for (const listener of listeners) listener();
  }

  function hear(id: string, news: News): void {
    const intent = intents.get(id);
    if (isClosed || intent === undefined) return;
    set(take(intent, news, nowMs()));
    plan(id);
  }

  function plan(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    const intent = intents.get(id);
    const next = intent && nextOf(intent, nowMs());
    if (isClosed || next === undefined) return;
    const waitMs = next.atMs - nowMs();
    const act = next.act === 'send' ? send : ask;
    if (waitMs <= 0) void act(id);
    else
      timers.set(
        id,
        setTimeout(() => void act(id), waitMs),
      );
  }

  async function send(id: string): Promise<void> {
    const intent = intents.get(id);
    if (intent === undefined) return;
    set(sent(intent, nowMs()));
    const call = { retry: false, signal: AbortSignal.timeout(ATTEMPT_MS) } as const;
    try {
      const orders = await create(intent, call);
      onOrders(orders);
      const [first] = orders;
      hear(id, first === undefined ? { kind: 'lost' } : { kind: 'order', order: first });
    } catch (error) {
      hear(id, newsOf(error));
    }
  }

  async function create(
    { id, placement }: Intent,
    call: { readonly retry: false; readonly signal: AbortSignal },
  ): Promise<readonly Order[]> {
    switch (placement.call) {
      case 'create':
        return [await order.create({ ...placement.params, clientOrderId: id }, call)];
      case 'createOco': {
        const ids = { limitClientOrderId: id, stopClientOrderId: `${id}-s` };
        return (await orderList.createOco({ ...placement.params, ...ids }, call)).orders;
      }
      case 'createBracket': {
        const ids = {
          clientOrderId: id,
          takeProfitClientOrderId: `${id}-t`,
          stopLossClientOrderId: `${id}-s`,
        };
        return (await orderList.createBracket({ ...placement.params, ...ids }, call)).orders;
      }
    }
  }

  async function ask(id: string): Promise<void> {
    const askedMs = nowMs();
    const call = { retry: false, signal: AbortSignal.timeout(ATTEMPT_MS) } as const;
    try {
      const found = await order.get({ clientOrderId: id }, call);
      onOrders([found]);
      hear(id, { kind: 'order', order: found });
    } catch (error) {
      const isAbsent = error instanceof TradingError && error.code === ORDER_NOT_FOUND;
      hear(id, isAbsent ? { kind: 'unknown', askedMs } : { kind: 'unanswered' });
    }
  }

  for (const kept of storage.load()) {
    set(take(kept, { kind: 'resumed' }, nowMs()));
    plan(kept.id);
  }

  return {
    list: () => list,
    place(id, placement) {
      if (isClosed || intents.has(id)) return;
      set(beginIntent(id, placement, nowMs()));
      plan(id);
    },
    dismiss(id) {
      const intent = intents.get(id);
      if (intent === undefined || !isSettled(intent)) return;
      intents.delete(id);
      list = list.filter((one) => one.id !== id);
      for (const listener of listeners) listener();
    },
    see(seen) {
      if (intents.has(seen.clientOrderId)) hear(seen.clientOrderId, { kind: 'order', order: seen });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      isClosed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      listeners.clear();
    },
  };
}

/** What a failed call says about the order. */
function newsOf(error: unknown): News {
  // The venue names an order that stands under this id already, though it is over.
  if (!(error instanceof RialtoError) || error.outcome === 'unknown') return { kind: 'lost' };
  const known = error.code === ORDER_FINAL ? error.details['order'] : undefined;
  if (known !== undefined) return { kind: 'order', order: known as Order };
  const refusal: Refusal = {
    code: error.code,
    message: error.message,
    reference: error.requestId,
  };
  return { kind: 'refused', refusal, mayRepeat: error.isRetryable };
}
