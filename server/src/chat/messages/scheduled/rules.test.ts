import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addresseeKindOf,
  readdress,
  parseDestination,
  type Addressed,
  type ScheduledEdit,
} from './rules.ts';

const word = fc.constantFrom('direct', 'private', 'stream', 'channel');
const people = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
const to = fc.oneof(fc.integer({ min: 1, max: 9 }), people);
const before: fc.Arbitrary<Addressed> = fc.oneof(
  fc.record({
    destination: fc.record({ kind: fc.constant('channel' as const), channel: fc.nat() }),
    topic: fc.string({ maxLength: 9, unit: 'grapheme-ascii' }).map((text) => text.trim()),
  }),
  fc.record({
    destination: fc.record({ kind: fc.constant('direct' as const), userIds: people }),
    topic: fc.constant(''),
  }),
);
const change: fc.Arbitrary<ScheduledEdit> = fc.record(
  { type: word, to, topic: fc.constantFrom('', 'a', ' b ', '(no topic)', 'general chat') },
  { requiredKeys: [] },
);

describe('changing the recipients of a scheduled message', () => {
  it('keeps what the request leaves out, and never mixes a channel message with a direct one', () => {
    fc.assert(
      fc.property(before, change, (from, said) => {
        const kind = said.type === undefined ? from.destination.kind : addresseeKindOf(said.type);
        let result: Addressed;
        try {
          result = readdress(from, said);
        } catch {
          // A refusal needs a reason: recipients of the wrong kind or missing, or a missing topic.
          const isOther = kind !== from.destination.kind;
          const fits =
            said.to === undefined
              ? !isOther
              : (kind === 'channel') === (typeof said.to === 'number');
          const isNamed = said.topic === 'a' || said.topic === ' b ';
          expect(fits && (!isOther || kind === 'direct' || isNamed)).toBe(false);
          return;
        }
        expect(result.destination.kind).toBe(kind);
        if (said.to === undefined) expect(result.destination).toEqual(from.destination);
        if (kind === 'direct') expect(result.topic).toBe('');
        else if (said.topic === undefined) expect(result.topic).toBe(from.topic);
        else expect(result.topic).toBe({ a: 'a', ' b ': 'b' }[said.topic] ?? '');
      }),
    );
  });

  it('lists each person once', () => {
    expect(parseDestination('direct', [3, 1, 3])).toEqual({ kind: 'direct', userIds: [3, 1] });
    const many = Array.from({ length: 501 }, (_, n) => n + 1);
    expect(() => parseDestination('direct', many)).toThrow('more than 500 recipients');
  });
});
