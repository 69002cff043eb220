import { expect, it } from 'vitest';
import { grantOfAct, mayAct } from './grants.ts';

it('grants cover what the server says that they cover', () => {
  expect(mayAct([], 'look')).toBe(false);
  expect(mayAct(['support'], 'look')).toBe(true);
  expect(mayAct(['support'], 'markets')).toBe(false);
  expect(mayAct(['everything'], 'treasury')).toBe(true);
  expect(mayAct(['look'], 'support')).toBe(false);
});

it('an approval takes the grant of what it approves', () => {
  expect(grantOfAct('market phase')).toBe('markets');
  expect(grantOfAct('ledger credit')).toBe('treasury');
  expect(grantOfAct('operator grant')).toBe('everything');
});
