import { describe, expect, it } from 'vitest';
import { channel } from '../testing/state.ts';
import { listChannels, privacyOf, type Which } from './derive.ts';

const CHANNELS = [
  channel(1, 'desk'),
  channel(2, 'otc desk', {}, { isActive: false }),
  channel(3, 'quiet', { description: 'An old desk.' }),
  channel(4, 'gone', { isArchived: true }),
];
const names = (which: Which, typed = '') =>
  listChannels(CHANNELS, which, typed).map(({ name }) => name);

describe('the list of channels', () => {
  it('has archived ones only where they are asked for', () => {
    expect(names('all')).toEqual(['desk', 'otc desk', 'quiet']);
    expect(names('archived')).toEqual(['gone']);
  });

  it('tells those that one is in from those that are open', () => {
    expect(names('subscribed')).toEqual(['desk', 'quiet']);
    expect(names('open')).toEqual(['otc desk']);
  });

  it('finds beginnings of names first, then names, then descriptions', () => {
    expect(names('all', 'DESK')).toEqual(['desk', 'otc desk', 'quiet']);
    expect(names('all', 'otc')).toEqual(['otc desk']);
    expect(names('all', 'nothing')).toEqual([]);
  });
});

it('names the privacy of a channel', () => {
  const privacy = (isPrivate: boolean, isWebPublic: boolean, isHistoryPublic: boolean) =>
    privacyOf({ isPrivate, isWebPublic, isHistoryPublic });
  expect(privacy(false, false, true)).toBe('public');
  expect(privacy(false, true, true)).toBe('webPublic');
  expect(privacy(true, false, true)).toBe('private');
  expect(privacy(true, false, false)).toBe('hidden');
});
