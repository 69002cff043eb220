// Intents against a venue that loses, delays and doubles whatever it likes, under a clock of our own.
import { NetworkError, TradingError, type Order, type OrderCreateParams } from '@rialto/sdk';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Placement } from '../form/params.ts';
import { orderOf } from '../testing/order.ts';
import { createIntents, type Intents } from './intents.ts';
import type { Intent } from './machine.ts';
import { createIntentStorage, wipeTrade } from './storage.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const PLACEMENT: Placement = {
  call: 'create',
  params: { symbol: 'btcusdt', side: 'buy', type: 'limit', price: '1', volume: '1' },
};

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** What happens to one request and its answer. */
interface Fate {
  readonly requestMs: number;
  readonly isRequestLost: boolean;
  readonly answerMs: number;
  readonly isAnswerLost: boolean;
  /** When the event of the order comes, if it was made; more than one: doubled. */
  readonly eventsMs: readonly number[];
}

const LUCKY: Fate = {
  requestMs: 20,
  isRequestLost: false,
  answerMs: 20,
  isAnswerLost: false,
  eventsMs: [],
};
const ATTEMPT_MS = 2500;
const WINDOW_MS = 5000;

const facts = { name: 'X', message: 'no', isRetryable: true };
const lost = () => new NetworkError({ ...facts, code: 'NETWORK', outcome: 'unknown' });
const refusal = (code: string, isRetryable = false) =>
  new TradingError({ ...facts, code, isRetryable, outcome: 'none' });

function makeVenue(fates: readonly Fate[], refuses: (id: string) => boolean = () => false) {
  const orders = new Map<string, Order>();
  const made: string[] = [];
  let calls = 0;
  let onEvent: (order: Order) => void = () => undefined;
  const fate = (): Fate => fates[calls++ % fates.length] ?? LUCKY;
  /** The attempt ends in time, whatever became of it. */
  const inTime = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([work, after(ATTEMPT_MS).then(() => Promise.reject(lost()))]);
  const never = <T>(): Promise<T> => new Promise(() => undefined);

  async function handle({ clientOrderId: id = '' }: OrderCreateParams, mine: Fate): Promise<Order> {
    const sentMs = Date.now();
    await after(mine.requestMs);
    if (mine.isRequestLost) return never();
    const known = orders.get(id);
    let result: Order | Error;
    if (known !== undefined) result = known;
    else if (Date.now() - sentMs > WINDOW_MS) result = refusal('3006');
    else if (refuses(id)) result = refusal('5001');
    else {
      const order = orderOf({ orderId: String(orders.size + 1), clientOrderId: id });
      orders.set(id, order);
      made.push(id);
      for (const ms of mine.eventsMs) void after(ms).then(() => onEvent(order));
      result = order;
    }
    await after(mine.answerMs);
    if (mine.isAnswerLost) return never();
    if (result instanceof Error) throw result;
    return result;
  }

  const order = {
    create: vi.fn((params: OrderCreateParams) => inTime(handle(params, fate()))),
    get: vi.fn(async ({ clientOrderId: id = '' }: { clientOrderId?: string } = {}) => {
      const mine = fate();
      const work = async () => {
        await after(mine.requestMs);
        if (mine.isRequestLost) return never<Order>();
        const found = orders.get(id);
        await after(mine.answerMs);
        if (mine.isAnswerLost) return never<Order>();
        if (found === undefined) throw refusal('4011');
        return found;
      };
      return inTime(work());
    }),
  };
  return {
    order,
    orders,
    made,
    connect: (intents: Intents) => {
      onEvent = intents.see;
    },
  };
}

function makeDisk(): Storage {
  const rows = new Map<string, string>();
  return {
    get length() {
      return rows.size;
    },
    key: (index: number) => [...rows.keys()][index] ?? null,
    getItem: (key: string) => rows.get(key) ?? null,
    setItem: (key: string, value: string) => void rows.set(key, value),
    removeItem: (key: string) => void rows.delete(key),
    clear: () => rows.clear(),
  };
}

type Venue = ReturnType<typeof makeVenue>;

