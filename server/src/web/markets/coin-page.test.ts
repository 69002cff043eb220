import { expect, it } from 'vitest';
import { renderCoin } from './coin-page.ts';
import { networkOf } from './test-markets.ts';

const page = (contractAddressUrl: string): string =>
  renderCoin(
    { organization: 'Desk', origin: 'https://venue.example', version: '1', stylePath: '/s.css' },
    {
      language: 'en',
      markets: [],
      coin: {
        symbol: 'usdt',
        nameEn: 'Tether',
        nameFa: 'تتر',
        networks: { ETH: { ...networkOf('1'), contractAddressUrl } },
      },
    },
  );

it('links a contract by an address of the web alone', () => {
  expect(page('https://explorer.example/a?b="c')).toContain(
    '<a href="https://explorer.example/a?b=&quot;c" rel="noopener nofollow">',
  );
  for (const other of ['', 'javascript:alert(1)', 'data:text/html,x', 'nothing', '//x.example']) {
    expect(page(other), other).not.toContain('nofollow');
  }
});

it('says what a memo is for where one is required', () => {
  expect(page('')).toContain('Required: without it a transfer cannot be credited');
});
