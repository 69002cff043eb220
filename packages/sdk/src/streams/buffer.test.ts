import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBuffer } from './buffer.ts';
import { slowPolicyOf } from './channels.ts';

interface Event {
  readonly channel: string;
  readonly type: string;
  readonly n: number;
}

const CHANNELS = ['best:btcusdt', 'trades:btcusdt', 'depth:btcusdt', 'orders', 'my_trades'];

describe('the buffer of a subscription', () => {
  it('hands out everything in order while the consumer keeps up', () => {
    const buffer = createBuffer<Event>(3);
    for (let n = 0; n < 100; n += 1) {
      expect(buffer.push({ channel: 'orders', type: 'update', n })).toBeUndefined();
      if (n % 3 === 2) {
        expect([buffer.shift(), buffer.shift(), buffer.shift()]).toMatchObject([
          { n: n - 2 },
          { n: n - 1 },
          { n },
        ]);
      }
    }
    expect(buffer.dropped).toBe(0);
  });

  it('is bounded, keeps the order, and every loss that matters is told', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.oneof(fc.constantFrom(...CHANNELS), fc.constant('take')), { maxLength: 200 }),
        (max, acts) => {
          const buffer = createBuffer<Event>(max);
          /** Pushed and neither taken nor told as lost, by channel. */
          const due = new Map<string, number[]>();
          let n = 0;
          const take = () => {
            const event = buffer.shift();
            if (event === undefined) return false;
            const waiting = due.get(event.channel) ?? [];
            if ('n' in event) {
              const before = waiting.splice(0, waiting.indexOf(event.n) + 1);
              // Only states may be replaced without a word, and a book's differences, which start anew.
              const isTold = !['newest', 'anew'].includes(slowPolicyOf(event.channel));
              if (isTold) expect(before).toEqual([event.n]);
              else expect(before.at(-1)).toBe(event.n);
            } else waiting.splice(0, event.dropped);
            return true;
          };
          for (const act of acts) {
            if (act === 'take') {
              take();
              continue;
            }
            n += 1;
            const restart = buffer.push({ channel: act, type: 'update', n });
            if (restart !== undefined) expect(['anew', 'reset']).toContain(slowPolicyOf(restart));
            due.set(act, [...(due.get(act) ?? []), n]);
            expect(buffer.size).toBeLessThanOrEqual(max);
          }
          while (take()) expect(buffer.size).toBeLessThanOrEqual(max);
          for (const [channel, left] of due) {
            if (['gap', 'reset'].includes(slowPolicyOf(channel))) expect(left, channel).toEqual([]);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
