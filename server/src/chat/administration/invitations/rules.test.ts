import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { createKey, isKey } from './key.ts';
import {
  findAddressProblem,
  isTooNewToInvite,
  mayInviteAs,
  parseInvitees,
  reminderAt,
  roleAtUse,
} from './rules.ts';

const roles = Object.values(ROLE);
const role = fc.constantFrom<RoleCode>(...roles);

it.each<[RoleCode, RoleCode[]]>([
  [100, [100, 200, 300, 400, 600]],
  [200, [200, 300, 400, 600]],
  [300, [300, 400, 600]],
  [400, [400, 600]],
  [600, [600]],
])('role %i may invite to the roles %j', (inviter, allowed) => {
  expect(roles.filter((invited) => mayInviteAs(inviter, invited))).toEqual(allowed);
});

it('nobody gets a higher role than was offered, or than the inviter has by then', () => {
  fc.assert(
    fc.property(role, role, (inviter, invited) => {
      const made = roleAtUse(inviter, invited);
      expect(made).toBeGreaterThanOrEqual(inviter);
      expect(made).toBeGreaterThanOrEqual(invited);
      expect([inviter, invited]).toContain(made);
    }),
  );
});

it('finds addresses between commas or newlines, with or without a name, each once', () => {
  const text =
    ' ada@example.com,\r\n Bob Builder <bob@example.com> ,, "Cy" <cy@example.com>\nADA@example.com';
  expect(parseInvitees(text)).toEqual([
    { email: 'ada@example.com', fullName: '' },
    { email: 'bob@example.com', fullName: 'Bob Builder' },
    { email: 'cy@example.com', fullName: 'Cy' },
  ]);
  expect(parseInvitees('x@example.com\nXenia <X@example.com>')).toEqual([
    { email: 'x@example.com', fullName: 'Xenia' },
  ]);
  expect(parseInvitees(' ,\n, ')).toEqual([]);
});

it('finds the same people, whatever separates the addresses', () => {
  const local = fc.stringMatching(/^[a-z0-9.]{1,10}[a-z]$/);
  const separator = fc.constantFrom(',', '\n', '\r\n', ' , ', ',\n', ',,');
  fc.assert(
    fc.property(
      fc.uniqueArray(local, { minLength: 1, maxLength: 20 }),
      fc.array(separator, { minLength: 20, maxLength: 20 }),
      (names, separators) => {
        const emails = names.map((name) => `${name}@example.com`);
        const text = emails.map((email, index) => `${email}${separators[index]}`).join('');
        expect(parseInvitees(text).map(({ email }) => email)).toEqual(emails);
      },
    ),
  );
});

it('names nobody twice and never throws, whatever the text is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const found = parseInvitees(text).map(({ email }) => email.toLowerCase());
      expect(new Set(found).size).toBe(found.length);
    }),
  );
});

const any = { domains: null, refusesDisposable: true };
const ours = {
  domains: [
    { name: 'Example.com', allowsSubdomains: false },
    { name: 'example.org', allowsSubdomains: true },
  ],
  refusesDisposable: true,
};

it.each([
  ['ada@example.com', any, undefined],
  ['ada+x@example.com', any, undefined],
  ['ada', any, 'Invalid address.'],
  ['a b@example.com', any, 'Invalid address.'],
  [`${'a'.repeat(65)}@example.com`, any, 'Invalid address.'],
  ['ada@mailinator.com', any, 'Please use your real email address.'],
  ['ada@sub.MAILINATOR.com', any, 'Please use your real email address.'],
  ['ada@notmailinator.example', any, undefined],
  ['ada@mailinator.com', { ...any, refusesDisposable: false }, undefined],
  ['ada@EXAMPLE.com', ours, undefined],
  ['ada@sub.example.com', ours, 'Outside your domain.'],
  ['ada@sub.example.org', ours, undefined],
  ['ada@notexample.org', ours, 'Outside your domain.'],
  ['ada+x@example.com', ours, 'Email addresses containing + are not allowed.'],
  ['ada@example.com', { ...ours, domains: [] }, 'Outside your domain.'],
])('%s, with %j: %s', (email, policy, problem) => {
  expect(findAddressProblem(email, policy)).toBe(problem);
});

it('reminds two days before the end of an invitation that lasts at least four', () => {
  expect(reminderAt(0, 10 * DAY_MS)).toBe(8 * DAY_MS);
  expect(reminderAt(0, 4 * DAY_MS)).toBe(2 * DAY_MS);
  expect(reminderAt(0, 4 * DAY_MS - 1)).toBeUndefined();
  expect(reminderAt(0, null)).toBeUndefined();
});

it('an account is new for three days', () => {
  expect(isTooNewToInvite(new Date(0), 3 * DAY_MS - 1)).toBe(true);
  expect(isTooNewToInvite(new Date(0), 3 * DAY_MS)).toBe(false);
});

it('keys have 256 bits in 52 characters, and never repeat', () => {
  const keys = Array.from({ length: 1000 }, createKey);
  expect(keys.every(isKey)).toBe(true);
  expect(new Set(keys).size).toBe(keys.length);
  // Every character of a key takes many values; the last one holds only the one bit that is left.
  for (let place = 0; place < 51; place += 1) {
    expect(new Set(keys.map((key) => key[place])).size).toBeGreaterThan(20);
  }
  expect(['', 'A'.repeat(52), `${'a'.repeat(51)}1`, 'a'.repeat(53)].some(isKey)).toBe(false);
});
