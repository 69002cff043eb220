import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { parseMembers } from '../../accounts/trading-keys/json.ts';
import { parsePairs } from '../../accounts/trading-keys/parameters.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { MarketSymbol } from '../values.ts';
import { compileParams } from './params.ts';

const schema = Type.Object({
  symbol: MarketSymbol,
  side: Type.Optional(Type.Union([Type.Literal('buy'), Type.Literal('sell')])),
  kind: Type.Optional(Type.Enum(['a', 'b'])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  flag: Type.Optional(Type.Boolean()),
  code: Type.Optional(Type.String({ pattern: '^[a-z]+$', maxLength: 3 })),
  only: Type.Optional(Type.Literal('this')),
  orders: Type.Optional(
    Type.Array(
      Type.Object({ price: Type.String(), legs: Type.Optional(Type.Array(Type.String())) }),
      { minItems: 1, maxItems: 2 },
    ),
  ),
});
const parsePrivate = compileParams(schema, { unknownNames: 'refused', reserved: ['timestamp'] });
const parsePublic = compileParams(schema, { unknownNames: 'ignored' });
const fromJson = (value: unknown) => parsePrivate(parseMembers(Buffer.from(JSON.stringify(value))));

function problemOf(work: () => unknown): [string, unknown] {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return [error.code, error.fields['parameter']];
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('parameters', () => {
  it('get the types that the schema declares', () => {
    const query =
      'symbol=BtcUSDT&side=buy&limit=50&flag=true&code=abc&kind=b&only=this&timestamp=1';
    expect(parsePrivate(parsePairs(query))).toEqual({
      symbol: 'btcusdt',
      side: 'buy',
      limit: 50,
      flag: true,
      code: 'abc',
      kind: 'b',
      only: 'this',
    });
  });

  it('are parsed alike from JSON, where booleans may stand without quotes and numbers may not', () => {
    const orders = [{ price: '1', legs: ['x'] }, { price: '2' }];
    expect(fromJson({ symbol: 'BTCUSDT', limit: '50', flag: false, orders })).toEqual({
      symbol: 'btcusdt',
      limit: 50,
      flag: false,
      orders,
    });
    const inForm = (text: string) =>
      parsePrivate(parsePairs(new URLSearchParams({ symbol: 'b', orders: text }).toString()));
    expect(inForm(JSON.stringify(orders)).orders).toHaveLength(2);
    expect(() => inForm('[{"price":2}]')).toThrow('Write 2 as "2"');
    expect(() => fromJson({ symbol: 'b', limit: 50 })).toThrow('Write 50 as "50"');
  });

  it('an empty optional value is absent, an empty required one is missing', () => {
    expect(parsePrivate(parsePairs('symbol=a&limit=&side='))).toEqual({ symbol: 'a' });
    expect(problemOf(() => parsePrivate(parsePairs('symbol=')))).toEqual(['2001', 'symbol']);
    expect(problemOf(() => parsePrivate([]))).toEqual(['2001', 'symbol']);
  });

  it('unknown names are ignored on public endpoints and refused on private ones', () => {
    expect(parsePublic(parsePairs('symbol=a&extra=1&extra=2'))).toEqual({ symbol: 'a' });
    expect(problemOf(() => parsePrivate(parsePairs('symbol=a&extra=1')))).toEqual([
      '2004',
      'extra',
    ]);
    expect(problemOf(() => parsePrivate(parsePairs('symbol=a&=1')))).toEqual(['2004', '']);
    expect(problemOf(() => parsePrivate(parsePairs('symbol=a&__proto__=1')))).toEqual([
      '2004',
      '__proto__',
    ]);
  });

  it.each([
    ['symbol=a&symbol=b', '2005', 'symbol'],
    ['symbol=a&side=hold', '2002', 'side'],
    ['symbol=a&kind=c', '2002', 'kind'],
    ['symbol=a&only=that', '2002', 'only'],
    ['symbol=a&limit=ten', '2002', 'limit'],
    ['symbol=a&limit=1.5', '2002', 'limit'],
    ['symbol=a&limit=010', '2002', 'limit'],
    ['symbol=a&limit=1e2', '2002', 'limit'],
    ['symbol=a&limit=%DB%B1', '2002', 'limit'],
    ['symbol=a&limit=0', '2003', 'limit'],
    ['symbol=a&limit=-1', '2003', 'limit'],
    ['symbol=a&limit=1001', '2003', 'limit'],
    ['symbol=a&limit=99999999999999999999', '2003', 'limit'],
    ['symbol=a&flag=yes', '2002', 'flag'],
    ['symbol=a&code=ABC', '2002', 'code'],
    ['symbol=a&code=abcd', '2002', 'code'],
    ['symbol=a&code=%zz', '2002', 'code'],
    ['symbol=a&code=%ff', '2002', 'code'],
    ['symbol=a&code=a%00', '2002', 'code'],
    ['symbol=a;side=buy', '2002', 'symbol'],
    ['symbol=a&orders=none', '2002', 'orders'],
    ['symbol=a&orders=%7B%7D', '2002', 'orders'],
    ['symbol=a&orders=%5B%5D', '2003', 'orders'],
  ])('%s is refused with %s', (query, code, parameter) => {
    expect(problemOf(() => parsePrivate(parsePairs(query)))).toEqual([code, parameter]);
  });

  it('a problem inside a list names its position', () => {
    const nested = (orders: unknown) => problemOf(() => fromJson({ symbol: 'a', orders }));
    expect(nested([{ price: '1' }, {}])).toEqual(['2001', 'orders[1].price']);
    expect(nested([{ price: '1', size: '2' }])).toEqual(['2004', 'orders[0].size']);
    expect(nested([{ price: ['1'] }])).toEqual(['2002', 'orders[0].price']);
    expect(nested(['1'])).toEqual(['2002', 'orders[0]']);
    expect(nested({ price: '1' })).toEqual(['2002', 'orders']);
  });

  it('a list or an object where a text is expected is refused for every parameter', () => {
    for (const name of ['symbol', 'side', 'kind', 'limit', 'flag', 'code', 'only']) {
      for (const value of [['x'], { x: 'y' }]) {
        expect(problemOf(() => fromJson({ symbol: 'a', [name]: value }))).toEqual(['2002', name]);
      }
    }
  });
});
