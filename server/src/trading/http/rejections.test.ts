import { REJECTIONS, type Rejection, type RejectionCode } from '@rialto/matching';
import { describe, expect, it } from 'vitest';
import { EngineFailure, type FailureKind } from '../engine/door.ts';
import { findError } from './errors.ts';
import { fromEngineFailure, fromRejection } from './rejections.ts';

const precisions = { basePrecision: 6, quotePrecision: 2 };
const refusalOf = (code: RejectionCode, details: Rejection['details'] = {}) =>
  fromRejection({ code, details }, { precisions });

describe('rejections of the core', () => {
  it('each has its code, its name and a sentence', () => {
    for (const text of Object.keys(REJECTIONS)) {
      const code = Number(text) as RejectionCode;
      if (code === 7001) continue;
      const refusal = refusalOf(code);
      expect(refusal.code).toBe(text);
      expect(findError(text)?.name).toBe(REJECTIONS[code]);
      expect(refusal.status).toBe(findError(text)?.status);
      expect(refusal.message).toMatch(/^['A-Za-z].{10,}[.-]$/);
      expect(refusal.message).not.toContain('undefined');
    }
  });

  it('details are decimals in the market’s own units', () => {
    expect(refusalOf(4009, { parameter: 'price', minimum: 1, maximum: 7680000 })).toMatchObject({
      fields: { parameter: 'price', minimum: '0.01', maximum: '76800.00' },
      message: "'price' must be from 0.01 to 76800.00 now.",
    });
    expect(refusalOf(4007, { limit: 'minimumVolume', minimum: 100 }).fields).toEqual({
      limit: 'minimumVolume',
      minimum: '0.000100',
    });
    const small = { limit: 'minimumQuoteSize', minimum: 5n * 10n ** 18n, value: 10n ** 17n };
    expect(refusalOf(4007, small).fields).toEqual({
      limit: 'minimumQuoteSize',
      minimum: '5',
      value: '0.1',
    });
    expect(refusalOf(4010, { limit: 'maxMarketOrderAsk', maximum: 10_000_000 }).fields).toEqual({
      limit: 'maxMarketOrderAsk',
      maximum: '10',
    });
    expect(refusalOf(4015, { limit: 'maxOpenOrders', maximum: 200 }).fields).toEqual({
      limit: 'maxOpenOrders',
      maximum: '200',
    });
    expect(refusalOf(4004, { phase: 'continuous', sweeping: true }).message).toContain(
      'The orders of the market are being canceled',
    );
    expect(refusalOf(4015, { limit: 'sweeps', maximum: 16 }).message).toContain(
      'Wait for one of them',
    );
    expect(refusalOf(4008, { best: 6425150 }).fields).toEqual({ best: '64251.50' });
    expect(refusalOf(4016, { lastPrice: 6425150 }).fields).toEqual({ lastPrice: '64251.50' });
    expect(refusalOf(4005, { parameter: 'price', decimals: 2 }).fields).toEqual({
      parameter: 'price',
      decimals: '2',
    });
    const poor = { coin: 'usdt', required: 3n * 10n ** 18n, available: 25n * 10n ** 16n };
    expect(refusalOf(5001, poor)).toMatchObject({
      fields: { coin: 'usdt', required: '3', available: '0.25' },
      message: 'This needs 3 usdt, and 0.25 are available.',
    });
  });

  it('an account that the engine has not heard of yet is told to try again', () => {
    expect(refusalOf(7001, { account: 7 })).toMatchObject({
      code: '1001',
      headers: { 'Retry-After': '1' },
      fields: {},
    });
  });
});

it.each([
  ['unavailable', '1001', 503],
  ['late', '3006', 400],
  ['unknown', '1003', 504],
  ['fault', '1000', 500],
  ['refused', '1000', 500],
] satisfies [FailureKind, string, number][])(
  'an engine that is %s answers %s',
  (kind, code, status) => {
    const refusal = fromEngineFailure(new EngineFailure(kind, 'test'));
    expect(refusal).toMatchObject({ code, status });
    if (kind === 'unavailable') expect(refusal.headers).toEqual({ 'Retry-After': '1' });
  },
);
