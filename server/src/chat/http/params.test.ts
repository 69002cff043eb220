// Parsing of parameters by their schemas, and the refusals.
import { Type, type TObject } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../platform/http/refusal.ts';
import { parseParams } from './params.ts';

const form = (values: Record<string, string>) => new Map(Object.entries(values));
const parse = (schema: TObject, values: Record<string, string>) =>
  parseParams(schema, form(values)).values;

function refusal(schema: TObject, values: Record<string, string>): Refusal {
  try {
    parse(schema, values);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const one = (schema: Parameters<typeof Type.Object>[0][string]) => Type.Object({ v: schema });
const message = (schema: Parameters<typeof Type.Object>[0][string], text: string) =>
  refusal(one(schema), { v: text }).message;

describe('scalars', () => {
  it.each([
    ['True', 'v is not valid JSON'],
    ['yes', 'v is not valid JSON'],
    ['', 'v is not valid JSON'],
    ['1', 'v is not a boolean'],
    ['"true"', 'v is not a boolean'],
  ])('a boolean %j is refused', (text, expected) => {
    expect(message(Type.Boolean(), text)).toBe(expected);
  });

  it.each([
    ['"5"', 'v is not an integer'],
    ['5.0', 'v is not an integer'],
    ['true', 'v is not an integer'],
    ['abc', 'v is not valid JSON'],
    ['', 'v is not valid JSON'],
    ['9007199254740993', 'v is too large'],
    ['-9007199254740993', 'v is too small'],
  ])('an integer %j is refused', (text, expected) => {
    expect(message(Type.Integer(), text)).toBe(expected);
  });

  it('accepts valid values', () => {
    expect(parse(one(Type.Boolean()), { v: 'true' })).toEqual({ v: true });
    expect(parse(one(Type.Integer()), { v: '-5' })).toEqual({ v: -5 });
    expect(parse(one(Type.Number()), { v: '1.5' })).toEqual({ v: 1.5 });
    expect(message(Type.Number(), '"1.5"')).toBe('v is not a float');
    expect(message(Type.Number(), '1e999')).toBe('v is too large');
  });

  it('keep the bounds of the schema', () => {
    expect(message(Type.Integer({ minimum: 1 }), '0')).toBe('v is too small');
    expect(message(Type.Integer({ maximum: 9 }), '10')).toBe('v is too large');
    const anchor = Type.Integer({ maximum: 1e16 });
    expect(parse(one(anchor), { v: '10000000000000000' })).toEqual({ v: 1e16 });
  });
});

describe('texts', () => {
  it('are raw: quotes belong to them, unless the parameter allows both', () => {
    expect(parse(one(Type.String()), { v: '"a"' })).toEqual({ v: '"a"' });
    expect(parse(one(Type.String({ 'x-quoted': true })), { v: '"a"' })).toEqual({ v: 'a' });
    expect(parse(one(Type.String({ 'x-quoted': true })), { v: 'a' })).toEqual({ v: 'a' });
    expect(parse(one(Type.String({ 'x-quoted': true })), { v: '"a' })).toEqual({ v: '"a' });
  });

  it('have lengths, counted in characters as people see them', () => {
    expect(message(Type.String({ minLength: 1, 'x-strip': true }), '  ')).toBe('v cannot be blank');
    expect(message(Type.String({ minLength: 2 }), 'a')).toBe('v is too short.');
    expect(message(Type.String({ maxLength: 2 }), 'abc')).toBe(
      'v is too long (limit: 2 characters)',
    );
    expect(parse(one(Type.String({ maxLength: 2 })), { v: '🎉🎉' })).toEqual({ v: '🎉🎉' });
    expect(message(Type.String({ pattern: '^[a-z]+$' }), 'A')).toBe('v has invalid format');
  });

  it('may not contain what the database cannot store', () => {
    expect(message(Type.String(), 'a\0b')).toBe('v must not contain null bytes');
    expect(message(Type.Array(Type.String()), String.raw`["\ud800"]`)).toBe(
      'v[0] is not valid Unicode text',
    );
    expect(message(Type.Unknown(), String.raw`{"a":"\u0000"}`)).toBe(
      'v["a"] must not contain null bytes',
    );
  });

  it('accept only declared choices', () => {
    const choice = Type.Union([Type.Literal('a'), Type.Literal('b')]);
    expect(parse(one(choice), { v: 'b' })).toEqual({ v: 'b' });
    expect(message(choice, 'c')).toBe('Invalid v');
    const listed = Type.Union([Type.Literal('a'), Type.Literal('b')], { 'x-listed': true });
    expect(message(listed, 'c')).toBe('Invalid v: Value error, Not in the list of possible values');
    const numbers = Type.Union([Type.Literal(100), Type.Literal(200)]);
    expect(parse(one(numbers), { v: '200' })).toEqual({ v: 200 });
    expect(message(numbers, '150')).toBe(
      'Invalid v: Value error, Not in the list of possible values',
    );
    expect(message(numbers, '"100"')).toBe('v is not an integer');
  });
});

describe('lists and objects', () => {
  const item = Type.Object({ a: Type.Integer(), b: Type.Optional(Type.String()) });
  const strict = Type.Object(item.properties, { additionalProperties: false });

  it.each([
    ['5', 'v is not a list'],
    ['["a"]', 'v[0] is not an integer'],
    ['[1,2.0]', 'v[1] is not an integer'],
    ['[1', 'v is not valid JSON'],
  ])('a list of integers %j is refused', (text, expected) => {
    expect(message(Type.Array(Type.Integer()), text)).toBe(expected);
  });

  it('say where the error is', () => {
    expect(message(item, '[]')).toBe('v is not a dict');
    expect(message(item, '{}')).toBe('v["a"] field is missing: Field required');
    expect(message(item, '{"a":"1"}')).toBe('v["a"] is not an integer');
    expect(message(strict, '{"a":1,"x":1}')).toBe('Argument "x" at v["x"] is unexpected');
    expect(message(Type.Array(strict), '[{"a":1},{"a":1,"id":2}]')).toBe(
      'Argument "id" at v[1]["id"] is unexpected',
    );
    expect(message(Type.Array(Type.Integer(), { maxItems: 1 }), '[1,2]')).toBe(
      'v is too long (limit: 1 items)',
    );
  });

  it('a missing field is found before an unexpected one', () => {
    expect(message(strict, '{"x":1}')).toBe('v["a"] field is missing: Field required');
  });

  it('drop fields that an open object does not declare', () => {
    expect(parse(one(item), { v: '{"a":1,"x":2}' })).toEqual({ v: { a: 1 } });
  });

  it('name the alternative that was tried', () => {
    const either = Type.Union([Type.Integer(), Type.Array(Type.Integer())]);
    expect(parse(one(either), { v: '[7]' })).toEqual({ v: [7] });
    expect(message(either, '"x"')).toBe('v["int"] is not an integer');
    const timeout = Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('mobile')], {
      'x-quoted': true,
    });
    expect(parse(one(timeout), { v: '30' })).toEqual({ v: 30 });
    expect(parse(one(timeout), { v: 'mobile' })).toEqual({ v: 'mobile' });
    expect(parse(one(timeout), { v: '"mobile"' })).toEqual({ v: 'mobile' });
    expect(message(timeout, 'desktop')).toBe('v["int"] is not an integer');
    expect(message(timeout, '0')).toBe('v["int"] is too small');
  });

  it('make records without a prototype', () => {
    const { v } = parse(one(Type.Unknown()), { v: '{"__proto__":{"polluted":1}}' });
    expect(Object.getPrototypeOf(v)).toBeNull();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('absence', () => {
  it('of a required parameter is named', () => {
    expect(refusal(one(Type.String()), {})).toMatchObject({
      code: 'BAD_REQUEST',
      status: 400,
      message: "Missing 'v' argument",
      fields: { var_name: 'v' },
    });
  });

  it('is what null means for an optional parameter that is not text', () => {
    expect(parse(one(Type.Optional(Type.Array(Type.String()))), { v: 'null' })).toEqual({});
    expect(parse(one(Type.Optional(Type.String())), { v: 'null' })).toEqual({ v: 'null' });
    expect(message(Type.Integer(), 'null')).toBe('v is not an integer');
  });

  it('is not what null means where null is a value', () => {
    const integer = Type.Optional(Type.Union([Type.Integer(), Type.Null()]));
    expect(parse(one(integer), { v: 'null' })).toEqual({ v: null });
    expect(parse(one(integer), { v: '3' })).toEqual({ v: 3 });
    expect(message(integer, '"3"')).toBe('v is not an integer');
    const text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
    expect(parse(one(text), { v: 'null' })).toEqual({ v: null });
    expect(parse(one(text), { v: '' })).toEqual({ v: '' });
  });
});

describe('several parameters', () => {
  const schema = Type.Object({
    op: Type.String(),
    count: Type.Integer(),
    topic: Type.Optional(Type.String({ 'x-alias': 'subject', 'x-strip': true })),
  });

  it('are checked in the order of declaration, and the first error is the answer', () => {
    expect(refusal(schema, { count: 'x' }).message).toBe("Missing 'op' argument");
    expect(refusal(schema, { op: 'a', count: 'x' }).message).toBe('count is not valid JSON');
  });

  it('are accepted under an older name, but not under both', () => {
    expect(parse(schema, { op: 'a', count: '1', subject: ' t ' })).toMatchObject({ topic: 't' });
    expect(refusal(schema, { op: 'a', count: '1', subject: 't', topic: 't' })).toMatchObject({
      code: 'REQUEST_CONFUSING_VAR',
      message: "Can't decide between 'topic' and 'subject' arguments",
      fields: { var_name1: 'topic', var_name2: 'subject' },
    });
  });

  it('that are not declared are listed, sorted; `client` never is', () => {
    const { ignored } = parseParams(
      schema,
      form({ op: 'a', count: '1', zebra: '', apple: '1', client: 'test', subject: 't' }),
    );
    expect(ignored).toEqual(['apple', 'zebra']);
  });
});
