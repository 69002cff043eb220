import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMembers, parseValue } from './json.ts';
import type { Given } from './parameters.ts';
import { RequestProblem } from './problem.ts';
import { MEASURED } from '../../testing/measured.ts';

const parse = (text: string) => parseMembers(Buffer.from(text));

function kindOf(text: string | Buffer): string {
  try {
    parseMembers(Buffer.from(text));
  } catch (error) {
    if (error instanceof RequestProblem) return error.kind;
    throw error;
  }
  return 'accepted';
}

// JSON trees of allowed values: no null, no number, no lone surrogate, no zero character.
type Tree = string | boolean | Tree[] | { [name: string]: Tree };
const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((one) => one.isWellFormed() && !one.includes('\0'));
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.boolean(),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 4 }),
  ),
}));
const body = fc.dictionary(text, tree, { maxKeys: 6 });

function asGiven(value: Tree): Given {
  if (Array.isArray(value)) return value.map(asGiven);
  if (typeof value === 'object') {
    return new Map(Object.entries(value).map(([name, member]) => [name, asGiven(member)]));
  }
  return String(value);
}

describe('the parser of JSON bodies', () => {
  it('agrees with JSON.parse about every value, and with JSON.stringify about compact text', () => {
    fc.assert(
      fc.property(body, fc.constantFrom(0, 1, 2, '\t'), (value, indent) => {
        const members = parse(JSON.stringify(value, null, indent));
        expect(members.map(({ name }) => name)).toEqual(Object.keys(value));
        for (const { name, value: given, signed } of members) {
          const original = value[name] as Tree;
          expect(given).toEqual(asGiven(original));
          expect(signed).toBe(
            typeof original === 'object' ? JSON.stringify(original) : String(original),
          );
        }
      }),
    );
  });

  it('accepts exactly what JSON.parse accepts as an object, apart from what is refused by rule', () => {
    const soup = fc.string({
      unit: fc.constantFrom(...'{}[]:,"\\ntrue1-.e0 u'.split('')),
      maxLength: 14,
    });
    fc.assert(
      fc.property(soup, (inner) => {
        const candidate = `{${inner}}`;
        let isObject = true;
        try {
          JSON.parse(candidate);
        } catch {
          isObject = false;
        }
        expect(kindOf(candidate) === 'JSON_INVALID').toBe(!isObject);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the order that was sent, also of names that are digits', () => {
    expect(parse('{"b":"1","10":"2","2":"3","a":"4"}').map(({ name }) => name)).toEqual([
      'b',
      '10',
      '2',
      'a',
    ]);
  });

  it('keeps nested text as it was written, without white space', () => {
    const [member] = parse('{ "orders" : [ { "note" : "a \\u0062 \\/" , "n" : "12" } , true ] }');
    expect(member?.signed).toBe('[{"note":"a \\u0062 \\/","n":"12"},true]');
  });

  it.each(['1', '0', '-0', '50000', '1.0', '0.5', '1e3', '1E3', '-2.5e-1', 'null'])(
    'refuses the value %s anywhere: numbers are texts',
    (value) => {
      for (const body of [`{"a":${value}}`, `{"a":[${value}]}`, `{"a":[{"x":${value}}]}`]) {
        expect(kindOf(body), body).toBe('NUMBER_NOT_STRING');
      }
    },
  );

  it('says how to write a number, and repeats only its beginning', () => {
    expect(() => parse('{"price":50000}')).toThrow('Write 50000 as "50000"');
    expect(() => parse(`{"price":${'9'.repeat(100_000)}}`)).toThrow(/^.{100,300}$/);
  });

  it.each(['{"a":"1","a":"2"}', '{"a":"1","\\u0061":"2"}', '{"l":[{"x":"1","y":"2","x":"3"}]}'])(
    'refuses the repeated name in %s',
    (repeated) => expect(kindOf(repeated)).toBe('PARAMETER_DUPLICATE'),
  );

  it.each(['', '[]', '"a"', '1', 'true', 'null', '{', '{"a":1,}', "{'a':1}", '{"a":01}', '{}x'])(
    'refuses %j, which is not a JSON object',
    (wrong) => expect(kindOf(wrong)).toBe('JSON_INVALID'),
  );

  it('refuses text that is not UTF-8, begins with a byte order mark, or contains a lone surrogate or a zero', () => {
    expect(kindOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe('JSON_INVALID');
    expect(kindOf('\uFEFF{}')).toBe('JSON_INVALID');
    expect(kindOf('{"a":"\\ud800"}')).toBe('JSON_INVALID');
    expect(kindOf('{"a":"\\u0000"}')).toBe('JSON_INVALID');
  });

  it('refuses nesting that is too deep, and accepts what is just deep enough', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(kindOf(nested(31))).toBe('accepted');
    expect(kindOf(nested(32))).toBe('JSON_INVALID');
    expect(kindOf(nested(100_000))).toBe('JSON_INVALID');
  });

  it('parses a long body quickly', MEASURED, () => {
    const long = JSON.stringify({ a: 'x'.repeat(120_000), b: '\\"'.repeat(30_000) });
    const startedMs = performance.now();
    expect(parse(`${' '.repeat(10_000)}${long}`)).toHaveLength(2);
    expect(performance.now() - startedMs).toBeLessThan(500);
  });

  it('parses a single value as well', () => {
    expect(parseValue('["a", "1", true]')).toEqual(['a', '1', 'true']);
  });
});
