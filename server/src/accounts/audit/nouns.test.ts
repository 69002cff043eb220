import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ORGANIZATION_ACTS } from './access.ts';
import { ORGANIZATION_NOUNS } from './store.ts';

it('the index of entries about the organization has the nouns that are asked for', () => {
  const file = new URL('../../../migrations/0077_audit_pages.sql', import.meta.url);
  const [, list = ''] = /IN \(([^)]*)\)/.exec(readFileSync(file, 'utf8')) ?? [];
  expect(Array.from(list.matchAll(/'(\w+)'/g), ([, noun]) => noun)).toEqual(ORGANIZATION_NOUNS);
});

it('acts of single accounts, of operators and of the venue are not among them', () => {
  const nouns = new Set(ORGANIZATION_ACTS.map((act) => act.split(' ', 1)[0]));
  for (const noun of ['session', 'factor', 'password', 'recovery', 'operator', 'ledger', 'cli']) {
    expect(nouns).not.toContain(noun);
  }
  expect(ORGANIZATION_ACTS).toContain('org setting');
});
