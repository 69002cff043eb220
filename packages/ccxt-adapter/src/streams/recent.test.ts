import { expect, it } from 'vitest';
import { RecentItems } from './recent.ts';

it('gives what is new since the last reading, for each market and for all', () => {
  const recent = new RecentItems<number>(10);
  recent.add('1', 'A', 1);
  recent.add('2', 'B', 2);
  expect(recent.readFresh(undefined)).toEqual([1, 2]);
  // Two callers who waited for the same push both get it.
  expect(recent.readFresh(undefined)).toEqual([1, 2]);
  recent.add('3', 'A', 3);
  expect(recent.readFresh(undefined)).toEqual([3]);
  expect(recent.readFresh('A')).toEqual([1, 3]);
  expect(recent.readFresh('B')).toEqual([2]);
  expect(recent.readFresh('C')).toEqual([]);
  expect(recent.readAll('A')).toEqual([1, 3]);
});

it('replaces an item that has changed, and moves it to the end', () => {
  const recent = new RecentItems<string>(10);
  recent.add('1', 'A', 'open');
  recent.add('2', 'A', 'open');
  recent.add('1', 'A', 'filled');
  expect(recent.readFresh('A')).toEqual(['open', 'filled']);
});

it('keeps no more than its number', () => {
  const recent = new RecentItems<number>(3);
  for (let index = 0; index < 100; index += 1) recent.add(String(index), 'A', index);
  expect(recent.readAll(undefined)).toEqual([97, 98, 99]);
  expect(recent.readFresh('A')).toEqual([97, 98, 99]);
});
