import { expect, it } from 'vitest';
import type { AuditEntry } from '../../../accounts/audit/entry.ts';
import { ROLE } from '../../../accounts/roles.ts';
import { EMAIL_VISIBILITY, type Sight } from '../../../accounts/users/sight.ts';
import { shownEntry } from './shape.ts';

const SIGHT: Sight = {
  viewer: { id: 1, role: ROLE.administrator },
  host: 'chat.example',
  known: undefined,
};
const ADA = {
  id: 7,
  email: 'ada@example.com',
  botOwnerId: null,
  emailVisibility: EMAIL_VISIBILITY.administrators,
};
const HIDDEN = { ...ADA, emailVisibility: EMAIL_VISIBILITY.nobody };

const entry = (given: Partial<AuditEntry> & { details?: string } = {}): AuditEntry => ({
  seq: 12n,
  at: new Date(5000),
  operator: 'root@example.com',
  act: 'user set_role',
  subject: 'ada@example.com',
  details: JSON.stringify({
    userId: 7,
    before: { role: 400 },
    after: { role: 200 },
    by: 3,
    via: 'session',
    from: '192.0.2.7',
    request: 'r1',
    accounts: ['12'],
  }),
  outcome: 'done',
  commandId: null,
  ...given,
});

it('tells who did what, and neither from where nor by which request', () => {
  const shown = shownEntry(entry(), SIGHT, ADA);
  expect(shown).toEqual({
    id: 12,
    timestamp: 5,
    user_id: 3,
    via: 'session',
    act: 'user set_role',
    outcome: 'done',
    subject: 'ada@example.com',
    subject_user_id: 7,
    before: { role: 400 },
    after: { role: 200 },
  });
});

it('calls somebody whose address is hidden by a placeholder, everywhere in the entry', () => {
  const renamed = entry({
    act: 'user set_email',
    details: JSON.stringify({
      userId: 7,
      before: { email: 'Ada@Example.com' },
      after: { list: ['new+1@example.com'] },
    }),
  });
  const shown = shownEntry(renamed, SIGHT, HIDDEN);
  expect(shown.subject).toBe('user7@chat.example');
  expect(JSON.stringify(shown)).not.toMatch(/example\.com/i);
});

it('does not tell an address that the person no longer has', () => {
  expect(shownEntry(entry({ subject: 'old@example.com' }), SIGHT, ADA).subject).toBe(
    'user7@chat.example',
  );
});

it('hides addresses of unknown people, and in what was denied', () => {
  const of = (given: Partial<AuditEntry>) =>
    shownEntry(entry({ details: '{}', ...given }), SIGHT, undefined).subject;
  expect(of({ act: 'user create', subject: 'x@example.com' })).toBe('hidden address');
  expect(of({ act: 'invitation accept', subject: 'x@example.com' })).toBe('hidden address');
  expect(of({ act: 'channel change', outcome: 'denied', subject: 'PATCH /users/x@y.org' })).toBe(
    'PATCH /users/hidden address',
  );
  expect(of({ act: 'invitation send', subject: 'x@example.com' })).toBe('x@example.com');
});