function open(venue: Venue, disk: Storage): Intents {
  const intents = createIntents({
    order: venue.order as never,
    orderList: {} as never,
    storage: createIntentStorage(disk, 1),
    onOrders: () => undefined,
  });
  venue.connect(intents);
  return intents;
}

const phaseOf = (intents: Intents, id: string): Intent['phase'] | undefined =>
  intents.list().find((one) => one.id === id)?.phase;

it('is on disk before it is sent, and leaves the disk when it is settled', async () => {
  const venue = makeVenue([LUCKY]);
  const disk = makeDisk();
  venue.order.create.mockImplementationOnce((params) => {
    expect(disk.length).toBe(1);
    expect(params.clientOrderId).toBe('a');
    return Promise.resolve(orderOf({ clientOrderId: 'a' }));
  });
  const intents = open(venue, disk);
  intents.place('a', PLACEMENT);
  expect(phaseOf(intents, 'a')).toBe('sending');
  await vi.advanceTimersByTimeAsync(100);
  expect(phaseOf(intents, 'a')).toBe('placed');
  expect(disk.length).toBe(0);
});

it('places once for two clicks', async () => {
  const venue = makeVenue([LUCKY]);
  const intents = open(venue, makeDisk());
  intents.place('a', PLACEMENT);
  intents.place('a', PLACEMENT);
  await vi.advanceTimersByTimeAsync(100);
  intents.place('a', PLACEMENT);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(venue.order.create).toHaveBeenCalledOnce();
});

it('ends in "not placed" without a network, after asking again and again', async () => {
  const dead: Fate = { ...LUCKY, isRequestLost: true };
  const venue = makeVenue([dead, dead, dead, dead, dead, LUCKY]);
  const intents = open(venue, makeDisk());
  intents.place('a', PLACEMENT);
  await vi.advanceTimersByTimeAsync(4000);
  expect(phaseOf(intents, 'a')).toBe('checking');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(phaseOf(intents, 'a')).toBe('absent');
  expect(venue.made).toEqual([]);
});

it('forgets what belongs to a person who signs out', () => {
  const disk = makeDisk();
  createIntentStorage(disk, 1).save({ id: 'a', clickedMs: 1 } as Intent);
  disk.setItem('rialto:trade:2:intent:b', '{}');
  wipeTrade(disk, 1);
  expect(disk.length).toBe(1);
});

const fate: fc.Arbitrary<Fate> = fc.record({
  requestMs: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 9000 })),
  isRequestLost: fc.boolean(),
  answerMs: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 4000 })),
  isAnswerLost: fc.boolean(),
  eventsMs: fc.array(fc.integer({ min: 0, max: 15_000 }), { maxLength: 3 }),
});

it('shows the true state in the end, with at most one order, whatever is lost, late or doubled', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fate, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      fc.array(fc.integer({ min: 1, max: 12_000 }), { maxLength: 3 }),
      async (fates, isRefused, reloadsMs) => {
        // Sooner or later a network works again.
        const venue = makeVenue([...fates, LUCKY], () => isRefused);
        const disk = makeDisk();
        let intents = open(venue, disk);
        let last: Intent['phase'] | undefined;
        const watch = () => {
          const follow = () => {
            last = phaseOf(intents, 'a') ?? last;
          };
          intents.subscribe(follow);
          follow();
        };
        watch();
        intents.place('a', PLACEMENT);
        intents.place('a', PLACEMENT);
        for (const ms of reloadsMs) {
          await vi.advanceTimersByTimeAsync(ms);
          intents.close();
          intents = open(venue, disk);
          watch();
        }
        await vi.advanceTimersByTimeAsync(240_000);
        expect(venue.made.length).toBeLessThanOrEqual(1);
        expect(disk.length).toBe(0);
        const isPlaced = venue.orders.has('a');
        expect(last).toBeOneOf(isPlaced ? ['placed'] : ['rejected', 'absent']);
        if (isRefused) expect(isPlaced).toBe(false);
        intents.close();
      },
    ),
    { numRuns: 400 },
  );
});
