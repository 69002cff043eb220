import { expect, it } from 'vitest';
import type { Reserves } from '../../trading/custody/reserves/shapes.ts';
import { renderReserves } from './page.ts';

const VALUES = {
  organization: 'Desk',
  origin: 'https://venue.example',
  version: '1',
  stylePath: '/s.css',
};
const RESERVES: Reserves = {
  publicationId: '3',
  publishedAt: '1760000000000',
  coins: [
    {
      coin: 'ltc',
      root: 'ab'.repeat(32),
      liabilities: '1500.25',
      leaves: '12',
      engineSeq: '9',
      onChain: '1501',
      ratio: '1.0004',
      networks: [{ network: 'L<T>C', height: '2345', blockHash: 'cd', onChain: '1501' }],
    },
  ],
};

it('shows what is owed, held and how to check it, in both languages, and escapes names', () => {
  const page = renderReserves(VALUES, { language: 'en', reserves: RESERVES });
  for (const shown of ['LTC', '1,500.25', '1,501', '1.0004', '2025-10-09 08:53 UTC']) {
    expect(page).toContain(shown);
  }
  expect(page).toContain('L&lt;T&gt;C, block 2,345');
  expect(page).toContain('ab'.repeat(32));
  expect(page).toContain('rialto verify-reserves leaves.json');
  expect(page).not.toMatch(/<script|\sstyle="|\son\w+="/);
  const persian = renderReserves(VALUES, { language: 'fa', reserves: RESERVES });
  expect(persian).toContain('۱٬۵۰۰٫۲۵');
  expect(persian).toContain('نسبت');
});

it('says that there is nothing yet', () => {
  const reserves = { publicationId: '', publishedAt: '', coins: [] };
  expect(renderReserves(VALUES, { language: 'en', reserves })).toContain('No proof of reserves');
});
