import { expect, it } from 'vitest';
import { findCoinProblems } from '../../../trading/coins/rules.ts';
import { toMarketConfig, type MarketTerms } from '../../../trading/operators/market-terms.ts';
import { adminCommand } from '../admin.ts';
import { COIN_TEMPLATE, MARKET_TEMPLATE, renderTemplate } from './templates.ts';

it('`coin add --file` accepts the printed coin, which has a network to copy', () => {
  const coin: unknown = JSON.parse(renderTemplate(COIN_TEMPLATE));
  expect(findCoinProblems(coin)).toEqual([]);
  expect(Object.keys(COIN_TEMPLATE.networks)).not.toEqual([]);
});

it('`market create --file` accepts the printed terms', () => {
  const terms = JSON.parse(renderTemplate(MARKET_TEMPLATE)) as MarketTerms;
  expect(toMarketConfig(terms)).toMatchObject({ base: 'btc', quote: 'usdt' });
});

it.each(['coin', 'market'])('`admin %s template` names the command that takes it', async (noun) => {
  const command = (await adminCommand()).commands.find((one) => one.name() === noun);
  const template = command?.commands.find((one) => one.name() === 'template');
  expect(template?.description()).toContain('--file');
});
