import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasReceived, joinAt, leaveAt, parseReceived, type Received } from './received.ts';

describe('what was received while subscribed', () => {
  it("is parsed from PostgreSQL's text", () => {
    expect(parseReceived('{}')).toEqual([]);
    expect(parseReceived('{[1,)}')).toEqual([[1, Infinity]]);
    expect(parseReceived('{[3,5),[9,)}')).toEqual([
      [3, 4],
      [9, Infinity],
    ]);
  });

  it('agrees with a list of all messages, after any joining and leaving', () => {
    const steps = fc.array(fc.constantFrom('join', 'leave', 'message'), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (given) => {
        let received: Received = [];
        let isIn = false;
        let seq = 0;
        const arrived = new Set<number>();
        for (const step of given) {
          if (step === 'message') {
            seq += 1;
            if (isIn) arrived.add(seq);
          } else if (step === 'join' && !isIn) {
            received = joinAt(received, seq);
            isIn = true;
          } else if (step === 'leave' && isIn) {
            received = leaveAt(received, seq);
            isIn = false;
          }
        }
        for (let number = 1; number <= seq; number += 1) {
          expect(hasReceived(received, number)).toBe(arrived.has(number));
        }
        // The next message arrives if and only if the person is subscribed.
        expect(hasReceived(received, seq + 1)).toBe(isIn);
        // The ranges are in order, and never touch each other.
        for (const [index, [from]] of received.entries()) {
          const before = received[index - 1];
          if (before !== undefined) expect(from).toBeGreaterThan(before[1] + 1);
        }
      }),
    );
  });
});
