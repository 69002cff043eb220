import { describe, expect, it } from 'vitest';
import { readDecimal } from '../../i18n/digits.ts';
import { marketOf, PRICES } from '../testing/market.ts';
import { choosePercent, emptyDraft, type, type Draft, type Field } from './draft.ts';
import { readForm, type FormTerms } from './read.ts';

const TERMS: FormTerms = {
  market: marketOf(),
  prices: PRICES,
  rates: { maker: '0.001', taker: '0.0015' },
  available: { base: '2.5', quote: '100000' },
  nowMs: 1_760_000_000_000,
};

function fill(draft: Draft, fields: Partial<Record<Field, string>>): Draft {
  return Object.entries(fields).reduce(
    (now, [field, text]) => type(now, field as Field, readDecimal(text)),
    draft,
  );
}
const read = (draft: Draft, terms: Partial<FormTerms> = {}) =>
  readForm(draft, { ...TERMS, ...terms });

describe('sizes', () => {
  it('gives the total of an amount exactly', () => {
    const { sized, placement } = read(fill(emptyDraft(), { price: '64210.5', amount: '0.5' }));
    expect(sized.total).toBe('32105.25');
    expect(placement).toEqual({
      call: 'create',
      params: {
        symbol: 'btcusdt',
        side: 'buy',
        type: 'limit',
        price: '64210.5',
        volume: '0.5',
        timeInForce: 'GTC',
      },
    });
  });

  it('gives the amount of a total floored to the lot, and leaves the total as typed', () => {
    const { sized } = read(fill(emptyDraft(), { price: '63990.01', total: '1000' }));
    expect(sized.amount).toBe('0.015627');
    expect(sized.total).toBe('1000');
    expect(sized.cost).toBe('999.97188627');
  });

  it('keeps the driver when the price changes', () => {
    const draft = fill(emptyDraft(), { total: '1000', price: '50000' });
    expect(draft.driver).toBe('total');
    expect(read(fill(draft, { price: '40000' })).sized.amount).toBe('0.025');
  });

  it('sends the total of a market buy itself', () => {
    const { placement } = read(fill(emptyDraft('buy', 'market'), { total: '250.5' }));
    expect(placement?.params).toMatchObject({ type: 'market', total: '250.5' });
    expect(placement?.params).not.toHaveProperty('volume');
  });

  it('takes a share of exactly what is available', () => {
    const quote = '30000.123456789012345678';
    const market = choosePercent(emptyDraft('buy', 'market'), '100');
    expect(read(market, { available: { base: '0', quote } }).sized.total).toBe('30000.12345678');
    const sell = choosePercent(emptyDraft('sell', 'market'), '25');
    expect(read(sell, { available: { base: '1.0000019', quote } }).sized.amount).toBe('0.25');
    const limit = fill(choosePercent(emptyDraft(), '50'), { price: '64000' });
    expect(read(limit, { available: { base: '0', quote } }).sized.amount).toBe('0.234375');
  });

  it('pays for the dearer leg of an OCO that buys', () => {
    const draft = fill(emptyDraft('buy', 'oco'), {
      price: '60000',
      stopPrice: '66000',
      stopLimit: '66500',
      amount: '0.1',
    });
    const { sized, placement } = read(draft);
    expect(sized.total).toBe('6650');
    expect(placement?.params).toMatchObject({ limitPrice: '60000', stopLimitPrice: '66500' });
  });

  it('sends a trailing stop in hundredths of a percent', () => {
    const draft = fill(emptyDraft('sell', 'trailing_stop'), { delta: '1.5', amount: '0.1' });
    expect(read(draft).placement?.params).toMatchObject({ trailingDelta: '150', volume: '0.1' });
  });

  it('sends a bracket with its exits', () => {
    const draft = fill(emptyDraft('buy', 'bracket'), {
      price: '63000',
      amount: '0.1',
      takeProfit: '66000',
      stopPrice: '61000',
    });
    expect(read(draft).placement).toMatchObject({
      call: 'createBracket',
      params: { type: 'limit', takeProfitPrice: '66000', stopLossPrice: '61000' },
    });
  });
});

