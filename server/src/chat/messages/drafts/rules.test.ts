import { describe, expect, it } from 'vitest';
import type { DraftInput } from './events.ts';
import { othersOf, parseDraft } from './rules.ts';

const NOW = 1_700_000_000_000;
const draft = (given: Partial<DraftInput>): DraftInput => ({
  type: '',
  to: [],
  topic: '',
  content: 'hello',
  ...given,
});
const parse = (given: Partial<DraftInput>) => parseDraft(draft(given), NOW);

describe('parseDraft', () => {
  it('ignores the topic and recipients of an unaddressed draft', () => {
    expect(parse({ to: [1, 2], topic: 'x' })).toEqual({
      type: '',
      content: 'hello',
      editedAt: new Date(NOW),
    });
  });
  it('keeps a direct draft direct when it has no recipients yet', () => {
    expect(parse({ type: 'private' })).toMatchObject({ type: 'private', userIds: [] });
  });
  it('lists each recipient once', () => {
    expect(parse({ type: 'private', to: [3, 2, 3] })).toMatchObject({ userIds: [3, 2] });
  });
  it.each([[[]], [[1, 2]]])('refuses a channel draft to %j', (to) => {
    expect(() => parse({ type: 'stream', to, topic: 't' })).toThrow(
      'Must specify exactly 1 channel ID for channel messages',
    );
  });
  it('applies the rules for topics', () => {
    expect(parse({ type: 'stream', to: [1], topic: ' (no topic) ' })).toMatchObject({ topic: '' });
    expect(parse({ type: 'stream', to: [1], topic: 'y'.repeat(70) })).toMatchObject({
      topic: `${'y'.repeat(57)}...`,
    });
  });
  it.each(['', 'stream', 'private'] as const)('refuses NUL in a draft of type %j', (type) => {
    expect(() => parse({ type, to: [1], topic: 'a\0' })).toThrow(
      'Topic must not contain null bytes',
    );
    expect(() => parse({ type, to: [1], content: 'a\0b' })).toThrow(
      'Message must not contain null bytes',
    );
  });
  it('shortens a long text and marks the cut', () => {
    const { content } = parse({ content: 'z'.repeat(10_001) });
    expect(content).toHaveLength(10_000);
    expect(content.endsWith('z\n[message truncated]')).toBe(true);
    expect(parse({ content: 'z'.repeat(10_000) }).content).toBe('z'.repeat(10_000));
  });
  it('accepts a time, but none before 1970', () => {
    expect(parse({ timestamp: 2 }).editedAt).toEqual(new Date(2000));
    expect(() => parse({ timestamp: -1 })).toThrow('Timestamp must not be negative.');
  });
});

it('a direct draft lists the others; a note to self lists its author', () => {
  expect(othersOf(5, [9, 5, 7])).toEqual([7, 9]);
  expect(othersOf(5, [5])).toEqual([5]);
  expect(othersOf(5, [])).toEqual([]);
});
