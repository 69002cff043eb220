import { apply, createState } from '@rialto/matching';
import { expect, it } from 'vitest';
import { mix64 } from '../../matching/sim/random.ts';
import { Workload } from '../../matching/sim/workload.ts';
import { bookText } from './books.ts';
import { readQueues } from './read-queues.ts';
import { Recorder } from './recorder.ts';

const COMPARE_EVERY = 200;
const kinds = new Map<string, number>();

it.each([0n, 1n, 2n, 3n, 4n, 6n, 7n, 8n])(
  'follows every queue of the core through a drawn venue (seed %d)',
  (seed) => {
    const workload = new Workload(mix64(seed));
    const state = createState({ ...workload.world.beginning, capacity: 64 });
    const recorder = new Recorder(readQueues(state));
    for (let i = 0; i < 4_000; i++) {
      const outcome = apply(state, workload.next());
      workload.observe(outcome);
      for (const step of outcome.steps) {
        for (const event of recorder.take(step)) {
          const kind = event.type === 'remove' ? event.reason : event.type;
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        }
      }
      if (i % COMPARE_EVERY === 0) {
        expect(bookText(recorder.books), `after command ${i}`).toBe(bookText(readQueues(state)));
      }
    }
  },
);

it('has seen every kind of change many times', () => {
  const required = ['market', 'market_phase', 'add', 'reduce', 'trade', 'uncross'];
  for (const kind of [...required, 'canceled', 'expired', 'amended', 'prevented']) {
    expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(20);
  }
});

it('refuses a step that does not follow from the queues', () => {
  const workload = new Workload(mix64(2n));
  const state = createState({ ...workload.world.beginning, capacity: 64 });
  let refused = 0;
  for (let i = 0; i < 3_000; i++) {
    const before = readQueues(state);
    const outcome = apply(state, workload.next());
    workload.observe(outcome);
    const step = outcome.steps.find(({ trades }) => trades.length > 0);
    if (step === undefined || step !== outcome.steps[0] || refused >= 20) continue;
    const lots = step.trades.map((trade) => ({ ...trade, lots: trade.lots + 1 }));
    expect(() => new Recorder(before).take({ ...step, trades: lots })).toThrow(
      `Step ${step.engineSeq} cannot be explained`,
    );
    refused += 1;
  }
  expect(refused).toBe(20);
});
