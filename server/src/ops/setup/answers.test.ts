import { expect, it } from 'vitest';
import { toMarketConfig } from '../../trading/operators/market-terms.ts';
import { readAnswers, parseMarket } from './answers.ts';
import { firstMarketTerms, parsePair } from './first-market.ts';

/** A terminal at which these lines are typed, one for each question. */
function typing(...lines: string[]) {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return lines.shift() ?? '';
  };
  return { questions, ask };
}

it('asks at a terminal for everything that was not given, and takes defaults for empty lines', async () => {
  const { questions, ask } = typing('', 'fa', 'Ava Stone', 'ava@example.com', 'BTC/USDT', '64000');
  expect(await readAnswers({}, ask, 'Rialto')).toEqual({
    email: 'ava@example.com',
    name: 'Ava Stone',
    organization: undefined,
    language: 'fa',
    market: expect.objectContaining({ base: 'btc', quote: 'usdt', listingPrice: '64000' }),
  });
  expect(questions).toHaveLength(6);
  expect(questions[0]).toContain('[Rialto]');
});

it('asks nothing that was given, and asks for no price without a market', async () => {
  const { questions, ask } = typing('', '');
  const given = { email: 'a@example.com', name: 'A', organization: 'Bourse', market: '' };
  expect(await readAnswers(given, ask, 'Rialto')).toMatchObject({
    organization: 'Bourse',
    market: undefined,
  });
  expect(questions).toEqual(['Language, en or fa [en]: ']);
});

it('names the missing flags where there is no terminal', async () => {
  await expect(readAnswers({}, undefined, 'Rialto')).rejects.toThrow('--email and --name');
  await expect(readAnswers({ email: 'ava', name: 'Ava' }, undefined, 'Rialto')).rejects.toThrow(
    'such as ava@example.com, not "ava"',
  );
  await expect(
    readAnswers({ email: 'a@b.example', name: 'A', language: 'de' }, undefined, 'Rialto'),
  ).rejects.toThrow('--language must be en or fa');
});

it('accepts a market in any notation, and says what is wrong with any other text', () => {
  for (const text of ['btcusdt', 'BTC/USDT', 'btc-usdt', 'BTC_USDT']) {
    expect(parsePair(text)).toEqual({ base: 'btc', quote: 'usdt' });
  }
  expect(parsePair('usdtirt')).toEqual({ base: 'usdt', quote: 'irt' });
  for (const text of ['usdt', 'btcbtc', 'btc', 'abcusdt', 'usdtdoge', 'constructor/usdt', '']) {
    expect(() => parsePair(text), text).toThrow('--market must be a coin and what it is priced in');
  }
  expect(() => parseMarket('btcusdt', '')).toThrow('--market needs --price');
  expect(() => parseMarket('', '64000')).toThrow('give --market too');
  for (const price of ['0', '-1', '1e5', '64,000', 'x', '0.000000001', '9'.repeat(30)]) {
    expect(() => parseMarket('btcusdt', price), price).toThrow(
      '--price must be what one btc costs',
    );
  }
});

it('makes valid terms for any price that the core accepts', () => {
  expect(firstMarketTerms({ base: 'btc', quote: 'usdt' }, '68250')).toMatchObject({
    basePrecision: 6,
    quotePrecision: 2,
    minimumQuoteSize: '5',
    maxMarketOrderBid: '1000000',
    maxMarketOrderAsk: '10',
  });
  const prices = [
    '0.00000001',
    '0.00001234',
    '0.18',
    '1',
    '2.31',
    '3480.5',
    '105300',
    '7186725000',
  ];
  for (const quote of ['usdt', 'irt', 'btc', 'eth']) {
    for (const price of [...prices, '999999999999']) {
      const config = toMarketConfig(firstMarketTerms({ base: 'doge', quote }, price));
      expect(config.listingPriceTicks, `${price} ${quote}`).toBeGreaterThan(0);
      expect(config.maxMarketOrderAskLots, `${price} ${quote}`).toBeGreaterThan(0);
    }
  }
});
