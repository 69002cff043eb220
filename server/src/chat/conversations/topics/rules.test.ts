import { describe, expect, it } from 'vitest';
import { normalizeTopic } from './rules.ts';

describe('a topic in a request', () => {
  it('is trimmed', () => {
    expect(normalizeTopic('  lunch \n')).toBe('lunch');
  });
  it.each(['(no topic)', 'general chat', '', '  (no topic) '])('is empty when it is %j', (text) => {
    expect(normalizeTopic(text)).toBe('');
  });
  it('is kept when it only resembles those', () => {
    expect(normalizeTopic('General chat')).toBe('General chat');
    expect(normalizeTopic('(no topic) yet')).toBe('(no topic) yet');
  });
  it('is shortened to 60 whole characters', () => {
    expect(normalizeTopic('x'.repeat(60))).toBe('x'.repeat(60));
    expect(normalizeTopic('x'.repeat(61))).toBe(`${'x'.repeat(57)}...`);
    expect(normalizeTopic('🎉'.repeat(61))).toBe(`${'🎉'.repeat(57)}...`);
    expect(normalizeTopic('🎉'.repeat(60))).toBe('🎉'.repeat(60));
  });
  it.each([
    ['a\u0007b', 2],
    ['🎉\u{FFFF}', 2],
    ['\u0000', 1],
  ])('may not contain unprintable characters: %j', (text, position) => {
    expect(() => normalizeTopic(text)).toThrow(
      `Invalid character in topic, at position ${position}!`,
    );
  });
  it('keeps the zero-width non-joiner of Persian', () => {
    expect(normalizeTopic('می\u200Cروم')).toBe('می\u200Cروم');
  });
});
