import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryToText, parsePairs } from './parameters.ts';

describe('name=value pairs', () => {
  it('are parsed as any form is, in the order sent, repeats included', () => {
    expect(parsePairs('a=1&b=x+y%20z&&a=2&flag&e=')).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: 'x y z' },
      { name: 'a', value: '2' },
      { name: 'flag', value: '' },
      { name: 'e', value: '' },
    ]);
    expect(parsePairs('')).toEqual([]);
  });

  it('parse what URLSearchParams and encodeURIComponent write', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((one) => one.isWellFormed());
    const stored = text.filter((one) => !one.includes('\0'));
    fc.assert(
      fc.property(fc.array(fc.tuple(stored, stored), { maxLength: 5 }), (entries) => {
        const expected = entries.map(([name, value]) => ({ name, value }));
        expect(parsePairs(new URLSearchParams(entries).toString())).toEqual(expected);
        const percent = entries.map(([name, value]) => `${encode(name)}=${encode(value)}`);
        expect(parsePairs(percent.join('&'))).toEqual(expected);
      }),
    );
  });

  it.each(['a=%', 'a=%4', 'a=%zz', 'a=%ff', 'a=%c0%af', 'a=%00', 'a=1;b=2', '%zz=1'])(
    '%s has no valid meaning',
    (text) => expect(parsePairs(text)[0]?.value).toBeUndefined(),
  );

  it('unescaped bytes are UTF-8', () => {
    const raw = Buffer.from('name=تتر').toString('latin1');
    expect(parsePairs(queryToText(raw))).toEqual([{ name: 'name', value: 'تتر' }]);
    expect(queryToText('a=b')).toBe('a=b');
  });
});

const encode = encodeURIComponent;
