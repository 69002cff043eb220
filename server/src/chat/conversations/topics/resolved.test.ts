import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isResolveToggle, marksEmptyTopic, RESOLVED } from './resolved.ts';
import { normalizeTopic } from './rules.ts';

describe('resolving a topic', () => {
  it('is a toggle in both directions, for every topic', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 }), (text) => {
        const topic = normalizeTopic(text);
        fc.pre(topic !== '' && !topic.startsWith(RESOLVED));
        const done = normalizeTopic(RESOLVED + topic);
        return isResolveToggle(topic, done);
      }),
    );
    expect(isResolveToggle('✔ lunch', 'lunch')).toBe(true);
  });

  it.each([
    ['lunch', '✔ dinner'],
    ['✔ lunch', 'dinner'],
    ['lunch', 'Lunch'],
    ['✔ lunch', '✔ dinner'],
  ])('%s → %s changes more than that', (from, to) => {
    expect(isResolveToggle(from, to)).toBe(false);
  });

  it('does not work for the empty topic', () => {
    expect(marksEmptyTopic('', '✔')).toBe(true);
    expect(marksEmptyTopic('', '✔ general chat')).toBe(true);
    expect(marksEmptyTopic('', 'x')).toBe(false);
  });
});
