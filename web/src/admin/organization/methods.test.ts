import { expect, it } from 'vitest';
import { methodsOf, withMethod } from './methods.ts';

const METHODS = {
  Email: { enabled: true, available: true },
  LDAP: { enabled: false, available: false },
};

it('offers what the server is set up for, and changes one of them', () => {
  expect(methodsOf(METHODS)).toEqual([{ name: 'Email', isOn: true }]);
  expect(methodsOf(withMethod(METHODS, 'Email', false))).toEqual([{ name: 'Email', isOn: false }]);
});
