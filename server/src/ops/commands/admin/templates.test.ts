import { expect, it } from 'vitest';
import { findCoinProblems } from '../../../trading/coins/rules.ts';
import { toMarketConfig, type MarketTerms } from '../../../trading/operators/market-terms.ts';
import { adminCommand } from '../admin.ts';
import { COIN_TEMPLATE, MARKET_TEMPLATE, renderTemplate } from './templates.ts';

it('the printed coin is one that `coin add --file` takes, with a network to copy', () => {
  const coin: unknown = JSON.parse(renderTemplate(COIN_TEMPLATE));
  expect(findCoinProblems(coin)).toEqual([]);
  expect(Object.keys(COIN_TEMPLATE.networks)).not.toEqual([]);
});

it('the printed terms are ones that `market create --file` takes', () => {
  const terms = JSON.parse(renderTemplate(MARKET_TEMPLATE)) as MarketTerms;
  expect(toMarketConfig(terms)).toMatchObject({ base: 'btc', quote: 'usdt' });
});

it.each(['coin', 'market'])('`admin %s template` says what takes it', (noun) => {
  const command = adminCommand().commands.find((one) => one.name() === noun);
  const template = command?.commands.find((one) => one.name() === 'template');
  expect(template?.description()).toContain('--file');
});
