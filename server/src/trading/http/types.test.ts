// Gives every parameter of every trading route wrong values: each is refused by name, or parsed
// into what its schema says.
import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import type { Given } from '../../accounts/trading-keys/parameters.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { ROUTES } from '../routes.ts';
import { compileParams } from './params.ts';

const HOSTILE: readonly (Given | undefined)[] = [
  undefined,
  '',
  ' ',
  'null',
  'true',
  '0',
  '-1',
  '+1',
  '1.5',
  '1e5',
  '0x10',
  '۱۲۳',
  '٣',
  'Infinity',
  'NaN',
  '9007199254740993',
  '99999999999999999999999999',
  '\ud800',
  '[]',
  '{}',
  '[[]]',
  'x'.repeat(100_000),
  [],
  [[]],
  ['a', ['b']],
  new Map(),
  new Map([['a', 'b']]),
  new Map<string, Given>([['__proto__', new Map([['polluted', '1']])]]),
  [new Map<string, Given>([['symbol', []]])],
  Array.from({ length: 10_001 }, () => 'a'),
];

const properties = new Map<string, TSchema>();
for (const { name, params } of ROUTES) {
  for (const [parameter, schema] of Object.entries(params.properties)) {
    properties.set(`${name} ${parameter}`, schema);
  }
}

it('there is something to try', () => {
  expect(properties.size).toBeGreaterThan(50);
});

it.each([...properties])('%s has its type or is refused', (name, schema) => {
  const parameter = name.split(' ')[1] ?? '';
  const parse = compileParams(Type.Object({ [parameter]: schema }), { unknownNames: 'refused' });
  for (const [index, value] of HOSTILE.entries()) {
    try {
      const given = (parse([{ name: parameter, value }]) as Record<string, unknown>)[parameter];
      if (given !== undefined) expect([index, Value.Check(schema, given)]).toEqual([index, true]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      expect([index, error.status]).toEqual([index, 400]);
    }
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
