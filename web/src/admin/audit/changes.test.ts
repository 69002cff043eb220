import { expect, it } from 'vitest';
import { changesOf, isPermissionName } from './changes.ts';

const plain = () => undefined;

it('sets both sides beside each other, also where one is missing', () => {
  expect(changesOf({ a: 1, b: 'x' }, { a: 2, c: [7] }, plain)).toEqual([
    { name: 'a', before: '1', after: '2' },
    { name: 'b', before: 'x', after: '' },
    { name: 'c', before: '', after: '[7]' },
  ]);
  expect(changesOf(null, null, plain)).toEqual([]);
});

it('uses the words that the reader has for a value', () => {
  const write = (name: string, value: unknown) =>
    name === 'role' ? `role ${String(value)}` : undefined;
  expect(changesOf({ role: 400 }, { role: 200 }, write)).toEqual([
    { name: 'role', before: 'role 400', after: 'role 200' },
  ]);
});

it('knows a permission by its name', () => {
  expect(isPermissionName('can_create_groups')).toBe(true);
  expect(isPermissionName('direct_message_initiator_group')).toBe(true);
  expect(isPermissionName('name')).toBe(false);
});
