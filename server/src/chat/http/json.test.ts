import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonNumber, parseJson, type JsonNode } from './json.ts';
import { MEASURED } from '../../testing/measured.ts';

function toPlain(node: JsonNode | undefined): unknown {
  if (node instanceof JsonNumber) return node.value;
  if (Array.isArray(node)) return (node as readonly JsonNode[]).map(toPlain);
  if (node instanceof Map) {
    const fields = node as ReadonlyMap<string, JsonNode>;
    return Object.fromEntries([...fields].map(([key, value]) => [key, toPlain(value)]));
  }
  return node;
}

describe('parseJson', () => {
  it('reads everything that JSON.stringify writes, as JSON.parse does', () => {
    const values = fc.jsonValue({ maxDepth: 5 }).filter((value) => !hasProto(value));
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(value);
        expect(toPlain(parseJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('accepts nothing that JSON.parse refuses, and refuses little that it accepts', () => {
    const soup = fc.string({
      unit: fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"',
        '\\',
        'n',
        'true',
        '1',
        '-',
        '.',
        'e',
        ' ',
        'u',
      ),
      maxLength: 12,
    });
    fc.assert(
      fc.property(soup, (text) => {
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(parseJson(text)).toBeUndefined();
          return;
        }
        // Equal keys are the one thing that we refuse and JSON.parse does not.
        const node = parseJson(text);
        if (node !== undefined) expect(toPlain(node)).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it.each(['', ' ', '{', '[1,]', '{"a":1,}', "'a'", 'NaN', '01', '1 2', '"\n"', '"\\x"', 'tru'])(
    'refuses %j',
    (text) => {
      expect(parseJson(text)).toBeUndefined();
    },
  );

  it('tells a whole number from one such as 5.0', () => {
    expect(parseJson('5')).toMatchObject({ value: 5, isWhole: true });
    expect(parseJson('5.0')).toMatchObject({ value: 5, isWhole: false });
    expect(parseJson('5e0')).toMatchObject({ isWhole: false });
  });

  it('refuses the same key twice', () => {
    expect(parseJson('{"a":1,"a":2}')).toBeUndefined();
  });

  it('has limits on depth, on length of lists and on digits', () => {
    expect(parseJson('['.repeat(32) + ']'.repeat(32))).toBeDefined();
    expect(parseJson('['.repeat(33) + ']'.repeat(33))).toBeUndefined();
    expect(parseJson('['.repeat(500_000))).toBeUndefined();
    expect(parseJson(`[${'1,'.repeat(99_999)}1]`)).toBeDefined();
    expect(parseJson(`[${'1,'.repeat(100_000)}1]`)).toBeUndefined();
    expect(parseJson('9'.repeat(401))).toBeUndefined();
  });

  it('reports when the length is the only fault', () => {
    const told: string[] = [];
    parseJson(`[${'1,'.repeat(100_000)}1]`, () => told.push('list'));
    parseJson(`{"a":[${'1,'.repeat(100_000)}1]}`, () => told.push('inner list'));
    parseJson(`[${'1,'.repeat(1000)}`, () => told.push('broken'));
    expect(told).toEqual(['list', 'inner list']);
  });

  it('lets no key reach a prototype', () => {
    const node = parseJson('{"__proto__":{"polluted":true},"constructor":1}');
    expect(node).toBeInstanceOf(Map);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('reads a long text quickly', MEASURED, () => {
    const startedMs = performance.now();
    expect(parseJson(`"${'x'.repeat(1_000_000)}"`)).toHaveLength(1_000_000);
    expect(parseJson(`"${'\\"'.repeat(500_000)}"`)).toHaveLength(500_000);
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });
});

const hasProto = (value: unknown): boolean => JSON.stringify(value).includes('__proto__');
