// Gives every parameter of every chat route wrong values: each is refused, or parsed into what its schema says.
import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { Refusal } from '../../platform/http/refusal.ts';
import { chatRoutes, sessionRoutes } from '../routes.ts';
import { parseParams } from './params.ts';

const HOSTILE = [
  '',
  ' ',
  'null',
  'undefined',
  'true',
  'yes',
  '0',
  '-1',
  '1.5',
  '1e400',
  '-0',
  '9007199254740993',
  '99999999999999999999999999',
  'NaN',
  '"text"',
  '"\\u0000"',
  '"\\ud800"',
  'a\0b',
  '\ud800',
  '{}',
  '[]',
  '[[]]',
  '[{}]',
  '[null]',
  '[1,"a",true,{},[]]',
  '["a","a"]',
  '[-1]',
  '[1.5]',
  '["\\u0000"]',
  '[["a","b"],["c"]]',
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '[{"operator":{},"operand":[]}]',
  '{"id":{},"name":[],"to":{},"type":1,"content":{}}',
  '['.repeat(40) + ']'.repeat(40),
  `[${'1,'.repeat(100_001)}1]`,
];

const properties = new Map<string, TSchema>();
for (const { name, params } of [...chatRoutes, ...sessionRoutes]) {
  for (const [parameter, schema] of Object.entries(params.properties)) {
    properties.set(`${name} ${parameter}`, schema);
  }
}

it('there are parameters to try', () => {
  expect(properties.size).toBeGreaterThan(300);
});

it.each([...properties])('%s is of its type or refused', (name, schema) => {
  const parameter = name.split(' ')[1] ?? '';
  const object = Type.Object({ [parameter]: schema });
  for (const text of HOSTILE) {
    try {
      const { values } = parseParams(object, new Map([[parameter, text]]));
      const value = values[parameter];
      if (value !== undefined) {
        expect([text.slice(0, 40), Value.Check(schema, value)]).toEqual([text.slice(0, 40), true]);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      expect([text.slice(0, 40), error.status]).toEqual([text.slice(0, 40), 400]);
    }
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
