// What an event costs a node: only the queues that it concerns are touched, however many the node holds.
import { expect, it } from 'vitest';
import { parseDatabaseSnapshot } from '../db/snapshot.ts';
import { TRADING_BATCH, type Audience, type LoggedEvent } from '../events/event.ts';
import { createMetrics } from '../observe/metrics.ts';
import { deliverEvent } from './deliver.ts';
import { NO_CHANGE, type Directory } from './directory.ts';
import type { Expander } from './expander.ts';
import { HeldQueues } from './held-queues.ts';
import { LiveQueue } from './queue.ts';

const CHAT_QUEUES = 10_000;

/** Everybody may see what they are sent; rights are not what these tests are about. */
const directory: Directory = {
  open: () => Promise.resolve(0),
  enter: () => Promise.resolve(0),
  leave: () => {},
  apply: () => NO_CHANGE,
  candidates: () => [],
  isWide: () => false,
  admits: () => true,
  mayKeep: () => true,
  withdraws: () => undefined,
  channelsOf: () => [],
  shape: ({ payload }) => [payload],
};

/** Counts what it is asked; a row concerns the people that its payload names. */
class CountingExpander implements Expander {
  readonly source = TRADING_BATCH;
  readonly yields = new Set(['order']);
  opened = 0;
  readonly expandedFor: string[] = [];
  describe = () => Promise.resolve({});
  enter = () => Promise.resolve();
  leave = () => {};
  clear = () => {};
  apply = () => {};
  concerned({ payload }: LoggedEvent): number[] {
    this.opened += 1;
    return JSON.parse(payload) as number[];
  }
  expand(_row: LoggedEvent, { id }: { readonly id: string }): string[] {
    this.expandedFor.push(id);
    return ['{"type":"order"}'];
  }
}

function openNode() {
  const expander = new CountingExpander();
  const queues = new HeldQueues(directory, createMetrics('api'), expander);
  let touched = 0;
  const hold = (id: string, userId: number, eventTypes: readonly string[] | null) => {
    const description = {
      id,
      userId,
      startPosition: 0,
      snapshot: parseDatabaseSnapshot('1:1:'),
      eventTypes: eventTypes && new Set(eventTypes),
      filter: {},
      idleSeconds: 600,
    };
    const queue = new LiveQueue(description, 0);
    queue.load(0);
    queue.loaded([], true);
    return queues.add(
      new Proxy(queue, {
        get(target, name) {
          if (name === 'takesArrivals') touched += 1;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      }),
    );
  };
  const deliver = (position: number, type: string, payload: string, audience: Audience) => {
    touched = 0;
    const event = { position, xid: 10n, type, payload, audience, rightsOf: [] };
    deliverEvent({ queues, directory, expander, wantedByDefault: () => true }, event);
    return touched;
  };
  return { expander, queues, hold, deliver };
}

it('a batch is not even opened while no queue wants what comes of it', () => {
  const { expander, hold, deliver, queues } = openNode();
  for (let id = 0; id < CHAT_QUEUES; id += 1) hold(`chat ${id}`, id, id % 2 ? null : ['message']);
  for (let position = 1; position <= 100; position += 1) {
    expect(deliver(position, TRADING_BATCH, '[1,2,3]', { trading: 0 })).toBe(0);
  }
  expect([expander.opened, expander.expandedFor]).toEqual([0, []]);

  // One queue among ten thousand, of somebody who also has queues of the chat.
  const own = hold('trading', 2, ['order', 'message']);
  expect(deliver(101, TRADING_BATCH, '[1,2,3]', { trading: 0 })).toBe(1);
  expect(deliver(102, TRADING_BATCH, '[1,3]', { trading: 0 })).toBe(0);
  // As an earlier release wrote it.
  expect(deliver(103, TRADING_BATCH, '[2]', { users: [] })).toBe(1);
  expect(expander.opened).toBe(3);
  expect(expander.expandedFor).toEqual(['trading', 'trading']);
  expect(JSON.parse(own.take())).toEqual([
    { id: 101 * 4096, type: 'order' },
    { id: 103 * 4096, type: 'order' },
  ]);

  // It keeps its own texts, and nothing of the rows that they came of.
  const kept: string[] = [];
  own.forget(({ payload }) => kept.push(payload) > 0);
  expect(kept).toEqual(['', '']);

  // When it is gone, batches cost nothing again.
  queues.drop(own);
  expect(deliver(104, TRADING_BATCH, '[2]', { trading: 0 })).toBe(0);
  expect(expander.opened).toBe(3);
});

it('a queue that holds nothing is not expanded for, and reads the log when it is asked', () => {
  const { expander, hold, deliver } = openNode();
  const queue = hold('trading', 2, ['order']);
  queue.chill();
  deliver(1, TRADING_BATCH, '[2]', { trading: 0 });
  expect(expander.expandedFor).toEqual([]);
  expect(queue.hasPending).toBe(false);
});