describe('problems', () => {
  const problemOf = (draft: Draft, field: Field, terms: Partial<FormTerms> = {}) =>
    read(draft, terms).problems[field];

  it('teaches the rule and the value', () => {
    const limit = (fields: Partial<Record<Field, string>>, side: 'buy' | 'sell' = 'buy') =>
      fill(emptyDraft(side), fields);
    expect(problemOf(limit({ price: '61000', amount: '0.00012' }), 'amount')).toEqual({
      code: 'value',
      least: '10',
      yours: '7.32',
    });
    expect(problemOf(limit({ price: '64000.125' }), 'price')).toEqual({
      code: 'decimals',
      has: 3,
      allowed: 2,
    });
    expect(problemOf(limit({ price: '64000', amount: '0.0000001' }), 'amount')).toEqual({
      code: 'decimals',
      has: 7,
      allowed: 6,
    });
    expect(problemOf(limit({ price: '64000', amount: '2' }), 'amount')).toEqual({
      code: 'funds',
      need: '128000',
      have: '100000',
      unit: 'quote',
    });
    expect(problemOf(limit({ price: '64000', amount: '2.6' }, 'sell'), 'amount')).toMatchObject({
      code: 'funds',
      unit: 'base',
    });
    expect(problemOf(limit({ price: '97000' }), 'price')).toMatchObject({
      code: 'most',
      bound: '96000',
    });
    expect(problemOf(limit({ price: '0' }), 'price')).toEqual({ code: 'positive' });
    expect(problemOf(limit({ price: '1e5' }), 'price')).toEqual({ code: 'unread' });
    expect(problemOf(limit({}), 'price')).toEqual({ code: 'missing' });
  });

  it('takes zeros beyond the decimals of the market: they change nothing', () => {
    const { placement } = read(fill(emptyDraft(), { price: '64000.5000', amount: '0.50000000' }));
    expect(placement?.params).toMatchObject({ price: '64000.5', volume: '0.5' });
  });

  it('knows on which side a trigger has to be', () => {
    const stop = (side: 'buy' | 'sell', kind: 'stop_limit' | 'take_profit_limit', price: string) =>
      problemOf(fill(emptyDraft(side, kind), { stopPrice: price }), 'stopPrice');
    expect(stop('sell', 'stop_limit', '64000')).toMatchObject({ code: 'apart', mustBe: 'below' });
    expect(stop('sell', 'stop_limit', '63999')).toBeUndefined();
    expect(stop('buy', 'stop_limit', '63999')).toMatchObject({ code: 'apart', mustBe: 'above' });
    expect(stop('buy', 'take_profit_limit', '64001')).toMatchObject({ mustBe: 'below' });
    expect(stop('sell', 'take_profit_limit', '64001')).toBeUndefined();
  });

  it('refuses a post-only order that would trade at once, and an iceberg of too many parts', () => {
    const draft = fill(emptyDraft(), { price: '64010', amount: '1', visible: '0.04' });
    expect(problemOf({ ...draft, isPostOnly: true }, 'price')).toEqual({
      code: 'wouldTake',
      best: '64010.00',
    });
    expect(problemOf(draft, 'visible')).toEqual({ code: 'visible', least: '0.05', most: '1' });
  });

  it('needs an end between 5 seconds and 90 days ahead', () => {
    const draft: Draft = { ...emptyDraft(), timeInForce: 'GTD' };
    expect(read(draft).problems.expires).toEqual({ code: 'missing' });
    const at = (expiresMs: number) => read({ ...draft, expiresMs }).problems.expires;
    expect(at(TERMS.nowMs + 4999)).toEqual({ code: 'expires' });
    expect(at(TERMS.nowMs + 5000)).toBeUndefined();
    expect(at(TERMS.nowMs + 90 * 24 * 3600_000 + 1)).toEqual({ code: 'expires' });
  });

  it('says that there is nothing to trade with', () => {
    const empty = { ...PRICES, asks: [] };
    const draft = fill(emptyDraft('buy', 'market'), { total: '100' });
    expect(problemOf(draft, 'total', { prices: empty })).toEqual({ code: 'noBook' });
  });
});

describe('estimates', () => {
  it('walks the book for a market order, with fee and worst price', () => {
    const { estimated } = read(fill(emptyDraft('sell', 'market'), { amount: '2' }));
    expect(estimated.taking).toMatchObject({ total: '127890', worst: '63900.00', volume: '2' });
    expect(estimated.fee).toBe('191.835');
    expect(estimated.after).toBe('0.5');
  });

  it('takes whole lots for a total, and stops at the protection price', () => {
    const { estimated } = read(fill(emptyDraft('buy', 'market'), { total: '64010.05' }));
    expect(estimated.taking).toMatchObject({ volume: '1', worst: '64010.00', isComplete: true });
    const most = read(fill(emptyDraft('buy', 'market'), { amount: '11' }), {
      available: { base: '0', quote: '1000000' },
    });
    expect(most.estimated.taking).toMatchObject({ volume: '10', isComplete: false });
  });

  it('charges what rests as a maker', () => {
    const draft = fill(emptyDraft(), { price: '64050', amount: '1.5' });
    expect(read(draft).estimated.fee).toBe('0.002');
  });
});

describe('guard rails', () => {
  const guards = (draft: Draft, terms: Partial<FormTerms> = {}) => read(draft, terms).guards;

  it('warns of a limit more than 5 % through the market, and wants the symbol beyond 20 %', () => {
    const at = (price: string) =>
      guards(fill(emptyDraft(), { price, amount: '0.001' })).find(({ kind }) => kind === 'through');
    expect(at('67210.50')).toBeUndefined();
    expect(at('67210.51')).toEqual({ kind: 'through', percent: '5', mustType: false });
    expect(at('76812')).toMatchObject({ mustType: false });
    expect(at('76812.01')).toEqual({ kind: 'through', percent: '20', mustType: true });
    const sell = fill(emptyDraft('sell'), { price: '60790.49', amount: '0.001' });
    expect(guards(sell)).toMatchObject([{ kind: 'through', mustType: false }]);
  });

  it('measures the limit of a stop by its trigger', () => {
    const draft = fill(emptyDraft('sell', 'stop_limit'), {
      stopPrice: '60000',
      price: '45000',
      amount: '0.01',
    });
    expect(guards(draft)).toEqual([{ kind: 'through', percent: '25', mustType: true }]);
  });

  it('warns of slippage above 2 % and of more than a quarter of the book', () => {
    const rich = { available: { base: '100', quote: '10000000' } };
    const kinds = (amount: string) =>
      guards(fill(emptyDraft('buy', 'market'), { amount }), rich).map(({ kind }) => kind);
    expect(kinds('2.5')).toEqual([]);
    expect(kinds('2.51')).toEqual(['depth']);
    expect(kinds('9')).toEqual(['slippage', 'depth']);
  });
});
