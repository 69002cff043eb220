import { expect, it } from 'vitest';
import { idOf, type LoggedEvent } from '../events/event.ts';
import { createSharedPending, LiveQueue, toPending } from './queue.ts';

const event: LoggedEvent = {
  position: 7,
  xid: 5n,
  type: 'x',
  payload: '{}',
  audience: { everyone: true },
  rightsOf: [],
};

function openQueue(): LiveQueue {
  const queue = new LiveQueue(
    {
      id: 'q',
      userId: 1,
      startPosition: 0,
      snapshot: { xmin: 1n, xmax: 1n, running: new Set() },
      eventTypes: null,
      filter: {},
      idleSeconds: 600,
    },
    0,
  );
  queue.load(0);
  queue.loaded([], true);
  return queue;
}

it('queues that get the same text of an event share its entry, and each other text has its own', () => {
  const pendingOf = createSharedPending(event);
  const one = pendingOf(['{"type":"a"}']);
  expect(pendingOf([['{"type":', '"a"}'].join('')])).toBe(one);
  for (const texts of [['{"type":"b"}'], [], ['{"type":"a"}'], ['{"n":1}', '{"n":2}'], []]) {
    expect(pendingOf(texts)).toEqual(toPending(event, texts));
  }
});

it('an entry that queues share is acknowledged and forgotten by each alone', () => {
  const shared = createSharedPending(event)(['{"type":"a"}']);
  const queues = [openQueue(), openQueue(), openQueue()] as const;
  for (const queue of queues) queue.push(shared);
  const answer = `[{"id":${idOf(7)},"type":"a"}]`;
  expect(queues.map((queue) => queue.take())).toEqual([answer, answer, answer]);
  queues[0].acknowledge(idOf(7));
  queues[1].forget(() => false);
  expect(queues.map((queue) => queue.take())).toEqual(['[]', '[]', answer]);
  // What came and was acknowledged does not come again.
  queues[0].push(shared);
  expect(queues[0].hasPending).toBe(false);
});
