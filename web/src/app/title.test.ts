import { expect, test } from 'vitest';
import { titleOf } from './title.ts';

test('the title has the count first, so that a narrow tab still shows it', () => {
  const parts = { view: 'Inbox', organization: 'Venue', write: String };
  expect(titleOf({ ...parts, unread: 0 })).toBe('Inbox · Venue');
  expect(titleOf({ ...parts, unread: 7 })).toBe('(7) Inbox · Venue');
  expect(titleOf({ ...parts, unread: 4000 })).toBe('(999+) Inbox · Venue');
});
