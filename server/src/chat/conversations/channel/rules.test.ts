import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findInvisible } from '../../../platform/names/invisible.ts';
import {
  changedPrivacy,
  checkChannelName,
  checkDescription,
  checkRetention,
  newPrivacy,
} from './rules.ts';

describe('names and descriptions', () => {
  it('a name is trimmed, its length counted in visible characters, and printable', () => {
    expect(checkChannelName('  Persian قیمت  ')).toBe('Persian قیمت');
    expect(checkChannelName('😀'.repeat(60))).toHaveLength(120);
    expect(() => checkChannelName('😀'.repeat(61))).toThrow('too long');
    expect(findInvisible('😀a\u0000')).toBe(3);
  });

  it('a description is one line', () => {
    expect(checkDescription('a\r\nb\nc\rd')).toBe('a b c d');
  });

  it('retention is days or a word', () => {
    expect(['unlimited', 'realm_default', 7].map(checkRetention)).toEqual([-1, null, 7]);
    for (const wrong of [0, -1, 2 ** 40, 'never', '7'])
      expect(() => checkRetention(wrong)).toThrow();
  });
});

describe('privacy', () => {
  const flag = fc.option(fc.boolean(), { nil: undefined });
  const start = fc
    .tuple(fc.boolean(), fc.boolean(), fc.boolean())
    .filter(([isPrivate, isWebPublic]) => !(isPrivate && isWebPublic))
    .map(([isPrivate, isWebPublic, history]) => newPrivacy(isPrivate, isWebPublic, history));

  it('no request leads to an impossible channel, and the result is what was requested', () => {
    fc.assert(
      fc.property(start, flag, flag, flag, (now, isPrivate, isWebPublic, history) => {
        const request = {
          is_private: isPrivate,
          is_web_public: isWebPublic,
          history_public_to_subscribers: history,
        };
        let next;
        try {
          next = changedPrivacy(now, request);
        } catch (error) {
          expect((error as Error).message).toBe('Invalid parameters');
          return;
        }
        if (next === undefined) {
          expect(Object.values(request)).toEqual([undefined, undefined, undefined]);
          return;
        }
        expect(next.inviteOnly && next.isWebPublic).toBe(false);
        expect(next.inviteOnly || next.historyPublicToSubscribers).toBe(true);
        if (isPrivate !== undefined) expect(next.inviteOnly).toBe(isPrivate);
        if (isWebPublic !== undefined) expect(next.isWebPublic).toBe(isWebPublic);
        if (history !== undefined) expect(next.historyPublicToSubscribers).toBe(history);
      }),
    );
  });

  it('becoming private protects history, becoming public opens it', () => {
    const open = newPrivacy(false, false, undefined);
    expect(changedPrivacy(open, { is_private: true })).toEqual(newPrivacy(true, false, false));
    const shared = newPrivacy(true, false, true);
    expect(changedPrivacy(shared, { is_private: false })).toEqual(open);
    // Repeating it changes nothing.
    expect(changedPrivacy(shared, { is_private: true })).toEqual(shared);
  });
});
